// FMI 3: from instantiation to the end.
#include "fmi3.h"
#include "frame.h"

#include <stdlib.h>

EXPORT const char *fmi3GetVersion(void) { return model_type.version ? model_type.version : "3.0"; }

static void log_text(const Instance *instance, Status status, const char *category, const char *text) {
    fmi3LogMessageCallback log = (fmi3LogMessageCallback)instance->log_message;
    if (log) log(instance->environment, (fmi3Status)status, category, text);
}

static Instance *instantiate(fmi3String name, fmi3String token, bool logging, fmi3InstanceEnvironment environment,
                             fmi3LogMessageCallback log, const char *complaint) {
    static _Atomic int instances;
    if (!name || !*name) complaint = "an instance needs a name";
    if (!token_fits(token, "-fmi3")) complaint = "the instantiation token is not that of this FMU";
    if (model_type.only_once && instances) complaint = "a second instance in one process is not possible";
    if (complaint) {
        if (log) log(environment, fmi3Error, "logStatusError", complaint);
        return NULL;
    }
    Instance *instance = calloc(1, instance_size());
    if (!instance) return NULL;
    instances++;
    instance_name(instance, name);
    instance->environment = environment;
    instance->log_message = (void (*)(void))log;
    instance->log = log_text;
    instance->logging = logging;
    instance_reset(instance);
    report(model_of(instance), OK, "%s is instantiated", instance->name);
    return instance;
}

EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                 bool logging, fmi3InstanceEnvironment environment,
                                                 fmi3LogMessageCallback log) {
    (void)resources, (void)visible;
    const char *complaint = model_type.offers_exchange ? NULL : "this FMU does not offer model exchange";
    Instance *instance = instantiate(name, token, logging, environment, log, complaint);
    if (instance) instance->model_exchange = instance->uses_events = true;
    return instance;
}

// Within a step the importer may read and set; what it may do is told by the phase.
static bool intermediate_update(Instance *instance, double time, bool finished) {
    bool early = false;
    double early_time = time, now = *time_of(instance);
    *time_of(instance) = time;
    instance->phase = INTERMEDIATE;
    instance->stale = true;
    fmi3IntermediateUpdateCallback update = (fmi3IntermediateUpdateCallback)instance->intermediate_update;
    bool may_return = finished && instance->may_return_early;
    update(instance->environment, time, !finished, finished, finished, may_return, &early, &early_time);
    instance->phase = STEP;
    *time_of(instance) = now;
    return early && may_return && early_time <= time;
}

EXPORT fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, bool visible,
                                                bool logging, bool event_mode, bool early_return,
                                                const fmi3ValueReference intermediates[], size_t intermediate_count,
                                                fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                fmi3IntermediateUpdateCallback update) {
    (void)resources, (void)visible, (void)intermediates, (void)intermediate_count;
    const char *complaint = model_type.step ? NULL : "this FMU does not offer co-simulation";
    Instance *instance = instantiate(name, token, logging, environment, log, complaint);
    if (!instance) return NULL;
    instance->uses_events = event_mode;
    instance->may_return_early = early_return;
    instance->intermediate_update = (void (*)(void))update;
    if (update) instance->update = intermediate_update;
    return instance;
}

EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                                      bool visible, bool logging,
                                                      fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                      fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
                                                      fmi3UnlockPreemptionCallback unlock) {
    (void)resources, (void)visible, (void)update, (void)lock, (void)unlock;
    return instantiate(name, token, logging, environment, log, "this FMU does not offer scheduled execution");
}

EXPORT void fmi3FreeInstance(fmi3Instance handle) { free(handle); }

EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance handle, bool on, size_t count, const fmi3String categories[]) {
    (void)count, (void)categories;
    ((Instance *)handle)->logging = on;
    return fmi3OK;
}

EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance handle, bool tolerance_defined, double tolerance,
                                              double start, bool stop_defined, double stop) {
    Instance *instance = handle;
    if (!allowed(instance, INSTANTIATED, __func__)) return fmi3Error;
    instance->tolerance = tolerance_defined ? tolerance : 0;
    if (stop_defined && stop < start) {
        return (fmi3Status)report(model_of(instance), ERROR, "the end is before the start");
    }
    *time_of(instance) = instance->last_successful_time = start;
    instance->phase = INITIALIZATION;
    return fmi3OK;
}

EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, INITIALIZATION, __func__)) return fmi3Error;
    Status status = model_type.initialize ? model_type.initialize(model_of(instance)) : OK;
    instance->stale = true;
    if (status <= WARNING) instance->phase = instance->uses_events ? EVENT : STEP;
    return (fmi3Status)status;
}

EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, INSTANTIATED | EVENT | STEP, __func__)) return fmi3Error;
    if (!model_type.configured && !refuse_missing(instance, __func__)) return fmi3Error;
    instance->before_reconfiguration = instance->phase;
    instance->phase = instance->phase == INSTANTIATED ? CONFIGURATION : RECONFIGURATION;
    return fmi3OK;
}

EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, CONFIGURATION | RECONFIGURATION, __func__)) return fmi3Error;
    if (model_type.configured(model_of(instance)) != OK) return fmi3Error;
    instance->phase = instance->before_reconfiguration;
    instance->stale = true;
    return fmi3OK;
}

EXPORT fmi3Status fmi3Terminate(fmi3Instance handle) {
    Instance *instance = handle;
    if (!allowed(instance, RUNNING, __func__)) return fmi3Error;
    instance->phase = TERMINATED;
    return fmi3OK;
}

EXPORT fmi3Status fmi3Reset(fmi3Instance handle) {
    instance_reset(handle);
    return fmi3OK;
}
