// FMI 3: co-simulation.
#include "fmi3.h"
#include "frame.h"

EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, EVENT, __func__)) return fmi3Error;
    if (instance->model_exchange && !refuse_missing(instance, __func__)) return fmi3Error;
    instance->phase = STEP;
    return fmi3OK;
}

EXPORT fmi3Status fmi3DoStep(fmi3Instance handle, double start, double size, bool no_way_back, bool *event,
                             bool *terminate, bool *early_return, double *last_successful_time) {
    (void)no_way_back;
    Instance *instance = handle;
    if (!allowed(instance, STEP, __func__)) return fmi3Error;
    Step step = {.start = start, .size = size, .may_return_early = instance->uses_events && instance->may_return_early};
    Status status = run_step(instance, &step, __func__);
    *event = step.event && instance->uses_events;
    *terminate = step.terminate;
    *early_return = status <= WARNING && step.reached < start + size;
    *last_successful_time = instance->last_successful_time;
    return (fmi3Status)status;
}

EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                           const int32_t orders[], double values[], size_t value_count) {
    Instance *instance = handle;
    if (!allowed(instance, STEP | INTERMEDIATE | TERMINATED, __func__)) return fmi3Error;
    if (!model_type.output_derivative && !refuse_missing(instance, __func__)) return fmi3Error;
    if (value_count < count) return fmi3Error;
    refresh(instance);
    Status status = OK;
    for (size_t i = 0; i < count && status == OK; i++) {
        status = model_type.output_derivative(model_of(instance), references[i], orders[i], &values[i]);
    }
    return (fmi3Status)status;
}
