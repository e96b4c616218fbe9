// FMI 3: reading and setting variables, which may be arrays.
#include "fmi3.h"
#include "frame.h"

#include <string.h>

enum { ANY_CONFIGURATION = CONFIGURATION | RECONFIGURATION };

static bool has_room(Instance *instance, size_t needed, size_t left, const char *function) {
    if (needed <= left) return true;
    report(model_of(instance), ERROR, "%s: too few values for the elements of the variables", function);
    return false;
}

static fmi3Status get(Instance *instance, const fmi3ValueReference references[], size_t count, Type type, size_t width,
                      void *values, size_t value_count, const char *function) {
    if (!allowed(instance, READABLE | ANY_CONFIGURATION, function)) return fmi3Error;
    refresh(instance);
    char *next = values;
    for (size_t i = 0; i < count; i++) {
        const void *value = value_for_get(instance, references[i], type, function);
        if (!value) return fmi3Error;
        size_t size = elements(instance, references[i]);
        if (!has_room(instance, size, value_count, function)) return fmi3Error;
        memcpy(next, value, size * width);
        next += size * width;
        value_count -= size;
    }
    return fmi3OK;
}

static fmi3Status set(Instance *instance, const fmi3ValueReference references[], size_t count, Type type, size_t width,
                      const void *values, size_t value_count, const char *function) {
    const char *next = values;
    for (size_t i = 0; i < count; i++) {
        void *value = value_for_set(instance, references[i], type, function);
        if (!value) return fmi3Error;
        size_t size = elements(instance, references[i]);
        if (!has_room(instance, size, value_count, function)) return fmi3Error;
        memcpy(value, next, size * width);
        next += size * width;
        value_count -= size;
    }
    return fmi3OK;
}

#define ACCESS(name, c_type, type)                                                                               \
    EXPORT fmi3Status fmi3Get##name(fmi3Instance handle, const fmi3ValueReference references[], size_t count,    \
                                    c_type values[], size_t value_count) {                                       \
        return get(handle, references, count, type, sizeof(c_type), values, value_count, __func__);              \
    }                                                                                                            \
    EXPORT fmi3Status fmi3Set##name(fmi3Instance handle, const fmi3ValueReference references[], size_t count,    \
                                    const c_type values[], size_t value_count) {                                 \
        return set(handle, references, count, type, sizeof(c_type), values, value_count, __func__);              \
    }

ACCESS(Float64, double, FLOAT64)
ACCESS(Float32, float, FLOAT32)
ACCESS(Int8, int8_t, INT8)
ACCESS(UInt8, uint8_t, UINT8)
ACCESS(Int16, int16_t, INT16)
ACCESS(UInt16, uint16_t, UINT16)
ACCESS(Int32, int32_t, INT32)
ACCESS(UInt32, uint32_t, UINT32)
ACCESS(Int64, int64_t, INT64)
ACCESS(UInt64, uint64_t, UINT64)
ACCESS(Boolean, bool, BOOLEAN)

EXPORT fmi3Status fmi3GetString(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                fmi3String values[], size_t value_count) {
    if (!allowed(handle, READABLE, __func__) || !has_room(handle, count, value_count, __func__)) return fmi3Error;
    refresh(handle);
    for (size_t i = 0; i < count; i++) {
        values[i] = value_for_get(handle, references[i], TEXT, __func__);
        if (!values[i]) return fmi3Error;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetString(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                const fmi3String values[], size_t value_count) {
    if (!has_room(handle, count, value_count, __func__)) return fmi3Error;
    for (size_t i = 0; i < count; i++) {
        char *text = value_for_set(handle, references[i], TEXT, __func__);
        if (!text || set_text(handle, text, values[i], __func__) != OK) return fmi3Error;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetBinary(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                size_t sizes[], fmi3Binary values[], size_t value_count) {
    if (!allowed(handle, READABLE, __func__) || !has_room(handle, count, value_count, __func__)) return fmi3Error;
    refresh(handle);
    for (size_t i = 0; i < count; i++) {
        const Bytes *bytes = value_for_get(handle, references[i], BYTES, __func__);
        if (!bytes) return fmi3Error;
        sizes[i] = bytes->size;
        values[i] = bytes->data;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetBinary(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                const size_t sizes[], const fmi3Binary values[], size_t value_count) {
    if (!has_room(handle, count, value_count, __func__)) return fmi3Error;
    for (size_t i = 0; i < count; i++) {
        Bytes *bytes = value_for_set(handle, references[i], BYTES, __func__);
        if (!bytes || set_bytes(handle, bytes, values[i], sizes[i], __func__) != OK) return fmi3Error;
    }
    return fmi3OK;
}
