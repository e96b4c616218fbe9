// FMI 2: reading and setting variables, and derivatives along a direction.
#include "fmi2.h"
#include "frame.h"

// Booleans and floating-point numbers are stored as themselves; the loop over references is the same for all types.
#define GET(function, c_type, type, stored, read)                                                                \
    EXPORT fmi2Status function(fmi2Component component, const fmi2ValueReference references[], size_t count,     \
                               c_type values[]) {                                                                \
        Instance *instance = component;                                                                          \
        if (!allowed(instance, READABLE, __func__)) return fmi2Error;                                            \
        refresh(instance);                                                                                       \
        for (size_t i = 0; i < count; i++) {                                                                     \
            const stored *value = value_for_get(instance, references[i], type, __func__);                        \
            if (!value) return fmi2Error;                                                                        \
            values[i] = read;                                                                                    \
        }                                                                                                        \
        return fmi2OK;                                                                                           \
    }

GET(fmi2GetReal, fmi2Real, FLOAT64, double, *value)
GET(fmi2GetInteger, fmi2Integer, INT32, int32_t, *value)
GET(fmi2GetBoolean, fmi2Boolean, BOOLEAN, bool, *value)
GET(fmi2GetString, fmi2String, TEXT, char, value)

#define SETTABLE (INSTANTIATED | INITIALIZATION | RUNNING)

#define SET(function, c_type, type, stored, write)                                                               \
    EXPORT fmi2Status function(fmi2Component component, const fmi2ValueReference references[], size_t count,     \
                               const c_type values[]) {                                                          \
        Instance *instance = component;                                                                          \
        if (!allowed(instance, SETTABLE, __func__)) return fmi2Error;                                            \
        for (size_t i = 0; i < count; i++) {                                                                     \
            stored *value = value_for_set(instance, references[i], type, __func__);                              \
            if (!value) return fmi2Error;                                                                        \
            write;                                                                                               \
        }                                                                                                        \
        return fmi2OK;                                                                                           \
    }

SET(fmi2SetReal, fmi2Real, FLOAT64, double, *value = values[i])
SET(fmi2SetInteger, fmi2Integer, INT32, int32_t, *value = values[i])
SET(fmi2SetBoolean, fmi2Boolean, BOOLEAN, bool, *value = values[i] != 0)
SET(fmi2SetString, fmi2String, TEXT, char, if (set_text(instance, value, values[i], __func__) != OK) return fmi2Error)

EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component component, const fmi2ValueReference unknowns[],
                                               size_t unknown_count, const fmi2ValueReference knowns[],
                                               size_t known_count, const fmi2Real seed[], fmi2Real sensitivity[]) {
    Instance *instance = component;
    if (!allowed(instance, READABLE, __func__)) return fmi2Error;
    for (size_t i = 0; i < unknown_count; i++) {
        sensitivity[i] = 0;
        for (size_t k = 0; k < known_count; k++) {
            double slope;
            if (!partial(instance, unknowns[i], knowns[k], &slope, __func__)) return fmi2Error;
            sensitivity[i] += slope * seed[k];
        }
    }
    return fmi2OK;
}
