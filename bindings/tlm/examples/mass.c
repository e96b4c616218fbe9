/* A mass on a spring, with a line at its other side: a complete component of a TLM co-simulation.
 *
 *   cc -std=c99 -O2 -I../c mass.c ../c/cardan_tlm*.c -lm -o mass
 *
 * The manager starts it as any tool: mass NAME START END MAXSTEP HOST:PORT MODELFILE. It prints its last position and speed. */
#include "cardan_tlm.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static cardan_tlm *line;
static int id;
static double m, k; /* kg, N/m */

static double acceleration(double t, double x, double v) {
    double force;
    if (cardan_tlm_get_force1d(line, id, t, v, &force) != CARDAN_TLM_OK) {
        fprintf(stderr, "mass: %s\n", cardan_tlm_error(line));
        exit(1);
    }
    return (force - k * x) / m;
}

static double parameter(const char *name, const char *usual) {
    const char *value = usual;
    cardan_tlm_parameter(line, cardan_tlm_register_parameter(line, name, usual), NULL, &value);
    return strtod(value, NULL);
}

int main(int count, char **words) {
    if (count < 6) return fprintf(stderr, "usage: %s name start end maxstep host:port [modelfile]\n", words[0]), 2;
    double start = strtod(words[2], NULL), end = strtod(words[3], NULL), longest = strtod(words[4], NULL), x, v = 0.0;
    int code;
    line = cardan_tlm_new();
    if (!line || cardan_tlm_connect(line, words[1], start, end, longest, words[5]) != CARDAN_TLM_OK
        || (id = cardan_tlm_register_interface(line, "tlm", 1, "bidirectional", "mechanical")) < CARDAN_TLM_UNCONNECTED)
        return fprintf(stderr, "mass: %s\n", cardan_tlm_error(line)), 1;
    m = parameter("m", "1"), k = parameter("k", "1000"), x = parameter("x0", "0.01");

    long steps = lround(ceil((end - start) / longest - 1e-6));
    double h = (end - start) / (double)steps;
    for (long i = 0; i < steps; i++) { /* the method of Runge and Kutta */
        double t = start + (double)i * h;
        double a1 = acceleration(t, x, v), v2 = v + h / 2 * a1;
        double a2 = acceleration(t + h / 2, x + h / 2 * v, v2), v3 = v + h / 2 * a2;
        double a3 = acceleration(t + h / 2, x + h / 2 * v2, v3), v4 = v + h * a3;
        double a4 = acceleration(t + h, x + h * v3, v4);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4), v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        code = cardan_tlm_set_motion1d(line, id, start + (double)(i + 1) * h, x, v);
        if (code == CARDAN_TLM_DONE) break; /* the manager only wanted to know where the interface is */
        if (code != CARDAN_TLM_OK) return fprintf(stderr, "mass: %s\n", cardan_tlm_error(line)), 1;
    }
    code = cardan_tlm_await_close_permission(line);
    if (code != CARDAN_TLM_OK) fprintf(stderr, "mass: %s\n", cardan_tlm_error(line));
    printf("%s %.17g %.17g\n", words[1], x, v);
    cardan_tlm_free(line);
    return code != CARDAN_TLM_OK;
}
