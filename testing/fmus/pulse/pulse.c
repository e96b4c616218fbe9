// A value that is there for a short while: from one instant to another, once or in every period. In Model Exchange, and with an importer that handles
// events, it announces both; any other sees what it is at the end of a step.
#include "model.h"

#include <math.h>

struct Model {
    double time, begin, width, height, y, period;
    int32_t edges;
};

enum { TIME, BEGIN, WIDTH, HEIGHT, Y, EDGES, PERIOD };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time), [BEGIN] = REAL(PARAMETER, begin), [WIDTH] = REAL(PARAMETER, width),
    [HEIGHT] = REAL(PARAMETER, height), [Y] = REAL(OUTPUT, y), [EDGES] = VARIABLE(INT32, OUTPUT, edges),
    [PERIOD] = REAL(PARAMETER, period),
};

static void start(Model *m) {
    m->begin = 0.1;
    m->width = 0.012;
    m->height = 50;
}

static Status initialize(Model *m) {
    if (!(m->width > 0)) return report(m, ERROR, "the width must be positive, but is %g", m->width);
    m->edges = 0;
    return OK;
}

// When the next edge is; never after the second one, unless there is a period.
static double next_edge(const Model *m) {
    if (m->edges >= 2 && !(m->period > 0)) return HUGE_VAL;
    return m->begin + m->edges / 2 * m->period + m->edges % 2 * m->width;
}

static void compute(Model *m) { m->y = m->edges % 2 == 1 ? m->height : 0; }

// Time comes from afar: what it lost on the way does not make it early.
static bool is_due(const Model *m, double time) { return next_edge(m) - time <= 1e-12 * (1 + fabs(time)); }

static void event(Model *m, Event *event) {
    while (is_due(m, m->time)) m->edges++;
    event->next_time_defined = m->edges < 2 || m->period > 0;
    event->next_time = next_edge(m);
}

static Status step(Model *m, Step *step) {
    double end = step->start + step->size;
    if (step->may_return_early && is_due(m, end)) {
        step->event = true;
        step->reached = fmin(end, next_edge(m));
        return OK;
    }
    while (is_due(m, end)) m->edges++;
    return OK;
}

const ModelType model_type = {
    .name = "pulse",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .event = event,
    .saves_state = true,
};
