/* The first mass of the two-mass problem, in a process of its own. */
#include "cardan.h"

enum { FORCE };
enum { POSITION, VELOCITY };
enum { MASS, STIFFNESS, DAMPING, START };

static double state[2]; /* position and velocity; Cardan saves and restores it */

static double acceleration(const cardan *c, double t, double x, double v) {
    double force = cardan_input(c, FORCE, t) - cardan_parameter(c, STIFFNESS) * x - cardan_parameter(c, DAMPING) * v;
    return force / cardan_parameter(c, MASS);
}

static int initialize(cardan *c, double start, double stop) {
    (void)start, (void)stop;
    state[0] = cardan_parameter(c, START);
    state[1] = 0.0;
    return CARDAN_DONE;
}

/* The classical Runge-Kutta method; the force is read wherever the method wants it. */
static int step(cardan *c, double from, double to) {
    enum { PIECES = 4 };
    double h = (to - from) / PIECES, x = state[0], v = state[1];
    for (int k = 0; k < PIECES; k++) {
        double t = from + k * h;
        double x1 = v, v1 = acceleration(c, t, x, v);
        double x2 = v + h / 2 * v1, v2 = acceleration(c, t + h / 2, x + h / 2 * x1, v + h / 2 * v1);
        double x3 = v + h / 2 * v2, v3 = acceleration(c, t + h / 2, x + h / 2 * x2, v + h / 2 * v2);
        double x4 = v + h * v3, v4 = acceleration(c, t + h, x + h * x3, v + h * v3);
        x += h / 6 * (x1 + 2 * x2 + 2 * x3 + x4);
        v += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    }
    state[0] = x;
    state[1] = v;
    return CARDAN_DONE;
}

static int publish(cardan *c, double at) {
    (void)at;
    cardan_set(c, POSITION, state[0]);
    cardan_set(c, VELOCITY, state[1]);
    return CARDAN_DONE;
}

int main(void) {
    static const cardan_value inputs[] = {{"force", "N", 0.0, 0}};
    static const cardan_value outputs[] = {{"position", "m", 0.0, 0}, {"velocity", "m/s", 0.0, 0}};
    static const cardan_value parameters[] = {
        {"mass", "kg", 1.0, 1}, {"stiffness", "N/m", 1.0, 1}, {"damping", "N.s/m", 0.0, 1}, {"position", "m", 0.0, 0}};
    static const cardan_model model = {
        .name = "mass",
        .inputs = inputs, .input_count = 1,
        .outputs = outputs, .output_count = 2,
        .parameters = parameters, .parameter_count = 4,
        .state = state, .state_size = sizeof state,
        .initialize = initialize, .step = step, .publish = publish,
    };
    return cardan_run(&model);
}
