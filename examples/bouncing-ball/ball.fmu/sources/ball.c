// A ball falls, bounces, and rests once it would leave the ground too slowly. FMI 3, Model Exchange.
#include "fmi3Functions.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum {
    TIME, HEIGHT, HEIGHT_RATE, VELOCITY, VELOCITY_RATE, LAST_BOUNCE, INDICATOR, GRAVITY, RESTITUTION, REST_BELOW,
    COUNT
};
enum { BOUNCES = COUNT }; // the one variable that is no real

typedef struct {
    double v[COUNT];
    int bounces;
    bool resting;
} Ball;

static const Ball fresh = {
    .v = {[HEIGHT] = 1, [GRAVITY] = 9.81, [RESTITUTION] = 0.7, [REST_BELOW] = 0.1}};

static void compute(Ball *ball) {
    double *v = ball->v;
    v[HEIGHT_RATE] = ball->resting ? 0 : v[VELOCITY];
    v[VELOCITY_RATE] = ball->resting ? 0 : -v[GRAVITY];
    v[INDICATOR] = ball->resting ? 1 : v[HEIGHT]; // an event where its sign changes
}

// Called when the sign has changed, and at the start. Tells whether the states jumped.
static bool bounce(Ball *ball) {
    double *v = ball->v;
    if (ball->resting || v[HEIGHT] > 0 || v[VELOCITY] >= 0) return false;
    ball->bounces++;
    v[LAST_BOUNCE] = v[TIME];
    v[VELOCITY] *= -v[RESTITUTION];
    ball->resting = v[VELOCITY] < v[REST_BELOW];
    if (ball->resting) v[VELOCITY] = 0;
    // Above the ground by next to nothing: from zero the sign would change once more when the ball leaves.
    v[HEIGHT] = ball->resting ? 0 : DBL_MIN;
    return true;
}

// What follows is FMI 3 around it: the reference of a variable is its place among the values.

const char *fmi3GetVersion(void) { return "3.0"; }

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                          fmi3Boolean logging, fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback log) {
    if (strcmp(token, "cardan-example-ball") != 0) return NULL;
    Ball *ball = malloc(sizeof fresh);
    return ball ? memcpy(ball, &fresh, sizeof fresh) : NULL;
}

void fmi3FreeInstance(fmi3Instance ball) { free(ball); }

fmi3Status fmi3Reset(fmi3Instance ball) {
    memcpy(ball, &fresh, sizeof fresh);
    return fmi3OK;
}

fmi3Status fmi3SetDebugLogging(fmi3Instance ball, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance ball, fmi3Boolean has_tolerance, fmi3Float64 tolerance,
                                       fmi3Float64 begin, fmi3Boolean has_end, fmi3Float64 end) {
    return fmi3SetTime(ball, begin);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance ball) { return fmi3OK; }
fmi3Status fmi3EnterEventMode(fmi3Instance ball) { return fmi3OK; }
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance ball) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance ball) { return fmi3OK; }

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *again, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals_changed, fmi3Boolean *states_changed,
                                    fmi3Boolean *next_event_known, fmi3Float64 *next_event) {
    *again = *terminate = *nominals_changed = *next_event_known = false;
    *states_changed = bounce(instance);
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance ball, fmi3Boolean no_way_back, fmi3Boolean *event,
                                       fmi3Boolean *terminate) {
    *event = *terminate = false;
    return fmi3OK;
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time) {
    Ball *ball = instance;
    ball->v[TIME] = time;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance ball, size_t *n) {
    *n = 2;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance ball, size_t *n) {
    *n = 1;
    return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          fmi3Float64 values[], size_t n_values) {
    Ball *ball = instance;
    compute(ball);
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        values[i] = ball->v[references[i]];
    }
    return fmi3OK;
}

fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[], size_t n,
                          const fmi3Float64 values[], size_t n_values) {
    Ball *ball = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] >= COUNT) return fmi3Error;
        ball->v[references[i]] = values[i];
    }
    return fmi3OK;
}

fmi3Status fmi3GetInt32(fmi3Instance instance, const fmi3ValueReference references[], size_t n, fmi3Int32 values[],
                        size_t n_values) {
    Ball *ball = instance;
    for (size_t i = 0; i < n; i++) {
        if (references[i] != BOUNCES) return fmi3Error;
        values[i] = ball->bounces;
    }
    return fmi3OK;
}

static const fmi3ValueReference states[] = {HEIGHT, VELOCITY}, rates[] = {HEIGHT_RATE, VELOCITY_RATE};
static const fmi3ValueReference indicators[] = {INDICATOR};

fmi3Status fmi3SetContinuousStates(fmi3Instance ball, const fmi3Float64 values[], size_t n) {
    return fmi3SetFloat64(ball, states, 2, values, n);
}

fmi3Status fmi3GetContinuousStates(fmi3Instance ball, fmi3Float64 values[], size_t n) {
    return fmi3GetFloat64(ball, states, 2, values, n);
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance ball, fmi3Float64 values[], size_t n) {
    return fmi3GetFloat64(ball, rates, 2, values, n);
}

fmi3Status fmi3GetEventIndicators(fmi3Instance ball, fmi3Float64 values[], size_t n) {
    return fmi3GetFloat64(ball, indicators, 1, values, n);
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance ball, fmi3Float64 values[], size_t n) {
    values[0] = values[1] = 1;
    return fmi3OK;
}
