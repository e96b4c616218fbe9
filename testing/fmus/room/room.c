// A room that is heated, by a number of watts or by as much as a switch lets through, and loses heat to the outside. In
// Co-Simulation a step is exact for inputs that are held.
#include "model.h"

#include <math.h>

struct Model {
    double time, heat, power, capacity, loss, outside, start, temperature, der_temperature;
    int32_t level;
    Enumeration mode;
    bool on;
};

enum {
    TIME, HEAT, ON, LEVEL, MODE, POWER, CAPACITY, LOSS, OUTSIDE, START, TEMPERATURE, DER_TEMPERATURE
};

enum { IDLE = 1, HEATING = 2 };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [HEAT] = REAL(INPUT, heat),
    [ON] = VARIABLE(BOOLEAN, DISCRETE_INPUT, on),
    [LEVEL] = VARIABLE(INT32, DISCRETE_INPUT, level),
    [MODE] = VARIABLE(ENUMERATION, DISCRETE_INPUT, mode),
    [POWER] = REAL(PARAMETER, power),
    [CAPACITY] = REAL(PARAMETER, capacity),
    [LOSS] = REAL(PARAMETER, loss),
    [OUTSIDE] = REAL(PARAMETER, outside),
    [START] = REAL(PARAMETER, start),
    [TEMPERATURE] = REAL(OUTPUT, temperature),
    [DER_TEMPERATURE] = REAL(OUTPUT, der_temperature),
};

static void start(Model *m) {
    m->mode = IDLE;
    m->power = 1000;
    m->capacity = 1e4;
    m->loss = 50;
    m->outside = 5;
    m->start = 20;
}

static Status initialize(Model *m) {
    if (!(m->capacity > 0)) return report(m, ERROR, "the capacity must be positive, but is %g", m->capacity);
    m->temperature = m->start;
    return OK;
}

static double heating(const Model *m) {
    int shares = (m->on ? 1 : 0) + m->level + (m->mode == HEATING ? 1 : 0);
    return m->heat + m->power * shares;
}

static void compute(Model *m) {
    m->der_temperature = (heating(m) - m->loss * (m->temperature - m->outside)) / m->capacity;
}

static Status step(Model *m, Step *step) {
    double rest = m->outside + heating(m) / m->loss;
    m->temperature += (m->temperature - rest) * expm1(-step->size * m->loss / m->capacity);
    return OK;
}

const ModelType model_type = {
    .name = "room",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){TEMPERATURE},
    .derivatives = (const unsigned[]){DER_TEMPERATURE},
    .state_count = 1,
    .saves_state = true,
};
