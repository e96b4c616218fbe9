// FMI 2: from instantiation to the end.
#include "fmi2.h"
#include "frame.h"

#include <stdlib.h>
#include <string.h>

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return model_type.version ? model_type.version : "2.0"; }

// The text travels as variadic arguments, so that an importer's logger has something to format.
static void log_text(const Instance *instance, Status status, const char *category, const char *text) {
    const fmi2CallbackFunctions *callbacks = instance->callbacks;
    callbacks->logger(instance->environment, instance->name, (fmi2Status)status, category, "%s [%s, t = %g]", text,
                      model_type.name, *(const double *)instance->model);
}

EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions *callbacks, fmi2Boolean visible,
                                     fmi2Boolean logging) {
    (void)resources, (void)visible;
    if (!callbacks || !callbacks->logger) return NULL;
    static _Atomic int instances;
    const char *complaint = NULL;
    if (!name || !*name) complaint = "an instance needs a name";
    if (!token_fits(guid, "-fmi2")) complaint = "the guid is not that of this FMU";
    if (type == fmi2ModelExchange && !model_type.offers_exchange) complaint = "this FMU does not offer model exchange";
    if (model_type.only_once && instances) complaint = "a second instance in one process is not possible";
    if (complaint) {
        callbacks->logger(callbacks->componentEnvironment, name, fmi2Error, "logStatusError", "%s: %s", model_type.name,
                          complaint);
        return NULL;
    }
    void *(*allocate)(size_t, size_t) = callbacks->allocateMemory ? callbacks->allocateMemory : calloc;
    Instance *instance = allocate(1, instance_size());
    if (!instance) return NULL;
    instances++;
    memset(instance, 0, sizeof *instance);
    instance_name(instance, name);
    instance->callbacks = callbacks;
    instance->environment = callbacks->componentEnvironment;
    instance->model_exchange = instance->uses_events = type == fmi2ModelExchange;
    instance->logging = logging;
    instance->log = log_text;
    instance_reset(instance);
    report(model_of(instance), OK, "%s is instantiated", instance->name);
    return instance;
}

EXPORT void fmi2FreeInstance(fmi2Component component) {
    Instance *instance = component;
    if (!instance) return;
    const fmi2CallbackFunctions *callbacks = instance->callbacks;
    (callbacks->freeMemory && callbacks->allocateMemory ? callbacks->freeMemory : free)(instance);
}

EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component component, fmi2Boolean on, size_t count,
                                      const fmi2String categories[]) {
    (void)count, (void)categories;
    ((Instance *)component)->logging = on;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                      fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
    Instance *instance = component;
    if (!allowed(instance, INSTANTIATED, __func__)) return fmi2Error;
    instance->tolerance = tolerance_defined ? tolerance : 0;
    if (stop_defined && stop < start) {
        return (fmi2Status)report(model_of(instance), ERROR, "the end is before the start");
    }
    *time_of(instance) = instance->last_successful_time = start;
    return fmi2OK;
}

EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component component) {
    Instance *instance = component;
    if (!allowed(instance, INSTANTIATED, __func__)) return fmi2Error;
    instance->phase = INITIALIZATION;
    return fmi2OK;
}

EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component component) {
    Instance *instance = component;
    if (!allowed(instance, INITIALIZATION, __func__)) return fmi2Error;
    Status status = model_type.initialize ? model_type.initialize(model_of(instance)) : OK;
    instance->stale = true;
    if (status <= WARNING) instance->phase = instance->model_exchange ? EVENT : STEP;
    return (fmi2Status)status;
}

EXPORT fmi2Status fmi2Terminate(fmi2Component component) {
    Instance *instance = component;
    if (!allowed(instance, RUNNING, __func__)) return fmi2Error;
    instance->phase = TERMINATED;
    return fmi2OK;
}

EXPORT fmi2Status fmi2Reset(fmi2Component component) {
    instance_reset(component);
    return fmi2OK;
}
