// Claims to restore its state, but forgets a part of it: the number of steps, which shows in y.
#include "model.h"

struct Model {
    double time, u, x, y;
    int32_t steps;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, u), REAL(OUTPUT, y), VARIABLE(INT32, OUTPUT, steps),
};

static void start(Model *m) { m->u = 1; }

static void compute(Model *m) { m->y = m->x + 1e-3 * m->steps; }

static Status step(Model *m, Step *step) {
    m->x += step->size * m->u;
    m->steps++;
    return OK;
}

static void restored(Model *now, const Model *before) {
    int32_t steps = now->steps;
    *now = *before;
    now->steps = steps;
}

const ModelType model_type = {
    .name = "bad-rollback",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .saves_state = true,
    .restored = restored,
};
