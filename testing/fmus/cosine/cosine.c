// y = a cos(u) + b, at once, for algebraic loops that are not linear. Offers no directional derivatives.
#include "model.h"

#include <math.h>

struct Model {
    double time, u, a, b, y;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, u), REAL(TUNABLE, a), REAL(TUNABLE, b), REAL(OUTPUT, y),
};

static void start(Model *m) { m->a = 1; }

static void compute(Model *m) { m->y = m->a * cos(m->u) + m->b; }

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "cosine",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
};
