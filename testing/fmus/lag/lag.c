// First-order lag: T der(x) = u - x, y = x. Lean, because benchmarks run it.
#include "model.h"

struct Model {
    double time, u, T, x0, x, der_x;
    double rate; // 1 / T: dividing takes longer than all the rest of a step
};

enum { TIME, U, T, X0, X, DER_X, Y };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [U] = REAL(INPUT, u),
    [T] = REAL(PARAMETER, T),
    [X0] = REAL(PARAMETER, x0),
    [X] = REAL(OUTPUT, x),
    [DER_X] = REAL(OUTPUT, der_x),
    [Y] = REAL(OUTPUT, x),
};

static void start(Model *m) { m->T = 1; }

static void compute(Model *m) { m->der_x = (m->u - m->x) * m->rate; }

static Status initialize(Model *m) {
    if (!(m->T > 0)) return report(m, ERROR, "the time constant T must be positive, but is %g", m->T);
    m->rate = 1 / m->T;
    m->x = m->x0;
    return OK;
}

// One explicit Euler step.
static Status step(Model *m, Step *step) {
    m->x += step->size * m->rate * (m->u - m->x);
    return OK;
}

static double partial(const Model *m, unsigned unknown, unsigned known) {
    if (unknown == DER_X) return known == U ? 1 / m->T : known == X ? -1 / m->T : 0;
    return (unknown == Y || unknown == X) && known == X;
}

const ModelType model_type = {
    .name = "lag",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){X},
    .derivatives = (const unsigned[]){DER_X},
    .state_count = 1,
    .partial = partial,
    .saves_state = true,
};
