// A heater with its thermostat: it asks for power in proportion to what is missing, and gives it after a lag. FMI 2.
#include "fmi2Functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPERATURE, POWER, SETPOINT, GAIN, LAG, COUNT }; // degC, kW, degC, kW/K, s

static const double start[COUNT] = {[TEMPERATURE] = 15, [SETPOINT] = 20, [GAIN] = 1, [LAG] = 60};

// While the temperature stays as it is, the power goes to what is asked for as an exponential.
static void advance(double *v, double h) {
    double asked = v[GAIN] * (v[SETPOINT] - v[TEMPERATURE]);
    v[POWER] = asked + (v[POWER] - asked) * exp(-h / v[LAG]);
}

// What follows is FMI 2 around it: the reference of a variable is its place among the values.

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging) {
    if (type != fmi2CoSimulation || strcmp(guid, "cardan-example-heater") != 0) return NULL;
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
