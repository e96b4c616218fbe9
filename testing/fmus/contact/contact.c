// A floor without mass: what is pressed into it feels a force at once. In Model Exchange it tells when it is touched.
#include "model.h"

#include <math.h>

struct Model {
    double time, position, velocity, stiffness, damping, floor, force, indicator;
};

enum { TIME, POSITION, VELOCITY, STIFFNESS, DAMPING, FLOOR, FORCE, Z };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),       [POSITION] = REAL(INPUT, position),
    [VELOCITY] = REAL(INPUT, velocity),     [STIFFNESS] = REAL(PARAMETER, stiffness),
    [DAMPING] = REAL(PARAMETER, damping),   [FLOOR] = REAL(PARAMETER, floor),
    [FORCE] = REAL(OUTPUT, force),          [Z] = REAL(OUTPUT, indicator),
};

static void start(Model *m) {
    m->position = 1;
    m->stiffness = 1e4;
}

static void compute(Model *m) {
    double depth = fmax(m->floor - m->position, 0);
    m->force = m->stiffness * depth * fmax(1 - m->damping * m->velocity, 0);
    m->indicator = m->position - m->floor;
}

static void indicators(const Model *m, double *values) { values[0] = m->indicator; }

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "contact",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .indicator_count = 1,
    .indicators = indicators,
    .saves_state = true,
};
