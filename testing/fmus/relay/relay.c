// Switches on below `low` and off above `high`, and shows it as a value of each type there is.
#include "model.h"

struct Model {
    double time, T, low, high, share, indicator;
    Enumeration level; // 1 is off, 2 is on
    int32_t number;
    bool on;
};

enum { TIME, INPUT_T, LOW, HIGH, ON, LEVEL, NUMBER, SHARE, INDICATOR };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [INPUT_T] = REAL(INPUT, T),
    [LOW] = REAL(PARAMETER, low),
    [HIGH] = REAL(PARAMETER, high),
    [ON] = VARIABLE(BOOLEAN, OUTPUT, on),
    [LEVEL] = VARIABLE(ENUMERATION, OUTPUT, level),
    [NUMBER] = VARIABLE(INT32, OUTPUT, number),
    [SHARE] = REAL(OUTPUT, share),
    [INDICATOR] = REAL(OUTPUT, indicator),
};

static void start(Model *m) {
    m->low = 19;
    m->high = 21;
    m->T = 20;
}

// As the indicator has it: zero is the other side.
static bool wants_to_switch(const Model *m) { return m->on ? m->T >= m->high : m->T <= m->low; }

static void compute(Model *m) {
    m->level = m->on ? 2 : 1;
    m->number = m->share = m->on;
    m->indicator = m->on ? m->high - m->T : m->T - m->low;
}

static Status initialize(Model *m) {
    m->on = wants_to_switch(m);
    return OK;
}

static void indicators(const Model *m, double *values) { values[0] = m->indicator; }

static void event(Model *m, Event *event) {
    (void)event;
    if (wants_to_switch(m)) m->on = !m->on;
}

// It looks at its input at the end of a step.
static Status step(Model *m, Step *step) {
    if (!wants_to_switch(m)) return OK;
    if (step->may_return_early) {
        step->event = true;
    } else {
        m->on = !m->on;
    }
    return OK;
}

const ModelType model_type = {
    .name = "relay",
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
