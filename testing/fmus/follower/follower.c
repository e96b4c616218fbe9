// A triggered clock ticks it from outside; on each tick it adds its input to a sum.
#include "model.h"

struct Model {
    double time, value, sum, last_tick_time;
    bool clock;
    int32_t ticks, ticks_before;
    double sum_before; // as the last event left it
};

enum { TIME, FOLLOWER_CLOCK, VALUE, SUM, TICKS, LAST_TICK_TIME };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [FOLLOWER_CLOCK] = VARIABLE(CLOCK, DISCRETE_INPUT, clock),
    [VALUE] = REAL(DISCRETE_INPUT, value),
    [SUM] = REAL(OUTPUT, sum),
    [TICKS] = VARIABLE(INT32, OUTPUT, ticks),
    [LAST_TICK_TIME] = REAL(OUTPUT, last_tick_time),
};

static void start(Model *m) { m->last_tick_time = -1; }

static void compute(Model *m) {
    m->sum = m->sum_before + (m->clock ? m->value : 0);
    m->ticks = m->ticks_before + m->clock;
    if (m->clock) m->last_tick_time = m->time;
}

static void event(Model *m, Event *event) {
    (void)event;
    m->sum_before = m->sum;
    m->ticks_before = m->ticks;
}

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "follower",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .event = event,
    .saves_state = true,
};
