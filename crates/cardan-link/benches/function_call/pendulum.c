/* The right-hand side of a double pendulum: two points of 1 kg on rods of 1 m, angles from the vertical. As a library
 * (-DLIBRARY -shared) it is one function; else it is a participant whose outputs react at once to its inputs. */
#include <math.h>

void pendulum(const double state[4], double accelerations[2]) {
    const double g = 9.81, a = state[0], b = state[1], u = state[2], v = state[3];
    const double s = sin(a - b), c = cos(a - b), d = 3.0 - cos(2.0 * (a - b));
    accelerations[0] = (-3.0 * g * sin(a) - g * sin(a - 2.0 * b) - 2.0 * s * (v * v + u * u * c)) / d;
    accelerations[1] = 2.0 * s * (2.0 * u * u + 2.0 * g * cos(a) + v * v * c) / d;
}

#ifndef LIBRARY
#include "cardan.h"

static int step(cardan *c, double from, double to) {
    (void)c, (void)from, (void)to;
    return CARDAN_DONE;
}

static int publish(cardan *c, double at) {
    double state[4], accelerations[2];
    for (int i = 0; i < 4; i++) state[i] = cardan_input(c, i, at);
    pendulum(state, accelerations);
    for (int i = 0; i < 2; i++) cardan_set(c, i, accelerations[i]);
    return CARDAN_DONE;
}

int main(void) {
    static const cardan_value in[] = {{"a", "rad", 0, 0}, {"b", "rad", 0, 0}, {"u", "rad/s", 0, 0}, {"v", "rad/s", 0, 0}};
    static const cardan_value out[] = {{"u'", "rad/s2", 0, 1}, {"v'", "rad/s2", 0, 1}};
    static const cardan_model model = {.name = "pendulum", .inputs = in, .input_count = 4, .outputs = out,
                                       .output_count = 2, .step = step, .publish = publish};
    return cardan_run(&model);
}
#endif
