// Shows the tolerance that it was told, and lags behind its input with an accuracy that has nothing to do with it.
#include "model.h"

#include <math.h>

struct Model {
    double time, u, x, tolerance;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, u), REAL(OUTPUT, x), REAL(OUTPUT, tolerance),
};

static Status initialize(Model *m) {
    m->tolerance = told_tolerance(m);
    return OK;
}

static Status step(Model *m, Step *step) {
    m->x = m->u + (m->x - m->u) * exp(-step->size);
    return OK;
}

const ModelType model_type = {
    .name = "told",
    VARIABLES(variables),
    .initialize = initialize,
    .step = step,
    .saves_state = true,
};
