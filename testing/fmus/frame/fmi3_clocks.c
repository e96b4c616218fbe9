// FMI 3: clocks. Models here tell intervals as decimals; fractions are derived from them.
#include "fmi3.h"
#include "frame.h"

#include <math.h>

static const uint64_t resolution = 1000000000; // of fractions: nanoseconds

static fmi3Status unsupported(Instance *instance, const char *function) {
    refuse_missing(instance, function);
    return fmi3Error;
}

EXPORT fmi3Status fmi3GetClock(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                               bool values[]) {
    if (!allowed(handle, INITIALIZATION | EVENT, __func__)) return fmi3Error;
    refresh(handle);
    for (size_t i = 0; i < count; i++) {
        const bool *clock = value_for_get(handle, references[i], CLOCK, __func__);
        if (!clock) return fmi3Error;
        values[i] = *clock;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetClock(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                               const bool values[]) {
    if (!allowed(handle, EVENT, __func__)) return fmi3Error;
    for (size_t i = 0; i < count; i++) {
        bool *clock = value_for_set(handle, references[i], CLOCK, __func__);
        if (!clock) return fmi3Error;
        *clock = values[i];
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetIntervalDecimal(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                         double intervals[], fmi3IntervalQualifier qualifiers[]) {
    if (!allowed(handle, INITIALIZATION | EVENT, __func__)) return fmi3Error;
    if (!model_type.interval && !refuse_missing(handle, __func__)) return fmi3Error;
    refresh(handle);
    for (size_t i = 0; i < count; i++) {
        if (!value_for_get(handle, references[i], CLOCK, __func__)) return fmi3Error;
        intervals[i] = 0;
        qualifiers[i] = (fmi3IntervalQualifier)model_type.interval(model_of(handle), references[i], &intervals[i]);
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                          uint64_t counters[], uint64_t resolutions[],
                                          fmi3IntervalQualifier qualifiers[]) {
    for (size_t i = 0; i < count; i++) {
        double interval;
        if (fmi3GetIntervalDecimal(handle, &references[i], 1, &interval, &qualifiers[i]) != fmi3OK) return fmi3Error;
        counters[i] = (uint64_t)llround(interval * (double)resolution);
        resolutions[i] = resolution;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetShiftDecimal(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                      double shifts[]) {
    if (!allowed(handle, INITIALIZATION | EVENT, __func__)) return fmi3Error;
    for (size_t i = 0; i < count; i++) {
        if (!value_for_get(handle, references[i], CLOCK, __func__)) return fmi3Error;
        shifts[i] = 0;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3GetShiftFraction(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                       uint64_t counters[], uint64_t resolutions[]) {
    for (size_t i = 0; i < count; i++) {
        double shift;
        if (fmi3GetShiftDecimal(handle, &references[i], 1, &shift) != fmi3OK) return fmi3Error;
        counters[i] = 0;
        resolutions[i] = resolution;
    }
    return fmi3OK;
}

EXPORT fmi3Status fmi3SetIntervalDecimal(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                         const double intervals[]) {
    (void)references, (void)count, (void)intervals;
    return unsupported(handle, __func__);
}

EXPORT fmi3Status fmi3SetIntervalFraction(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                          const uint64_t counters[], const uint64_t resolutions[]) {
    (void)references, (void)count, (void)counters, (void)resolutions;
    return unsupported(handle, __func__);
}

EXPORT fmi3Status fmi3SetShiftDecimal(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                      const double shifts[]) {
    (void)references, (void)count, (void)shifts;
    return unsupported(handle, __func__);
}

EXPORT fmi3Status fmi3SetShiftFraction(fmi3Instance handle, const fmi3ValueReference references[], size_t count,
                                       const uint64_t counters[], const uint64_t resolutions[]) {
    (void)references, (void)count, (void)counters, (void)resolutions;
    return unsupported(handle, __func__);
}

EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance handle, fmi3ValueReference clock, double time) {
    (void)clock, (void)time;
    return unsupported(handle, __func__);
}
