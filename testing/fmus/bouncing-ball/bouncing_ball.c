// A ball falls, bounces with restitution e, and rests once it would leave the ground slower than v_min.
#include "model.h"

#include <float.h>
#include <math.h>

struct Model {
    double time, h, der_h, v, der_v, g, e, v_min, indicator;
    int32_t bounces;
    bool resting;
};

enum { TIME, H, DER_H, V, DER_V, G, E, V_MIN, INDICATOR, BOUNCES };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [H] = REAL(STARTED, h),
    [DER_H] = REAL(OUTPUT, der_h),
    [V] = REAL(STARTED, v),
    [DER_V] = REAL(OUTPUT, der_v),
    [G] = REAL(PARAMETER, g),
    [E] = REAL(PARAMETER, e),
    [V_MIN] = REAL(PARAMETER, v_min),
    [INDICATOR] = REAL(OUTPUT, indicator),
    [BOUNCES] = VARIABLE(INT32, OUTPUT, bounces),
};

static void start(Model *m) {
    m->h = 1;
    m->g = 9.81;
    m->e = 0.7;
    m->v_min = 0.1;
}

static void compute(Model *m) {
    m->der_h = m->resting ? 0 : m->v;
    m->der_v = m->resting ? 0 : -m->g;
    m->indicator = m->resting ? 1 : m->h;
}

static Status initialize(Model *m) {
    if (!(m->g > 0)) return report(m, ERROR, "g must be positive, but is %g", m->g);
    return OK;
}

static void indicators(const Model *m, double *values) { values[0] = m->indicator; }

static void bounce(Model *m) {
    m->v *= -m->e;
    m->bounces++;
    m->resting = m->v < m->v_min;
    if (m->resting) m->v = 0;
    // Above the ground by next to nothing: at zero the indicator would cross a second time when the ball leaves.
    m->h = m->resting ? 0 : DBL_MIN;
    report(m, OK, "bounce %d at %g", (int)m->bounces, m->time);
}

static void event(Model *m, Event *event) {
    if (m->resting || m->h > 0 || m->v >= 0) return;
    bounce(m);
    event->states_changed = true;
}

// Free flight is a parabola, so steps and the times of bounces are exact.
static void fly(Model *m, double duration) {
    m->h += duration * (m->v - m->g / 2 * duration);
    m->v -= m->g * duration;
    m->time += duration;
}

static Status step(Model *m, Step *step) {
    double end = step->start + step->size;
    m->time = step->start;
    while (!m->resting) {
        double until_ground = (m->v + sqrt(m->v * m->v + 2 * m->g * fmax(m->h, 0))) / m->g;
        if (m->time + until_ground > end) {
            fly(m, end - m->time);
            break;
        }
        fly(m, until_ground);
        m->h = 0;
        if (step->may_return_early) {
            step->event = true;
            step->reached = m->time;
            break;
        }
        bounce(m);
    }
    return OK;
}

const ModelType model_type = {
    .name = "bouncing-ball",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){H, V},
    .derivatives = (const unsigned[]){DER_H, DER_V},
    .state_count = 2,
    .indicator_count = 1,
    .indicators = indicators,
    .event = event,
    .saves_state = true,
};
