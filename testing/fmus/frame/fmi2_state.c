// FMI 2: saving and restoring the whole state. A saved state is one block of memory, so serialising it is a copy.
#include "fmi2.h"
#include "frame.h"

#include <stdlib.h>
#include <string.h>

EXPORT fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state) {
    // A state that is there already is written again, without allocating.
    void *saved = *state ? *state : calloc(1, saved_size());
    if (!saved) return fmi2Error;
    if (save(component, saved, __func__) == OK) {
        *state = saved;
        return fmi2OK;
    }
    if (saved != *state) free(saved);
    return fmi2Error;
}

EXPORT fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state) {
    return state ? (fmi2Status)restore(component, state, __func__) : fmi2Error;
}

EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state) {
    (void)component;
    if (!state) return fmi2OK;
    free(*state);
    *state = NULL;
    return fmi2OK;
}

EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *size) {
    if (!model_type.saves_state && !refuse_missing(component, __func__)) return fmi2Error;
    *size = saved_size();
    return state ? fmi2OK : fmi2Error;
}

EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (!model_type.saves_state && !refuse_missing(component, __func__)) return fmi2Error;
    if (!state || size != saved_size()) return fmi2Error;
    memcpy(bytes, state, size);
    return fmi2OK;
}

EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size,
                                          fmi2FMUstate *state) {
    if (!model_type.saves_state && !refuse_missing(component, __func__)) return fmi2Error;
    if (size != saved_size()) return (fmi2Status)report(model_of(component), ERROR, "%s: %zu bytes", __func__, size);
    if (!*state) *state = malloc(size);
    if (!*state) return fmi2Error;
    memcpy(*state, bytes, size);
    return fmi2OK;
}
