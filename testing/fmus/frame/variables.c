// Variables by their value references, and continuous states as a row of numbers.
#include "frame.h"

#include <string.h>

void refresh(Instance *instance) {
    if (!instance->stale) return;
    instance->stale = false;
    // During initialization the states follow from the parameters.
    if (instance->phase == INITIALIZATION && model_type.initialize) model_type.initialize(model_of(instance));
    if (model_type.compute) model_type.compute(model_of(instance));
}

static const Variable *find(Instance *instance, unsigned reference, Type type, const char *function) {
    if (reference >= model_type.variable_count) {
        report(model_of(instance), ERROR, "%s: there is no variable %u", function, reference);
        return NULL;
    }
    const Variable *variable = &model_type.variables[reference];
    if (variable->type != type) {
        report(model_of(instance), ERROR, "%s: variable %u is of another type", function, reference);
        return NULL;
    }
    return variable;
}

void *value_for_get(Instance *instance, unsigned reference, Type type, const char *function) {
    const Variable *variable = find(instance, reference, type, function);
    return variable ? instance->model + variable->offset : NULL;
}

static int settable_phases(const Instance *instance, Role role) {
    const int before = INSTANTIATED | INITIALIZATION;
    switch (role) {
    case STARTED:
    case PARAMETER: return before;
    case TUNABLE: return before | EVENT | (instance->uses_events ? 0 : STEP);
    case STRUCTURAL: return CONFIGURATION | RECONFIGURATION;
    case INPUT: return before | RUNNING | INTERMEDIATE;
    case DISCRETE_INPUT: return before | EVENT | (instance->uses_events ? 0 : STEP);
    case INDEPENDENT:
    case OUTPUT: break;
    }
    return 0;
}

void *value_for_set(Instance *instance, unsigned reference, Type type, const char *function) {
    const Variable *variable = find(instance, reference, type, function);
    if (!variable) return NULL;
    if (!(instance->phase & settable_phases(instance, variable->role))) {
        report(model_of(instance), ERROR, "%s: variable %u must not be set now", function, reference);
        return NULL;
    }
    instance->stale = true;
    return instance->model + variable->offset;
}

size_t elements(Instance *instance, unsigned reference) {
    const Variable *variable = &model_type.variables[reference];
    size_t count = variable->fixed ? variable->fixed : 1;
    for (int i = 0; i < 2 && variable->sizes[i]; i++) {
        count *= *(uint64_t *)(instance->model + model_type.variables[variable->sizes[i]].offset);
    }
    return count;
}

Status set_text(Instance *instance, char *text, const char *value, const char *function) {
    if (!value || strlen(value) >= TEXT_CAPACITY) {
        return report(model_of(instance), ERROR, "%s: no string, or one longer than %d", function, TEXT_CAPACITY - 1);
    }
    strcpy(text, value);
    return OK;
}

Status set_bytes(Instance *instance, Bytes *bytes, const void *value, size_t size, const char *function) {
    if (size > BYTES_CAPACITY) {
        return report(model_of(instance), ERROR, "%s: more than %d bytes", function, BYTES_CAPACITY);
    }
    bytes->size = size;
    if (size) memcpy(bytes->data, value, size);
    return OK;
}

size_t state_count(Instance *instance) {
    size_t count = 0;
    for (unsigned i = 0; i < model_type.state_count; i++) count += elements(instance, model_type.states[i]);
    return count;
}

void copy_out(Instance *instance, const unsigned *references, double *values) {
    refresh(instance);
    for (unsigned i = 0; i < model_type.state_count; i++) {
        size_t count = elements(instance, references[i]);
        memcpy(values, instance->model + model_type.variables[references[i]].offset, count * sizeof *values);
        values += count;
    }
}

void copy_in(Instance *instance, const unsigned *references, const double *values) {
    for (unsigned i = 0; i < model_type.state_count; i++) {
        size_t count = elements(instance, references[i]);
        memcpy(instance->model + model_type.variables[references[i]].offset, values, count * sizeof *values);
        values += count;
    }
    instance->stale = true;
}

bool partial(Instance *instance, unsigned unknown, unsigned known, double *value, const char *function) {
    if (!model_type.partial) return refuse_missing(instance, function);
    if (!find(instance, unknown, FLOAT64, function) || !find(instance, known, FLOAT64, function)) return false;
    refresh(instance);
    *value = model_type.partial(model_of(instance), unknown, known);
    return true;
}
