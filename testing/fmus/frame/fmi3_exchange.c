// FMI 3: event mode, and model exchange.
#include "fmi3.h"
#include "frame.h"

static bool fits(Instance *instance, int phases, size_t count, size_t expected, const char *function) {
    if (!allowed(instance, phases, function)) return false;
    if (count == expected) return true;
    report(model_of(instance), ERROR, "%s: %zu values where there are %zu", function, count, expected);
    return false;
}

EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, CONTINUOUS | STEP, __func__)) return fmi3Error;
    if (!instance->uses_events && !refuse_missing(instance, __func__)) return fmi3Error;
    instance->phase = EVENT;
    instance->stale = true;
    return fmi3OK;
}

EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance handle) {
    return allowed(handle, INITIALIZATION | EVENT, __func__) ? fmi3OK : fmi3Error;
}

// All clocks stop ticking when the discrete states are taken over.
static void silence_clocks(Instance *instance) {
    for (unsigned i = 0; i < model_type.variable_count; i++) {
        const Variable *variable = &model_type.variables[i];
        if (variable->type == CLOCK) *(bool *)(instance->model + variable->offset) = false;
    }
}

EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance handle, bool *again, bool *terminate, bool *nominals_changed,
                                           bool *values_changed, bool *next_time_defined, double *next_time) {
    Instance *instance = handle;
    if (!allowed(instance, EVENT, __func__)) return fmi3Error;
    Event event = {0};
    refresh(instance);
    if (model_type.event) model_type.event(model_of(instance), &event);
    silence_clocks(instance);
    instance->stale = true;
    *again = *nominals_changed = false;
    *terminate = event.terminate;
    *values_changed = event.states_changed;
    *next_time_defined = event.next_time_defined;
    *next_time = event.next_time;
    return fmi3OK;
}

EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, EVENT, __func__)) return fmi3Error;
    if (!instance->model_exchange && !refuse_missing(instance, __func__)) return fmi3Error;
    instance->phase = CONTINUOUS;
    return fmi3OK;
}

EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance handle, bool no_way_back, bool *enter_event_mode,
                                              bool *terminate) {
    (void)no_way_back;
    if (!allowed(handle, CONTINUOUS, __func__)) return fmi3Error;
    *enter_event_mode = *terminate = false;
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetTime(fmi3Instance handle, double time) {
    Instance *instance = handle;
    if (!allowed(instance, EVENT | CONTINUOUS, __func__)) return fmi3Error;
    *time_of(instance) = time;
    instance->stale = true;
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance handle, const double values[], size_t count) {
    Instance *instance = handle;
    if (!fits(instance, CONTINUOUS, count, state_count(instance), __func__)) return fmi3Error;
    copy_in(instance, model_type.states, values);
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance handle, double values[], size_t count) {
    Instance *instance = handle;
    if (!fits(instance, READABLE, count, state_count(instance), __func__)) return fmi3Error;
    copy_out(instance, model_type.states, values);
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance handle, double values[], size_t count) {
    Instance *instance = handle;
    if (!fits(instance, READABLE, count, state_count(instance), __func__)) return fmi3Error;
    copy_out(instance, model_type.derivatives, values);
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance handle, double values[], size_t count) {
    Instance *instance = handle;
    if (!fits(instance, READABLE, count, model_type.indicator_count, __func__)) return fmi3Error;
    refresh(instance);
    if (count) model_type.indicators(model_of(instance), values);
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance handle, double values[], size_t count) {
    Instance *instance = handle;
    if (!fits(instance, READABLE, count, state_count(instance), __func__)) return fmi3Error;
    for (size_t i = 0; i < count; i++) values[i] = 1;
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance handle, size_t *count) {
    *count = state_count(handle);
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance handle, size_t *count) {
    (void)handle;
    *count = model_type.indicator_count;
    return fmi3OK;
}
