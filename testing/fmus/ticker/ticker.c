// Two periodic clocks tick it from outside. The fast one samples the input, and every third tick is passed on.
#include "model.h"

struct Model {
    double time, u, slow_interval, sample;
    bool clock, slow_clock, every_third;
    int32_t ticks, slow_ticks;           // as they are
    int32_t ticks_before, slow_before;   // as the last event left them
};

enum { TIME, U, SLOW_INTERVAL, FAST_CLOCK, SLOW_CLOCK, SAMPLE, TICKS, SLOW_TICKS, EVERY_THIRD };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [U] = REAL(INPUT, u),
    [SLOW_INTERVAL] = REAL(PARAMETER, slow_interval),
    [FAST_CLOCK] = VARIABLE(CLOCK, DISCRETE_INPUT, clock),
    [SLOW_CLOCK] = VARIABLE(CLOCK, DISCRETE_INPUT, slow_clock),
    [SAMPLE] = REAL(OUTPUT, sample),
    [TICKS] = VARIABLE(INT32, OUTPUT, ticks),
    [SLOW_TICKS] = VARIABLE(INT32, OUTPUT, slow_ticks),
    [EVERY_THIRD] = VARIABLE(CLOCK, OUTPUT, every_third),
};

static void start(Model *m) { m->slow_interval = 0.25; }

// Counts from what the last event left, so that asking twice gives the same.
static void compute(Model *m) {
    m->ticks = m->ticks_before + m->clock;
    m->slow_ticks = m->slow_before + m->slow_clock;
    m->every_third = m->clock && m->ticks % 3 == 0;
    if (m->clock) m->sample = m->u;
}

static void event(Model *m, Event *event) {
    (void)event;
    m->ticks_before = m->ticks;
    m->slow_before = m->slow_ticks;
}

static Interval interval(Model *m, unsigned clock, double *seconds) {
    if (clock == EVERY_THIRD) return NOT_YET_KNOWN;
    *seconds = clock == SLOW_CLOCK ? m->slow_interval : 0.1;
    return CHANGED;
}

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "ticker",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .event = event,
    .interval = interval,
    .offers_exchange = true,
    .saves_state = true,
};
