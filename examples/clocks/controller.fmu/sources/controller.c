// A PI controller as a computer has one: it computes when it is called, and not in between. FMI 3, event mode.
#include "fmi3Functions.h"

#include <stdlib.h>
#include <string.h>

enum { TIME, SAMPLE, VOLTAGE, INTEGRAL, SETPOINT, KP, KI, COUNT, CLOCK = COUNT };

typedef struct {
    double v[COUNT];
    bool ticking;
} Controller;

static const Controller fresh = {.v = {[SETPOINT] = 100, [KP] = 0.1, [KI] = 0.04}};

static double missing(const Controller *controller) { return controller->v[SETPOINT] - controller->v[SAMPLE]; }

static void compute(Controller *controller) {
    double *v = controller->v;
    if (controller->ticking) v[VOLTAGE] = v[KP] * missing(controller) + v[INTEGRAL];
}

static void finish(Controller *controller) {
    double *v = controller->v;
    compute(controller);
    if (controller->ticking) v[INTEGRAL] += v[KI] * missing(controller);
    controller->ticking = false;
}

// What follows is FMI 3 around it: the reference of a variable is its place among the values.

const char *fmi3GetVersion(void) { return "3.0"; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean events, fmi3Boolean may_return_early,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    if (strcmp(token, "cardan-example-controller") != 0) return NULL;
    Controller *controller = malloc(sizeof fresh);
    return controller ? memcpy(controller, &fresh, sizeof fresh) : NULL;
}

void fmi3FreeInstance(fmi3Instance controller) { free(controller); }

fmi3Status fmi3Reset(fmi3Instance controller) {
    memcpy(controller, &fresh, sizeof fresh);
    return fmi3OK;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance controller, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance controller, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 begin, fmi3Boolean has_end, fmi3Float64 end) {
    ((Controller *)controller)->v[TIME] = begin;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance controller) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance controller) { return fmi3OK; }
fmi3Status fmi3EnterEventMode(fmi3Instance controller) { return fmi3OK; }
fmi3Status fmi3EnterStepMode(fmi3Instance controller) { return fmi3OK; }

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
    Controller *controller = instance;
    compute(controller);
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        values[i] = controller->v[references[i]];
    }
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
    Controller *controller = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        controller->v[references[i]] = values[i];
    }
    return fmi3OK;
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        const fmi3Clock values[]) {
    Controller *controller = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != CLOCK) return fmi3Error;
        controller->ticking = values[i];
    }
    return fmi3OK;
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n, fmi3Clock values[]) {
    Controller *controller = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != CLOCK) return fmi3Error;
        values[i] = controller->ticking;
    }
    return fmi3OK;
}

// The event is over: what was computed in it stays, and no clock ticks any more.
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *states_changed,
                                    fmi3Boolean *next_event_known, fmi3Float64 *next_event) {
    *again = *terminate = *nominals_changed = *states_changed = *next_event_known = false;
    finish(instance);
    return fmi3OK;
}

// Nothing happens between two ticks.
fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 time, fmi3Float64 step, fmi3Boolean no_way_back,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early, fmi3Float64 *reached) {
    Controller *controller = instance;
    *event = *terminate = *early = false;
    *reached = controller->v[TIME] = time + step;
    return fmi3OK;
}
