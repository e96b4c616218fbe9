/* A participant with eight inputs and eight outputs that does next to nothing. */
#include "cardan.h"

static double sums[8];

static int step(cardan *c, double from, double to) {
    (void)from;
    for (int i = 0; i < 8; i++) sums[i] += cardan_input(c, i, to);
    return CARDAN_DONE;
}

static int publish(cardan *c, double at) {
    (void)at;
    for (int i = 0; i < 8; i++) cardan_set(c, i, sums[i]);
    return CARDAN_DONE;
}

int main(void) {
    static const cardan_value in[] = {{"u1", 0, 0, 0}, {"u2", 0, 0, 0}, {"u3", 0, 0, 0}, {"u4", 0, 0, 0},
                                      {"u5", 0, 0, 0}, {"u6", 0, 0, 0}, {"u7", 0, 0, 0}, {"u8", 0, 0, 0}};
    static const cardan_value out[] = {{"y1", 0, 0, 0}, {"y2", 0, 0, 0}, {"y3", 0, 0, 0}, {"y4", 0, 0, 0},
                                       {"y5", 0, 0, 0}, {"y6", 0, 0, 0}, {"y7", 0, 0, 0}, {"y8", 0, 0, 0}};
    static const cardan_model model = {.name = "eight", .inputs = in, .input_count = 8, .outputs = out,
                                       .output_count = 8, .step = step, .publish = publish};
    return cardan_run(&model);
}
