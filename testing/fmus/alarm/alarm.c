// A countdown clock: armed when its input goes true, it asks to be ticked `delay` seconds later.
#include "model.h"

struct Model {
    double time, delay, fired_at;
    bool arm, clock;
    bool seen, untold, counting; // the arming: noticed, not yet told to the importer, on its way
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
    if (m->arm && !m->seen) m->untold = true;
    m->seen = m->arm;
    m->alarms = m->alarms_before + m->clock;
    if (m->clock) m->fired_at = m->time;
}

static void event(Model *m, Event *event) {
    (void)event;
    m->alarms_before = m->alarms;
}

// An interval is new once. It stays known until the clock ticks, whatever becomes of the input.
static Interval interval(Model *m, unsigned clock, double *seconds) {
    (void)clock; // there is only one
    *seconds = m->delay;
    if (m->untold) {
        m->untold = false;
        m->counting = true;
        return CHANGED;
    }
    if (m->clock) m->counting = false;
    return m->counting ? UNCHANGED : NOT_YET_KNOWN;
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
