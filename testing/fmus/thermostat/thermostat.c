// Heats when it is cold, until it is warm; between two temperatures it stays as it is. Says so by a number, a boolean, an
// integer and an enumeration. In Model Exchange the switch is a state event; in Co-Simulation it looks at the end of a
// step at the temperature it was given for it.
#include "model.h"

struct Model {
    double time, temperature, low, high, power, heat, indicator;
    int32_t level;
    Enumeration mode;
    bool on;
};

enum { TIME, TEMPERATURE, LOW, HIGH, POWER, HEAT, ON, LEVEL, MODE, Z };

enum { IDLE = 1, HEATING = 2 };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [TEMPERATURE] = REAL(INPUT, temperature),
    [LOW] = REAL(PARAMETER, low),
    [HIGH] = REAL(PARAMETER, high),
    [POWER] = REAL(PARAMETER, power),
    [HEAT] = REAL(OUTPUT, heat),
    [ON] = VARIABLE(BOOLEAN, OUTPUT, on),
    [LEVEL] = VARIABLE(INT32, OUTPUT, level),
    [MODE] = VARIABLE(ENUMERATION, OUTPUT, mode),
    [Z] = REAL(OUTPUT, indicator),
};

static void start(Model *m) {
    m->temperature = 20;
    m->low = 19;
    m->high = 21;
    m->power = 1000;
}

// Above zero while it stays as it is.
static double rest(const Model *m) { return m->on ? m->high - m->temperature : m->temperature - m->low; }

static Status initialize(Model *m) {
    if (!(m->low < m->high)) return report(m, ERROR, "low, %g, must be below high, %g", m->low, m->high);
    m->on = m->temperature <= m->low;
    return OK;
}

static void compute(Model *m) {
    m->heat = m->on ? m->power : 0;
    m->level = m->on;
    m->mode = m->on ? HEATING : IDLE;
    m->indicator = rest(m);
}

static void indicators(const Model *m, double *values) { values[0] = m->indicator; }

static void event(Model *m, Event *event) {
    (void)event;
    if (rest(m) <= 0) m->on = !m->on;
}

static Status step(Model *m, Step *step) {
    if (rest(m) > 0) return OK;
    if (step->may_return_early) {
        step->event = true;
    } else {
        m->on = !m->on;
    }
    return OK;
}

const ModelType model_type = {
    .name = "thermostat",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .indicator_count = 1,
    .indicators = indicators,
    .event = event,
    .saves_state = true,
};
