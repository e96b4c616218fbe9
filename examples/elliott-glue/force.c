/* The forcing code: F0 sin(2 pi f t), less the force of a damper on whatever velocity it is told. */
#include "cardan.h"
#include <math.h>

enum { VELOCITY };
enum { Y };
enum { AMPLITUDE, FREQUENCY, DAMPING };

static int publish(cardan *c, double at) {
    double rate = 6.283185307179586 * cardan_parameter(c, FREQUENCY);
    double force = cardan_parameter(c, AMPLITUDE) * sin(rate * at);
    cardan_set(c, Y, force - cardan_parameter(c, DAMPING) * cardan_input(c, VELOCITY, at));
    return CARDAN_DONE;
}

int main(void) {
    static const cardan_value inputs[] = {{"velocity", NULL, 0.0, 0}};
    static const cardan_value outputs[] = {{"y", NULL, 0.0, 1}};
    static const cardan_value parameters[] = {
        {"amplitude", NULL, 1.0, 1}, {"frequency", "Hz", 1.0, 1}, {"damping", NULL, 0.0, 1}};
    static const cardan_model model = {
        .name = "force",
        .inputs = inputs, .input_count = 1,
        .outputs = outputs, .output_count = 1,
        .parameters = parameters, .parameter_count = 3,
        .publish = publish,
    };
    return cardan_run(&model);
}
