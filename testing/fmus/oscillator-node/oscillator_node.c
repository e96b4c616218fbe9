// Node of a ring of oscillators: x'' = -k0 x - d x' + k (left + right - 2 x). Lean, because benchmarks run it.
#include "model.h"

struct Model {
    double time, left, right, k0, d, k, x0, v0, x, v;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, left),   REAL(INPUT, right),  REAL(PARAMETER, k0), REAL(PARAMETER, d),
    REAL(PARAMETER, k),      REAL(PARAMETER, x0), REAL(PARAMETER, v0), REAL(OUTPUT, x),     REAL(OUTPUT, v),
};

static void start(Model *m) { m->k0 = m->k = 1; }

static Status initialize(Model *m) {
    m->x = m->x0;
    m->v = m->v0;
    return OK;
}

// One symplectic Euler step: the new velocity moves the position.
static Status step(Model *m, Step *step) {
    double acceleration = m->k * (m->left + m->right - 2 * m->x) - m->k0 * m->x - m->d * m->v;
    m->v += step->size * acceleration;
    m->x += step->size * m->v;
    return OK;
}

const ModelType model_type = {
    .name = "oscillator-node",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .step = step,
    .saves_state = true,
};
