// A driven oscillator, m x'' + d x' + k x = F(t), that can do everything optional. Within a step the force follows the
// derivatives the importer gave (FMI 2), or the importer itself is asked (FMI 3).
#include "model.h"
#include "rk4.h"

#include <math.h>

struct Model {
    double time, force, m, d, k, x0, v0, inner_step;
    double state[2], acceleration; // position and velocity
    double force_rate, force_curve, last_rate;
    double stage_force[3];
};

enum { TIME, FORCE, MASS, DAMPING, STIFFNESS, X0, V0, INNER_STEP, POSITION, VELOCITY, ACCELERATION };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [FORCE] = REAL(INPUT, force),
    [MASS] = REAL(PARAMETER, m),
    [DAMPING] = REAL(PARAMETER, d),
    [STIFFNESS] = REAL(PARAMETER, k),
    [X0] = REAL(PARAMETER, x0),
    [V0] = REAL(PARAMETER, v0),
    [INNER_STEP] = REAL(PARAMETER, inner_step),
    [POSITION] = REAL(OUTPUT, state[0]),
    [VELOCITY] = REAL(OUTPUT, state[1]),
    [ACCELERATION] = REAL(OUTPUT, acceleration),
};

static void start(Model *m) {
    m->m = m->k = 1;
    m->inner_step = 1e-3;
}

static Status initialize(Model *m) {
    if (!(m->m > 0)) return report(m, ERROR, "the mass m must be positive, but is %g", m->m);
    if (!(m->inner_step > 0)) return report(m, ERROR, "inner_step must be positive, but is %g", m->inner_step);
    m->state[0] = m->x0;
    m->state[1] = m->v0;
    return OK;
}

static double acceleration(const Model *m, double force, const double *state) {
    return (force - m->d * state[1] - m->k * state[0]) / m->m;
}

static void compute(Model *m) { m->acceleration = acceleration(m, m->force, m->state); }

static void slopes(Model *m, int stage, const double *state, double *slope) {
    slope[0] = state[1];
    slope[1] = acceleration(m, m->stage_force[stage], state);
}

static double force_at(Model *m, double begin, double time) {
    ask_inputs(m, time);
    double since = time - begin;
    return m->force + since * (m->force_rate + since / 2 * m->force_curve);
}

// From the end of a step on the force has the value it came to; its derivatives were for this step alone.
static void settle_force(Model *m, double duration) {
    m->force += duration * (m->force_rate + duration / 2 * m->force_curve);
    m->last_rate = m->force_rate + duration * m->force_curve;
    m->force_rate = m->force_curve = 0;
}

static Status step(Model *m, Step *step) {
    int count = (int)ceil(step->size / m->inner_step - 1e-9);
    double size = count ? step->size / count : 0;
    for (int i = 0; i < count; i++) {
        double now = step->start + i * size;
        for (int s = 0; s < 3; s++) m->stage_force[s] = force_at(m, step->start, now + s * size / 2);
        rk4(m, size, 2, m->state, slopes);
        if (reached(m, now + size) && i + 1 < count) {
            step->reached = now + size;
            break;
        }
    }
    settle_force(m, step->reached - step->start);
    return OK;
}

static Status input_derivative(Model *m, unsigned reference, int order, double value) {
    if (reference != FORCE) return report(m, ERROR, "variable %u is no continuous input", reference);
    if (order < 1 || order > 2) return report(m, ERROR, "derivatives of inputs are taken up to order 2, not %d", order);
    *(order == 1 ? &m->force_rate : &m->force_curve) = value;
    return OK;
}

static Status output_derivative(const Model *m, unsigned reference, int order, double *value) {
    if (order != 1) return report(m, ERROR, "derivatives of outputs are known to order 1, not %d", order);
    switch (reference) {
    case POSITION: *value = m->state[1]; return OK;
    case VELOCITY: *value = m->acceleration; return OK;
    case ACCELERATION: *value = (m->last_rate - m->d * m->acceleration - m->k * m->state[1]) / m->m; return OK;
    }
    return report(m, ERROR, "variable %u is no output", reference);
}

// The velocity is a state, and the derivative of the position as well: either way it equals the state.
static double partial(const Model *m, unsigned unknown, unsigned known) {
    if (unknown != ACCELERATION) return unknown == known;
    switch (known) {
    case FORCE: return 1 / m->m;
    case POSITION: return -m->k / m->m;
    case VELOCITY: return -m->d / m->m;
    }
    return 0;
}

const ModelType model_type = {
    .name = "driven-mass",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){POSITION, VELOCITY},
    .derivatives = (const unsigned[]){VELOCITY, ACCELERATION},
    .state_count = 2,
    .partial = partial,
    .input_derivative = input_derivative,
    .output_derivative = output_derivative,
    .saves_state = true,
};
