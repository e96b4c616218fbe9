// FMI 2: model exchange.
#include "fmi2.h"
#include "frame.h"

static bool fits(Instance *instance, int phases, size_t count, size_t expected, const char *function) {
    if (!allowed(instance, phases, function)) return false;
    if (count == expected) return true;
    report(model_of(instance), ERROR, "%s: %zu values where there are %zu", function, count, expected);
    return false;
}

EXPORT fmi2Status fmi2EnterEventMode(fmi2Component component) {
    Instance *instance = component;
    if (!allowed(instance, CONTINUOUS, __func__)) return fmi2Error;
    instance->phase = EVENT;
    return fmi2OK;
}

EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component component, fmi2EventInfo *info) {
    Instance *instance = component;
    if (!allowed(instance, EVENT, __func__)) return fmi2Error;
    Event event = {0};
    refresh(instance);
    if (model_type.event) model_type.event(model_of(instance), &event);
    instance->stale = true;
    *info = (fmi2EventInfo){
        .terminateSimulation = event.terminate,
        .valuesOfContinuousStatesChanged = event.states_changed,
        .nextEventTimeDefined = event.next_time_defined,
        .nextEventTime = event.next_time,
    };
    return fmi2OK;
}

EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component component) {
    Instance *instance = component;
    if (!allowed(instance, EVENT, __func__)) return fmi2Error;
    instance->phase = CONTINUOUS;
    return fmi2OK;
}

EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component component, fmi2Boolean no_way_back,
                                              fmi2Boolean *enter_event_mode, fmi2Boolean *terminate) {
    (void)no_way_back;
    if (!allowed(component, CONTINUOUS, __func__)) return fmi2Error;
    *enter_event_mode = *terminate = 0;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetTime(fmi2Component component, fmi2Real time) {
    Instance *instance = component;
    if (!allowed(instance, EVENT | CONTINUOUS, __func__)) return fmi2Error;
    *time_of(instance) = time;
    instance->stale = true;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component component, const fmi2Real values[], size_t count) {
    Instance *instance = component;
    if (!fits(instance, CONTINUOUS, count, state_count(instance), __func__)) return fmi2Error;
    copy_in(instance, model_type.states, values);
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component component, fmi2Real values[], size_t count) {
    Instance *instance = component;
    if (!fits(instance, READABLE, count, state_count(instance), __func__)) return fmi2Error;
    copy_out(instance, model_type.states, values);
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetDerivatives(fmi2Component component, fmi2Real values[], size_t count) {
    Instance *instance = component;
    if (!fits(instance, READABLE, count, state_count(instance), __func__)) return fmi2Error;
    copy_out(instance, model_type.derivatives, values);
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component component, fmi2Real values[], size_t count) {
    Instance *instance = component;
    if (!fits(instance, READABLE, count, model_type.indicator_count, __func__)) return fmi2Error;
    refresh(instance);
    if (count) model_type.indicators(model_of(instance), values);
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component component, fmi2Real values[], size_t count) {
    Instance *instance = component;
    if (!fits(instance, READABLE, count, state_count(instance), __func__)) return fmi2Error;
    for (size_t i = 0; i < count; i++) values[i] = 1;
    return fmi2OK;
}
