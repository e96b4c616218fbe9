// A ball that falls on a floor which moves, and which it presses. Steps of its own end where it touches and lets go; the
// floor follows the derivatives the importer gave (FMI 2), or the importer itself is asked (FMI 3).
#include "model.h"

#include <math.h>

struct Model {
    double time, floor, mass, stiffness, gravity, h0, v0, inner_step;
    double height, velocity, force;
    double floor_rate, floor_curve;
};

enum { TIME, FLOOR, MASS, STIFFNESS, GRAVITY, H0, V0, INNER_STEP, HEIGHT, VELOCITY, FORCE };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [FLOOR] = REAL(INPUT, floor),
    [MASS] = REAL(PARAMETER, mass),
    [STIFFNESS] = REAL(PARAMETER, stiffness),
    [GRAVITY] = REAL(PARAMETER, gravity),
    [H0] = REAL(PARAMETER, h0),
    [V0] = REAL(PARAMETER, v0),
    [INNER_STEP] = REAL(PARAMETER, inner_step),
    [HEIGHT] = REAL(OUTPUT, height),
    [VELOCITY] = REAL(OUTPUT, velocity),
    [FORCE] = REAL(OUTPUT, force),
};

static void start(Model *m) {
    m->mass = 1;
    m->stiffness = 1e4;
    m->gravity = 9.81;
    m->h0 = 0.1;
    m->inner_step = 1e-4;
}

static Status initialize(Model *m) {
    if (!(m->mass > 0)) return report(m, ERROR, "the mass must be positive, but is %g", m->mass);
    if (!(m->inner_step > 0)) return report(m, ERROR, "inner_step must be positive, but is %g", m->inner_step);
    m->height = m->h0;
    m->velocity = m->v0;
    return OK;
}

static void compute(Model *m) { m->force = m->stiffness * fmax(m->floor - m->height, 0); }

static double floor_at(Model *m, double begin, double time) {
    ask_inputs(m, time);
    double since = time - begin;
    return m->floor + since * (m->floor_rate + since / 2 * m->floor_curve);
}

typedef struct {
    double height, velocity;
} Ball;

// Runge and Kutta over a part of an inner step, with a parabola for the floor; in touch the law goes on outside.
static Ball go(const Model *m, Ball ball, const double floor[3], double from, double part, double whole, bool touching) {
    double h[5] = {ball.height}, v[5] = {ball.velocity}, a[4];
    static const double ahead[4] = {0, 0.5, 0.5, 1};
    for (int k = 0; k < 4; k++) {
        double x = (from + ahead[k] * part) / whole;
        double under = floor[0] + x * (4 * floor[1] - 3 * floor[0] - floor[2]) + 2 * x * x * (floor[0] - 2 * floor[1] + floor[2]);
        a[k] = (touching ? m->stiffness * (under - h[k]) / m->mass : 0) - m->gravity;
        double next = k < 2 ? 0.5 : 1;
        h[k + 1] = ball.height + next * part * v[k];
        v[k + 1] = ball.velocity + next * part * a[k];
    }
    return (Ball){
        .height = ball.height + part / 6 * (v[0] + 2 * v[1] + 2 * v[2] + v[3]),
        .velocity = ball.velocity + part / 6 * (a[0] + 2 * a[1] + 2 * a[2] + a[3]),
    };
}

static double gap(Ball ball, const double floor[3], double at, double whole) {
    double x = at / whole;
    double under = floor[0] + x * (4 * floor[1] - 3 * floor[0] - floor[2]) + 2 * x * x * (floor[0] - 2 * floor[1] + floor[2]);
    return ball.height - under;
}

static void inner(Model *m, const double floor[3], double size) {
    Ball ball = {m->height, m->velocity};
    double from = 0;
    double apart = gap(ball, floor, 0, size);
    bool touching = apart < 0 || (apart == 0 && ball.velocity < 0);
    while (from < size) {
        Ball end = go(m, ball, floor, from, size - from, size, touching);
        if ((gap(end, floor, size, size) < 0) == touching) {
            ball = end;
            break;
        }
        double before = 0, after = size - from;
        for (int k = 0; k < 60; k++) {
            double middle = (before + after) / 2;
            Ball there = go(m, ball, floor, from, middle, size, touching);
            *((gap(there, floor, from + middle, size) < 0) == touching ? &before : &after) = middle;
        }
        ball = go(m, ball, floor, from, after, size, touching);
        from += after;
        touching = !touching;
    }
    m->height = ball.height;
    m->velocity = ball.velocity;
}

static Status step(Model *m, Step *step) {
    int count = (int)ceil(step->size / m->inner_step - 1e-9);
    double size = count ? step->size / count : 0;
    for (int i = 0; i < count; i++) {
        double now = step->start + i * size;
        double floor[3];
        for (int k = 0; k < 3; k++) floor[k] = floor_at(m, step->start, now + k * size / 2);
        inner(m, floor, size);
    }
    m->floor += step->size * (m->floor_rate + step->size / 2 * m->floor_curve);
    m->floor_rate = m->floor_curve = 0;
    return OK;
}

static Status input_derivative(Model *m, unsigned reference, int order, double value) {
    if (reference != FLOOR) return report(m, ERROR, "variable %u is no continuous input", reference);
    if (order < 1 || order > 2) return report(m, ERROR, "derivatives of inputs are taken up to order 2, not %d", order);
    *(order == 1 ? &m->floor_rate : &m->floor_curve) = value;
    return OK;
}

const ModelType model_type = {
    .name = "dropped-ball",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .input_derivative = input_derivative,
    .saves_state = true,
};
