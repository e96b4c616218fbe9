// FMI 3: saving and restoring the whole state. A saved state is one block of memory, so serialising it is a copy.
#include "fmi3.h"
#include "frame.h"

#include <stdlib.h>
#include <string.h>

EXPORT fmi3Status fmi3GetFMUState(fmi3Instance handle, fmi3FMUState *state) {
    // A state that is there already is written again, without allocating.
    void *saved = *state ? *state : calloc(1, saved_size());
    if (!saved) return fmi3Error;
    if (save(handle, saved, __func__) == OK) {
        *state = saved;
        return fmi3OK;
    }
    if (saved != *state) free(saved);
    return fmi3Error;
}

EXPORT fmi3Status fmi3SetFMUState(fmi3Instance handle, fmi3FMUState state) {
    return state ? (fmi3Status)restore(handle, state, __func__) : fmi3Error;
}

EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance handle, fmi3FMUState *state) {
    (void)handle;
    if (!state) return fmi3OK;
    free(*state);
    *state = NULL;
    return fmi3OK;
}

EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance handle, fmi3FMUState state, size_t *size) {
    if (!model_type.saves_state && !refuse_missing(handle, __func__)) return fmi3Error;
    *size = saved_size();
    return state ? fmi3OK : fmi3Error;
}

EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance handle, fmi3FMUState state, uint8_t bytes[], size_t size) {
    if (!model_type.saves_state && !refuse_missing(handle, __func__)) return fmi3Error;
    if (!state || size != saved_size()) return fmi3Error;
    memcpy(bytes, state, size);
    return fmi3OK;
}

EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance handle, const uint8_t bytes[], size_t size,
                                          fmi3FMUState *state) {
    if (!model_type.saves_state && !refuse_missing(handle, __func__)) return fmi3Error;
    if (size != saved_size()) return (fmi3Status)report(model_of(handle), ERROR, "%s: %zu bytes", __func__, size);
    if (!*state) *state = malloc(size);
    if (!*state) return fmi3Error;
    memcpy(*state, bytes, size);
    return fmi3OK;
}
