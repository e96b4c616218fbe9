// The plainest model, y = y(0) + integral of u: for FMUs whose oddness lies elsewhere. It breaks at a time `at` if
// BREAK is defined as what happens then.
#ifndef RAMP_H
#define RAMP_H

#include "model.h"

struct Model {
    double time, u, at, y;
};

static const Variable ramp_variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, u), REAL(PARAMETER, at), REAL(OUTPUT, y),
};

static void ramp_start(Model *m) {
    m->u = 1;
    m->at = 0.5;
}

static Status ramp_step(Model *m, Step *step) {
#ifdef BREAK
    if (step->reached > m->at) BREAK;
#endif
    m->y += step->size * m->u;
    return OK;
}

#define RAMP VARIABLES(ramp_variables), .start = ramp_start, .step = ramp_step

#endif
