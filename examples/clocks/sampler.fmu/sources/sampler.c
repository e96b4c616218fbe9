// Looks at its input when its clock ticks, and lets others know with a clock of its own. FMI 3, event mode.
#include "fmi3Functions.h"

#include <stdlib.h>
#include <string.h>

enum { TIME, INPUT, SAMPLE, PERIOD, COUNT, CLOCK = COUNT, TICK };

typedef struct {
    double v[COUNT];
    bool ticking;
} Sampler;

static const Sampler fresh = {.v = {[PERIOD] = 0.1}};

static void compute(Sampler *sampler) {
    if (sampler->ticking) sampler->v[SAMPLE] = sampler->v[INPUT];
}

static void finish(Sampler *sampler) {
    compute(sampler);
    sampler->ticking = false;
}

// What follows is FMI 3 around it: the reference of a variable is its place among the values.

const char *fmi3GetVersion(void) { return "3.0"; }

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                         fmi3Boolean logging, fmi3Boolean events, fmi3Boolean may_return_early,
                                         const fmi3ValueReference intermediate[], size_t n,
                                         fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                         fmi3IntermediateUpdateCallback update) {
    if (strcmp(token, "cardan-example-sampler") != 0) return NULL;
    Sampler *sampler = malloc(sizeof fresh);
    return sampler ? memcpy(sampler, &fresh, sizeof fresh) : NULL;
}

void fmi3FreeInstance(fmi3Instance sampler) { free(sampler); }

fmi3Status fmi3Reset(fmi3Instance sampler) {
    memcpy(sampler, &fresh, sizeof fresh);
    return fmi3OK;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance sampler, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance sampler, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 begin, fmi3Boolean has_end, fmi3Float64 end) {
    ((Sampler *)sampler)->v[TIME] = begin;
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance sampler) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance sampler) { return fmi3OK; }
fmi3Status fmi3EnterEventMode(fmi3Instance sampler) { return fmi3OK; }
fmi3Status fmi3EnterStepMode(fmi3Instance sampler) { return fmi3OK; }

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
    Sampler *sampler = instance;
    compute(sampler);
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        values[i] = sampler->v[references[i]];
    }
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
    Sampler *sampler = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        sampler->v[references[i]] = values[i];
    }
    return fmi3OK;
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                        const fmi3Clock values[]) {
    Sampler *sampler = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != CLOCK) return fmi3Error;
        sampler->ticking = values[i];
    }
    return fmi3OK;
}

// The clock that goes out ticks with the one that comes in.
fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference references[], size_t n, fmi3Clock values[]) {
    Sampler *sampler = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != CLOCK && references[i] != TICK) return fmi3Error;
        values[i] = sampler->ticking;
    }
    return fmi3OK;
}

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]) {
    Sampler *sampler = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != CLOCK) return fmi3Error;
        intervals[i] = sampler->v[PERIOD];
        qualifiers[i] = fmi3IntervalChanged;
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
    Sampler *sampler = instance;
    *event = *terminate = *early = false;
    *reached = sampler->v[TIME] = time + step;
    return fmi3OK;
}
