// A wheel on its tyre, between the road and the suspension. FMI 2.
#include "fmi2Functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORCE, ROAD, VELOCITY, POSITION, MASS, TYRE_STIFFNESS, COUNT };

static const double start[COUNT] = {[MASS] = 40, [TYRE_STIFFNESS] = 150e3};

// While force and road stay as they are, the wheel swings about its rest. That has an exact solution.
static void advance(double *v, double h) {
    double omega = sqrt(v[TYRE_STIFFNESS] / v[MASS]);
    double rest = v[ROAD] - v[FORCE] / v[TYRE_STIFFNESS];
    double distance = v[POSITION] - rest, velocity = v[VELOCITY];
    double c = cos(omega * h), s = sin(omega * h);
    v[POSITION] = rest + distance * c + velocity / omega * s;
    v[VELOCITY] = velocity * c - distance * omega * s;
}

// What follows is FMI 2 around it: the reference of a variable is its place among the values.

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    if (type != fmi2CoSimulation || strcmp(guid, "cardan-example-wheel") != 0) return NULL;
    double *v = malloc(sizeof start);
    return v ? memcpy(v, start, sizeof start) : NULL;
}

void fmi2FreeInstance(fmi2Component v) { free(v); }

fmi2Status fmi2Reset(fmi2Component v) {
    memcpy(v, start, sizeof start);
    return fmi2OK;
}

fmi2Status fmi2SetDebugLogging(fmi2Component v, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component v, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real begin,
                               fmi2Boolean has_end, fmi2Real end) {
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component v) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component v) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component v) { return fmi2OK; }

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[], size_t n, fmi2Real values[]) {
    const double *v = c;
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi2Error;
        values[i] = v[references[i]];
    }
    return fmi2OK;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[], size_t n, const fmi2Real values[]) {
    double *v = c;
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi2Error;
        v[references[i]] = values[i];
    }
    return fmi2OK;
}

fmi2Status fmi2DoStep(fmi2Component v, fmi2Real time, fmi2Real step, fmi2Boolean no_way_back) {
    advance(v, step);
    return fmi2OK;
}
