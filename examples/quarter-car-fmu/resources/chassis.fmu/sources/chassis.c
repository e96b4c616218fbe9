// A quarter of a chassis on its suspension, driven by the velocity of the wheel. FMI 3.
#include "fmi3Functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, WHEEL_VELOCITY, FORCE, POSITION, VELOCITY, DEFLECTION, MASS, STIFFNESS, DAMPING, COUNT };

static const double start[COUNT] = {[MASS] = 400, [STIFFNESS] = 15e3, [DAMPING] = 1e3};

// The shock absorber answers at once to the velocity of the wheel, whichever it is when the force is asked for.
static void compute(double *v) {
    v[FORCE] = v[STIFFNESS] * v[DEFLECTION] + v[DAMPING] * (v[WHEEL_VELOCITY] - v[VELOCITY]);
}

// While the wheel keeps its velocity, the compression s and its rate r swing freely: s' = r, m r' = -k s - d r.
// The series of the exact solution; for steps below half a second thirty terms leave nothing but rounding.
static void advance(double *v, double h) {
    double k = v[STIFFNESS] / v[MASS], d = v[DAMPING] / v[MASS];
    double s = v[DEFLECTION], r = v[WHEEL_VELOCITY] - v[VELOCITY];
    double term_s = s, term_r = r;
    for (int n = 1; n <= 30; n++) {
        double next_s = term_r * h / n;
        term_r = -(k * term_s + d * term_r) * h / n;
        term_s = next_s;
        s += term_s;
        r += term_r;
    }
    // What the wheel rose and the suspension did not take, the chassis rose.
    v[POSITION] += v[WHEEL_VELOCITY] * h - (s - v[DEFLECTION]);
    v[VELOCITY] = v[WHEEL_VELOCITY] - r;
    v[DEFLECTION] = s;
}

// What follows is FMI 3 around it: the reference of a variable is its place among the values.

const char *fmi3GetVersion(void) { return "3.0"; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean events, fmi3Boolean may_return_early,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    if (strcmp(token, "cardan-example-chassis") != 0) return NULL;
    double *v = malloc(sizeof start);
    return v ? memcpy(v, start, sizeof start) : NULL;
}

void fmi3FreeInstance(fmi3Instance v) { free(v); }

fmi3Status fmi3Reset(fmi3Instance v) {
    memcpy(v, start, sizeof start);
    return fmi3OK;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance v, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance v, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 begin, fmi3Boolean has_end, fmi3Float64 end) {
    ((double *)v)[TIME] = begin;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance v) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance v) { return fmi3OK; }

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
    double *v = instance;
    compute(v);
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        values[i] = v[references[i]];
    }
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
    double *v = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        v[references[i]] = values[i];
    }
    return fmi3OK;
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_way_back,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    double *v = instance;
    *event = *terminate = *early = false;
    *reached = v[TIME] = time + step;
    advance(v, step);
    return fmi3OK;
}
