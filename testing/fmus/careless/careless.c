// Careless with the outside: prints to standard output, calculates with numbers that others cannot hold, and offers
// derivatives that it does not have.
#include "model.h"

#include <stdio.h>

struct Model {
    double time, u, y;
#if FMI_VERSION == 3
    double large_at; // negative: never
    uint64_t large;
#endif
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time),
    REAL(INPUT, u),
    REAL(OUTPUT, y),
#if FMI_VERSION == 3
    REAL(PARAMETER, large_at),
    VARIABLE(UINT64, OUTPUT, large),
#endif
};

static void start(Model *m) {
    m->u = 1;
#if FMI_VERSION == 3
    m->large_at = -1;
#endif
}

static void compute(Model *m) {
#if FMI_VERSION == 3
    m->large = m->large_at >= 0 && m->time >= m->large_at ? UINT64_MAX : INT64_MAX;
#else
    (void)m;
#endif
}

static Status step(Model *m, Step *step) {
    // Without a new line at the end it stays in the buffer until the process ends.
    printf("{ on standard output at %g", step->start);
    m->y += step->size * m->u;
    return OK;
}

static Status input_derivative(Model *m, unsigned reference, int order, double value) {
    (void)reference, (void)value;
    return report(m, ERROR, "there is no derivative of order %d", order);
}

static Status output_derivative(const Model *m, unsigned reference, int order, double *value) {
    (void)reference, (void)value;
    return report(m, ERROR, "there is no derivative of order %d", order);
}

const ModelType model_type = {
    .name = "careless",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .input_derivative = input_derivative,
    .output_derivative = output_derivative,
    .saves_state = true,
};
