// A controller that looks at its input once in a period, from the start on, and holds its output in between. It announces
// when it looks next.
#include "model.h"

#include <math.h>

struct Model {
    double time, u, setpoint, gain, period, y;
    int32_t ticks;
};

enum { TIME, U, SETPOINT, GAIN, PERIOD, Y, TICKS };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time), [U] = REAL(INPUT, u),
    [SETPOINT] = REAL(PARAMETER, setpoint), [GAIN] = REAL(PARAMETER, gain),
    [PERIOD] = REAL(PARAMETER, period), [Y] = REAL(OUTPUT, y),
    [TICKS] = VARIABLE(INT32, OUTPUT, ticks),
};

static void start(Model *m) {
    m->gain = 1;
    m->period = 0.1;
}

static void look(Model *m) { m->y = m->gain * (m->setpoint - m->u); }

static Status initialize(Model *m) {
    if (!(m->period > 0)) return report(m, ERROR, "the period must be positive, but is %g", m->period);
    m->ticks = 0;
    look(m);
    return OK;
}

static double next_tick(const Model *m) { return m->ticks * m->period; }

static bool is_due(const Model *m, double time) { return next_tick(m) - time <= 1e-12 * (1 + fabs(time)); }

static void event(Model *m, Event *event) {
    if (is_due(m, m->time)) {
        look(m);
        while (is_due(m, m->time)) m->ticks++;
    }
    event->next_time_defined = true;
    event->next_time = next_tick(m);
}

static Status step(Model *m, Step *step) {
    double end = step->start + step->size;
    if (!is_due(m, end)) return OK;
    if (!step->may_return_early) return report(m, ERROR, "samples are taken in event mode only");
    step->event = true;
    step->reached = fmin(end, next_tick(m));
    return OK;
}

const ModelType model_type = {
    .name = "sampler",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .step = step,
    .offers_exchange = true,
    .event = event,
    .saves_state = true,
};
