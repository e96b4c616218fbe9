// A countdown clock: armed when its input goes true, it asks to be ticked `delay` seconds later.
#include "model.h"

struct Model {
    double time, delay, fired_at;
    bool arm, announced, clock;
    int32_t alarms, alarms_before;
};

enum { TIME, ARM, DELAY, ALARM_CLOCK, FIRED_AT, ALARMS };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [ARM] = VARIABLE(BOOLEAN, DISCRETE_INPUT, arm),
    [DELAY] = REAL(PARAMETER, delay),
    [ALARM_CLOCK] = VARIABLE(CLOCK, DISCRETE_INPUT, clock),
    [FIRED_AT] = REAL(OUTPUT, fired_at),
    [ALARMS] = VARIABLE(INT32, OUTPUT, alarms),
};

static void start(Model *m) {
    m->delay = 0.25;
    m->fired_at = -1;
}

static void compute(Model *m) {
    m->alarms = m->alarms_before + m->clock;
    if (m->clock) m->fired_at = m->time;
}

static void event(Model *m, Event *event) {
    (void)event;
    if (!m->arm) m->announced = false;
    m->alarms_before = m->alarms;
}

// Known from the moment of arming on, and told once: the time runs from when it is told.
static Interval interval(Model *m, unsigned clock, double *seconds) {
    if (clock != ALARM_CLOCK || !m->arm) return NOT_YET_KNOWN;
    *seconds = m->delay;
    if (m->announced) return UNCHANGED;
    m->announced = true;
    return CHANGED;
}

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "alarm",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .event = event,
    .interval = interval,
    .saves_state = true,
};
