// Switches at events: when its input passes a threshold, at multiples of a period, and when its discrete input says so.
// Between events it stays on the branch it took in the last one. Sliding, it switches to and fro without end.
#include "model.h"

struct Model {
    double time, u, threshold, period, x, der_x, last_event, above_indicator, slide_indicator;
    bool reverse, slide, above, positive, terminate;
    int32_t ticks, events;
};

enum { TIME, U, REVERSE, THRESHOLD, PERIOD, SLIDE, X, DER_X, ABOVE, TICKS, EVENTS, LAST_EVENT, Z1, Z2, TERMINATE };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [U] = REAL(INPUT, u),
    [REVERSE] = VARIABLE(BOOLEAN, DISCRETE_INPUT, reverse),
    [THRESHOLD] = REAL(TUNABLE, threshold),
    [PERIOD] = REAL(PARAMETER, period),
    [SLIDE] = VARIABLE(BOOLEAN, PARAMETER, slide),
    [X] = REAL(STARTED, x),
    [DER_X] = REAL(OUTPUT, der_x),
    [ABOVE] = VARIABLE(BOOLEAN, OUTPUT, above),
    [TICKS] = VARIABLE(INT32, OUTPUT, ticks),
    [EVENTS] = VARIABLE(INT32, OUTPUT, events),
    [LAST_EVENT] = REAL(OUTPUT, last_event),
    [Z1] = REAL(OUTPUT, above_indicator),
    [Z2] = REAL(OUTPUT, slide_indicator),
    [TERMINATE] = VARIABLE(BOOLEAN, PARAMETER, terminate),
};

static void start(Model *m) {
    m->threshold = 0.5;
    m->period = 0.3;
}

static void compute(Model *m) {
    double slope = m->slide ? (m->positive ? -1 : 1) : (m->above ? 1 : -1);
    m->der_x = m->reverse ? -slope : slope;
    m->above_indicator = m->u - m->threshold;
    m->slide_indicator = m->slide ? m->x : 1;
}

static void indicators(const Model *m, double *values) {
    values[0] = m->above_indicator;
    values[1] = m->slide_indicator;
}

static void event(Model *m, Event *event) {
    m->above = m->u > m->threshold;
    m->positive = m->x > 0;
    m->events++;
    m->last_event = m->time;
    if (m->time >= (m->ticks + 1) * m->period) m->ticks++;
    event->next_time_defined = true;
    event->next_time = (m->ticks + 1) * m->period;
    event->terminate = m->terminate && m->ticks == 2;
}

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "switching",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){X},
    .derivatives = (const unsigned[]){DER_X},
    .state_count = 1,
    .indicator_count = 2,
    .indicators = indicators,
    .event = event,
    .saves_state = true,
};
