// FMI 2: co-simulation.
#include "fmi2.h"
#include "frame.h"

EXPORT fmi2Status fmi2DoStep(fmi2Component component, fmi2Real start, fmi2Real size, fmi2Boolean no_way_back) {
    (void)no_way_back;
    Instance *instance = component;
    if (!allowed(instance, STEP, __func__)) return fmi2Error;
    if (instance->model_exchange && !refuse_missing(instance, __func__)) return fmi2Error;
    Step step = {.start = start, .size = size};
    return (fmi2Status)run_step(instance, &step, __func__);
}

EXPORT fmi2Status fmi2CancelStep(fmi2Component component) {
    refuse_missing(component, __func__); // no step is ever pending
    return fmi2Error;
}

EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component component, const fmi2ValueReference references[],
                                              size_t count, const fmi2Integer orders[], const fmi2Real values[]) {
    Instance *instance = component;
    if (!allowed(instance, INSTANTIATED | INITIALIZATION | STEP, __func__)) return fmi2Error;
    if (!model_type.input_derivative && !refuse_missing(instance, __func__)) return fmi2Error;
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        status = model_type.input_derivative(model_of(instance), references[i], orders[i], values[i]);
    }
    return (fmi2Status)status;
}

EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component component, const fmi2ValueReference references[],
                                               size_t count, const fmi2Integer orders[], fmi2Real values[]) {
    Instance *instance = component;
    if (!allowed(instance, STEP | TERMINATED, __func__)) return fmi2Error;
    if (!model_type.output_derivative && !refuse_missing(instance, __func__)) return fmi2Error;
    refresh(instance);
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        status = model_type.output_derivative(model_of(instance), references[i], orders[i], &values[i]);
    }
    return (fmi2Status)status;
}

EXPORT fmi2Status fmi2GetRealStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Real *value) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = ((Instance *)component)->last_successful_time;
    return fmi2OK;
}

EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Boolean *value) {
    (void)component;
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = 0;
    return fmi2OK;
}

// The other questions are about steps that run in the background. There are none here.
EXPORT fmi2Status fmi2GetStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Status *value) {
    (void)component, (void)kind, (void)value;
    return fmi2Discard;
}

EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component component, const fmi2StatusKind kind, fmi2Integer *value) {
    (void)component, (void)kind, (void)value;
    return fmi2Discard;
}

EXPORT fmi2Status fmi2GetStringStatus(fmi2Component component, const fmi2StatusKind kind, fmi2String *value) {
    (void)component, (void)kind, (void)value;
    return fmi2Discard;
}
