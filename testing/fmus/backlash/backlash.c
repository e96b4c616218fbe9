// A gear with play: its output follows the input once the play is used up, and stays where it is on the way back. What
// it remembers is its output.
#include "model.h"

#include <math.h>

struct Model {
    double time, u, play, y0, inner_step, y;
    double rate, curve;
};

enum { TIME, U, PLAY, Y0, INNER_STEP, Y };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time), [U] = REAL(INPUT, u),
    [PLAY] = REAL(PARAMETER, play),   [Y0] = REAL(PARAMETER, y0),
    [INNER_STEP] = REAL(PARAMETER, inner_step), [Y] = REAL(OUTPUT, y),
};

static void start(Model *m) {
    m->play = 0.1;
    m->inner_step = 1e-4;
}

static Status initialize(Model *m) {
    if (!(m->play >= 0)) return report(m, ERROR, "the play must not be negative, but is %g", m->play);
    if (!(m->inner_step > 0)) return report(m, ERROR, "inner_step must be positive, but is %g", m->inner_step);
    m->y = m->y0;
    return OK;
}

static void follow(Model *m, double u) { m->y = fmin(fmax(m->y, u - m->play), u + m->play); }

static Status step(Model *m, Step *step) {
    int count = (int)ceil(step->size / m->inner_step - 1e-9);
    for (int i = 1; i <= count; i++) {
        double since = step->size * i / count;
        ask_inputs(m, step->start + since);
        follow(m, m->u + since * (m->rate + since / 2 * m->curve));
    }
    m->u += step->size * (m->rate + step->size / 2 * m->curve);
    m->rate = m->curve = 0;
    return OK;
}

static Status input_derivative(Model *m, unsigned reference, int order, double value) {
    if (reference != U) return report(m, ERROR, "variable %u is no continuous input", reference);
    if (order < 1 || order > 2) return report(m, ERROR, "derivatives of inputs are taken up to order 2, not %d", order);
    *(order == 1 ? &m->rate : &m->curve) = value;
    return OK;
}

const ModelType model_type = {
    .name = "backlash",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .step = step,
    .input_derivative = input_derivative,
    .saves_state = true,
};
