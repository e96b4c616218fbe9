// A block with dry friction on a belt: it goes with the belt until the force on it is too large, and slides until it is as
// fast as the belt. In Model Exchange both are state events; in Co-Simulation they are found inside of a step.
#include "model.h"

#include <math.h>

struct Model {
    double time, force, mass, sticking, sliding, belt, x0, v0, inner_step;
    double position, velocity, acceleration, indicator;
    double force_rate, force_curve;
    int32_t direction; // of sliding, against the belt; zero while it sticks
};

enum {
    TIME, FORCE, MASS, STICKING, SLIDING, BELT, X0, V0, INNER_STEP, POSITION, VELOCITY, ACCELERATION, DIRECTION, Z
};

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [FORCE] = REAL(INPUT, force),
    [MASS] = REAL(PARAMETER, mass),
    [STICKING] = REAL(PARAMETER, sticking),
    [SLIDING] = REAL(PARAMETER, sliding),
    [BELT] = REAL(PARAMETER, belt),
    [X0] = REAL(PARAMETER, x0),
    [V0] = REAL(PARAMETER, v0),
    [INNER_STEP] = REAL(PARAMETER, inner_step),
    [POSITION] = REAL(OUTPUT, position),
    [VELOCITY] = REAL(OUTPUT, velocity),
    [ACCELERATION] = REAL(OUTPUT, acceleration),
    [DIRECTION] = VARIABLE(INT32, OUTPUT, direction),
    [Z] = REAL(OUTPUT, indicator),
};

static void start(Model *m) {
    m->mass = 1;
    m->sticking = 15;
    m->sliding = 10;
    m->inner_step = 1e-4;
}

static int sign(double x) { return (x > 0) - (x < 0); }

static Status initialize(Model *m) {
    if (!(m->mass > 0)) return report(m, ERROR, "the mass must be positive, but is %g", m->mass);
    if (!(m->inner_step > 0)) return report(m, ERROR, "inner_step must be positive, but is %g", m->inner_step);
    if (!(m->sliding <= m->sticking)) return report(m, ERROR, "sliding must not take more than sticking");
    m->position = m->x0;
    m->velocity = m->v0;
    m->direction = sign(m->v0 - m->belt);
    return OK;
}

static void compute(Model *m) {
    m->acceleration = m->direction == 0 ? 0 : (m->force - m->direction * m->sliding) / m->mass;
    // Where sliding begins its velocity is zero: a little above, so that this is not taken for its end.
    double slide = m->direction * (m->velocity - m->belt) + 1e-9;
    m->indicator = m->direction == 0 ? m->sticking - fabs(m->force) : slide;
}

static void indicators(const Model *m, double *values) { values[0] = m->indicator; }

// It is as fast as the belt: what now?
static void meet(Model *m, double force) {
    m->velocity = m->belt;
    m->direction = fabs(force) < m->sticking ? 0 : sign(force);
}

static void event(Model *m, Event *event) {
    if (m->direction == 0) {
        if (fabs(m->force) >= m->sticking) m->direction = sign(m->force);
    } else if (m->direction * (m->velocity - m->belt) <= 0) {
        meet(m, m->force);
        event->states_changed = true;
    }
}

// When sliding ends, if the force changes steadily from `force` on: the velocity against the belt is a parabola.
static double until_rest(const Model *m, double force, double rate) {
    double c = m->velocity - m->belt, b = (force - m->direction * m->sliding) / m->mass, a = rate / (2 * m->mass);
    double found = HUGE_VAL;
    if (c == 0) {
        if (a != 0 && -b / a > 0) found = -b / a;
        return found;
    }
    double root = b * b - 4 * a * c;
    if (root < 0) return found;
    double q = -0.5 * (b + copysign(sqrt(root), b));
    double candidates[2] = {q != 0 ? c / q : -1, a != 0 ? q / a : -1};
    for (int k = 0; k < 2; k++) {
        if (candidates[k] > 0 && candidates[k] < found) found = candidates[k];
    }
    return found;
}

static double until_slip(const Model *m, double force, double rate) {
    if (fabs(force) >= m->sticking) return 0;
    if (rate == 0) return HUGE_VAL;
    return (copysign(m->sticking, rate) - force) / rate;
}

// Over a time in which the force changes steadily: sticking and sliding in turn, each exactly.
static void inner(Model *m, double force, double rate, double size) {
    for (int turns = 0; size > 0 && turns < 100; turns++) {
        bool sticks = m->direction == 0;
        double until = sticks ? until_slip(m, force, rate) : until_rest(m, force, rate);
        double part = fmin(until, size);
        double a = sticks ? 0 : (force - m->direction * m->sliding) / m->mass, jerk = sticks ? 0 : rate / m->mass;
        m->position += part * (m->velocity + part / 2 * (a + part / 3 * jerk));
        m->velocity += part * (a + part / 2 * jerk);
        force += part * rate;
        size -= part;
        if (until > part || (size == 0 && until == HUGE_VAL)) break;
        if (sticks) {
            m->direction = sign(force);
        } else {
            meet(m, force);
        }
    }
}

static double force_at(Model *m, double begin, double time) {
    ask_inputs(m, time);
    double since = time - begin;
    return m->force + since * (m->force_rate + since / 2 * m->force_curve);
}

static Status step(Model *m, Step *step) {
    int count = (int)ceil(step->size / m->inner_step - 1e-9);
    double size = count ? step->size / count : 0;
    double before = force_at(m, step->start, step->start);
    for (int i = 0; i < count; i++) {
        double after = force_at(m, step->start, step->start + (i + 1) * size);
        inner(m, before, (after - before) / size, size);
        before = after;
    }
    m->force += step->size * (m->force_rate + step->size / 2 * m->force_curve);
    m->force_rate = m->force_curve = 0;
    return OK;
}

static Status input_derivative(Model *m, unsigned reference, int order, double value) {
    if (reference != FORCE) return report(m, ERROR, "variable %u is no continuous input", reference);
    if (order < 1 || order > 2) return report(m, ERROR, "derivatives of inputs are taken up to order 2, not %d", order);
    *(order == 1 ? &m->force_rate : &m->force_curve) = value;
    return OK;
}

const ModelType model_type = {
    .name = "sliding-block",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){POSITION, VELOCITY},
    .derivatives = (const unsigned[]){VELOCITY, ACCELERATION},
    .state_count = 2,
    .indicator_count = 1,
    .indicators = indicators,
    .event = event,
    .input_derivative = input_derivative,
    .saves_state = true,
};
