#include "frame.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

size_t instance_size(void) { return sizeof(Instance) + model_type.size; }

void instance_reset(Instance *instance) {
    memset(instance->model, 0, model_type.size);
    if (model_type.start) model_type.start(model_of(instance));
    instance->phase = INSTANTIATED;
    instance->stale = true;
    instance->last_successful_time = instance->tolerance = 0;
}

void instance_name(Instance *instance, const char *name) {
    snprintf(instance->name, sizeof instance->name, "%s", name ? name : "");
}

bool token_fits(const char *token, const char *version) {
    size_t length = strlen(model_type.name);
    return token && strncmp(token, model_type.name, length) == 0 && strcmp(token + length, version) == 0;
}

static Instance *instance_of(const Model *model) {
    return (Instance *)((uintptr_t)model - offsetof(Instance, model));
}

double told_tolerance(const Model *model) { return instance_of(model)->tolerance; }

static const char *const categories[] = {
    "logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal",
};

Status report(const Model *model, Status status, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const Instance *instance = instance_of(model);
    // Trouble is told even to those who did not ask for a log.
    if (instance->logging || status != OK) instance->log(instance, status, categories[status], text);
    return status;
}

void ask_inputs(Model *model, double time) {
    Instance *instance = instance_of(model);
    if (instance->update) instance->update(instance, time, false);
}

bool reached(Model *model, double time) {
    Instance *instance = instance_of(model);
    return instance->update && instance->update(instance, time, true);
}

static const char *phase_name(Phase phase) {
    switch (phase) {
    case INSTANTIATED: return "instantiated";
    case CONFIGURATION: return "configuration mode";
    case INITIALIZATION: return "initialization mode";
    case EVENT: return "event mode";
    case CONTINUOUS: return "continuous-time mode";
    case STEP: return "step mode";
    case INTERMEDIATE: return "intermediate update";
    case RECONFIGURATION: return "reconfiguration mode";
    case TERMINATED: return "terminated";
    case FAILED: return "failed";
    }
    return "an unknown phase";
}

bool refuse_phase(Instance *instance, const char *function) {
    report(model_of(instance), ERROR, "%s is not allowed in this phase: %s", function, phase_name(instance->phase));
    return false;
}

bool refuse_missing(Instance *instance, const char *function) {
    report(model_of(instance), ERROR, "%s: this FMU does not offer it", function);
    return false;
}

// The phase is saved as a number before the model.
size_t saved_size(void) { return sizeof(uint64_t) + model_type.size; }

Status save(Instance *instance, void *saved, const char *function) {
    if (!model_type.saves_state && !refuse_missing(instance, function)) return ERROR;
    uint64_t phase = instance->phase;
    memcpy(saved, &phase, sizeof phase);
    memcpy((char *)saved + sizeof phase, instance->model, model_type.size);
    return OK;
}

Status restore(Instance *instance, const void *saved, const char *function) {
    if (!model_type.saves_state && !refuse_missing(instance, function)) return ERROR;
    uint64_t phase;
    memcpy(&phase, saved, sizeof phase);
    const char *model = (const char *)saved + sizeof phase;
    if (model_type.restored) {
        model_type.restored(model_of(instance), (const Model *)model);
    } else {
        memcpy(instance->model, model, model_type.size);
    }
    instance->phase = (Phase)phase;
    instance->stale = true;
    return OK;
}

Status run_step(Instance *instance, Step *step, const char *function) {
    // A step begins where the last one ended, up to what adding up step sizes loses.
    if (fabs(step->start - *time_of(instance)) > 1e-9 * (1 + fabs(step->start))) {
        return report(model_of(instance), ERROR, "%s: the step begins at %g, but this FMU is at %g", function,
                      step->start, *time_of(instance));
    }
    if (!(step->size >= 0)) return report(model_of(instance), ERROR, "%s: the step size is %g", function, step->size);
    instance->step_start = step->start;
    step->reached = step->start + step->size;
    Status status = model_type.step(model_of(instance), step);
    instance->stale = true;
    if (status == FATAL) instance->phase = FAILED;
    if (status > DISCARD) return status;
    *time_of(instance) = instance->last_successful_time = step->reached;
    return status;
}
