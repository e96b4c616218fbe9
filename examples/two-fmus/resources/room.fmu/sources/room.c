// A room that is heated, and loses heat to the outside. FMI 3.
#include "fmi3Functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, HEATING, TEMPERATURE, OUTSIDE, CAPACITY, LOSS, COUNT }; // s, W, K, K, J/K, W/K

static const double start[COUNT] = {
    [TEMPERATURE] = 288.15, [OUTSIDE] = 273.15, [CAPACITY] = 100e3, [LOSS] = 100};

// While the heating stays as it is, the room goes to its equilibrium as an exponential.
static void advance(double *v, double h) {
    double rest = v[OUTSIDE] + v[HEATING] / v[LOSS];
    v[TEMPERATURE] = rest + (v[TEMPERATURE] - rest) * exp(-h * v[LOSS] / v[CAPACITY]);
}

// What follows is FMI 3 around it: the reference of a variable is its place among the values.

const char *fmi3GetVersion(void) { return "3.0"; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean events, fmi3Boolean may_return_early,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    if (strcmp(token, "cardan-example-room") != 0) return NULL;
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
