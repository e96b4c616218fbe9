/* A free mass of 1.5 kg between two lines, semi-implicit Euler; the sides take turns in being asked first. */
#include "cardan_tlm.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cardan_tlm *line;
static int checked(int code) {
    if (code < 0) {
        fprintf(stderr, "%s\n", cardan_tlm_error(line));
        exit(1);
    }
    return code;
}

int main(int count, char **words) {
    double end = count > 5 ? strtod(words[3], NULL) : 0.0, longest = count > 5 ? strtod(words[4], NULL) : 1.0, x = 0.0, v = 0.0;
    int ids[2];
    line = cardan_tlm_new();
    checked(cardan_tlm_connect(line, words[1], 0.0, end, longest, words[5]));
    ids[0] = checked(cardan_tlm_register_interface(line, "left", 1, "bidirectional", "mechanical"));
    ids[1] = checked(cardan_tlm_register_interface(line, "right", 1, "bidirectional", "mechanical"));
    long steps = lround(ceil(end / longest - 1e-6));
    double h = end / (double)steps;
    for (long i = 0; i < steps; i++) {
        double forces[2];
        for (int k = 0; k < 2; k++) {
            int side = (int)((i + k) % 2);
            checked(cardan_tlm_get_force1d(line, ids[side], (double)i * h, v, &forces[side]));
        }
        v += h * (forces[0] + forces[1]) / 1.5, x += h * v;
        for (int k = 0; k < 2; k++) checked(cardan_tlm_set_motion1d(line, ids[(i + k + 1) % 2], (double)(i + 1) * h, x, v));
    }
    checked(cardan_tlm_await_close_permission(line));
    printf("%s %.17g %.17g %ld\n", words[1], x, v, cardan_tlm_extrapolations(line));
    cardan_tlm_free(line);
    return 0;
}
