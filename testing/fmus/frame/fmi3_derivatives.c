// FMI 3: derivatives along a direction, both ways, and dependencies of elements.
#include "fmi3.h"
#include "frame.h"

static fmi3Status unsupported(Instance *instance, const char *function) {
    refuse_missing(instance, function);
    return fmi3Error;
}

static bool sizes_fit(Instance *instance, bool fit, const char *function) {
    if (!allowed(instance, READABLE, function)) return false;
    if (!fit) report(model_of(instance), ERROR, "%s: numbers of values do not fit", function);
    return fit;
}

EXPORT fmi3Status fmi3GetDirectionalDerivative(fmi3Instance handle, const fmi3ValueReference unknowns[],
                                               size_t unknown_count, const fmi3ValueReference knowns[],
                                               size_t known_count, const double seed[], size_t seed_count,
                                               double sensitivity[], size_t sensitivity_count) {
    bool fit = seed_count == known_count && sensitivity_count == unknown_count;
    if (!sizes_fit(handle, fit, __func__)) return fmi3Error;
    for (size_t i = 0; i < unknown_count; i++) {
        sensitivity[i] = 0;
        for (size_t k = 0; k < known_count; k++) {
            double slope;
            if (!partial(handle, unknowns[i], knowns[k], &slope, __func__)) return fmi3Error;
            sensitivity[i] += slope * seed[k];
        }
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance handle, const fmi3ValueReference unknowns[],
                                           size_t unknown_count, const fmi3ValueReference knowns[],
                                           size_t known_count, const double seed[], size_t seed_count,
                                           double sensitivity[], size_t sensitivity_count) {
    bool fit = seed_count == unknown_count && sensitivity_count == known_count;
    if (!sizes_fit(handle, fit, __func__)) return fmi3Error;
    for (size_t k = 0; k < known_count; k++) {
        sensitivity[k] = 0;
        for (size_t i = 0; i < unknown_count; i++) {
            double slope;
            if (!partial(handle, unknowns[i], knowns[k], &slope, __func__)) return fmi3Error;
            sensitivity[k] += slope * seed[i];
        }
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance handle, fmi3ValueReference reference,
                                                      size_t *count) {
    (void)reference, (void)count;
    return unsupported(handle, __func__);
}

EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance handle, fmi3ValueReference dependent,
                                              size_t dependent_elements[], fmi3ValueReference independents[],
                                              size_t independent_elements[], fmi3DependencyKind kinds[],
                                              size_t count) {
    (void)dependent, (void)dependent_elements, (void)independents, (void)independent_elements, (void)kinds, (void)count;
    return unsupported(handle, __func__);
}
