// The equations of `driven-mass`, m x'' + d x' + k x = F, from an FMU that holds its input over the step and can do
// nothing optional, not even steps of different lengths.
#include "model.h"
#include "rk4.h"

#include <math.h>

struct Model {
    double time, force, m, d, k, x0, v0, inner_step;
    double state[2], acceleration; // position and velocity
    double step_size;              // of the first step, and so of all
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time),   REAL(INPUT, force),        REAL(PARAMETER, m),        REAL(PARAMETER, d),
    REAL(PARAMETER, k),        REAL(PARAMETER, x0),       REAL(PARAMETER, v0),       REAL(PARAMETER, inner_step),
    REAL(OUTPUT, state[0]),    REAL(OUTPUT, state[1]),    REAL(OUTPUT, acceleration),
};

static void start(Model *m) {
    m->m = m->k = 1;
    m->inner_step = 1e-3;
}

static Status initialize(Model *m) {
    if (!(m->m > 0)) return report(m, ERROR, "the mass m must be positive, but is %g", m->m);
    if (!(m->inner_step > 0)) return report(m, ERROR, "inner_step must be positive, but is %g", m->inner_step);
    m->state[0] = m->x0;
    m->state[1] = m->v0;
    return OK;
}

static void slopes(Model *m, int stage, const double *state, double *slope) {
    (void)stage; // the force is held
    slope[0] = state[1];
    slope[1] = (m->force - m->d * state[1] - m->k * state[0]) / m->m;
}

static void compute(Model *m) {
    double slope[2];
    slopes(m, 0, m->state, slope);
    m->acceleration = slope[1];
}

static Status step(Model *m, Step *step) {
    if (m->step_size == 0) m->step_size = step->size;
    if (fabs(step->size - m->step_size) > 1e-6 * m->step_size) {
        return report(m, ERROR, "a step of %g, where all must be as long as the first, %g", step->size, m->step_size);
    }
    int count = (int)ceil(step->size / m->inner_step - 1e-9);
    for (int i = 0; i < count; i++) rk4(m, step->size / count, 2, m->state, slopes);
    return OK;
}

const ModelType model_type = {
    .name = "held-mass",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
};
