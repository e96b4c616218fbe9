/* The forcing code: F0 sin(2 pi f t); with --damper less a damper's force at the velocity it is told. */
#include "cardan.h"
#include <math.h>
#include <string.h>

enum { VELOCITY };
enum { Y };
enum { AMPLITUDE, FREQUENCY, DAMPING };

static int damper;

static int publish(cardan *c, double at) {
    double rate = 6.283185307179586 * cardan_parameter(c, FREQUENCY);
    double force = cardan_parameter(c, AMPLITUDE) * sin(rate * at);
    if (damper) force -= cardan_parameter(c, DAMPING) * cardan_input(c, VELOCITY, at);
    cardan_set(c, Y, force);
    return CARDAN_DONE;
}

int main(int count, char **arguments) {
    damper = count > 1 && !strcmp(arguments[1], "--damper");
    static const cardan_value inputs[] = {{"velocity", NULL, 0.0, 0}};
    static const cardan_value outputs[] = {{"y", NULL, 0.0, 1}};
    static const cardan_value parameters[] = {
        {"amplitude", NULL, 1.0, 1}, {"frequency", "Hz", 1.0, 1}, {"damping", NULL, 19.32, 1}};
    const cardan_model model = {
        .name = "force",
        .inputs = inputs, .input_count = damper,
        .outputs = outputs, .output_count = 1,
        .parameters = parameters, .parameter_count = 3,
        .publish = publish, .foretold = !damper,
    };
    return cardan_run(&model);
}
