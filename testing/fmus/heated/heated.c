// A room: C der(T) = P (on + (level is high) + number + share) - G (T - T_out). It is heated by switches of each type.
#include "model.h"

#include <math.h>

struct Model {
    double time, T, der_T, share, T0, T_out, C, G, P;
    Enumeration level; // 1 is off, 2 is on
    int32_t number;
    bool on;
};

enum { TIME, ON, LEVEL, NUMBER, SHARE, T0, T_OUT, CAPACITY, CONDUCTANCE, POWER, T, DER_T };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [ON] = VARIABLE(BOOLEAN, DISCRETE_INPUT, on),
    [LEVEL] = VARIABLE(ENUMERATION, DISCRETE_INPUT, level),
    [NUMBER] = VARIABLE(INT32, DISCRETE_INPUT, number),
    [SHARE] = REAL(DISCRETE_INPUT, share),
    [T0] = REAL(PARAMETER, T0),
    [T_OUT] = REAL(PARAMETER, T_out),
    [CAPACITY] = REAL(PARAMETER, C),
    [CONDUCTANCE] = REAL(PARAMETER, G),
    [POWER] = REAL(PARAMETER, P),
    [T] = REAL(OUTPUT, T),
    [DER_T] = REAL(OUTPUT, der_T),
};

static void start(Model *m) {
    m->T0 = 20;
    m->T_out = 5;
    m->C = 1e4;
    m->G = 50;
    m->P = 1000;
    m->level = 1;
}

static Status initialize(Model *m) {
    m->T = m->T0;
    return OK;
}

static double heat(const Model *m) { return m->P * (m->on + (m->level == 2) + m->number + m->share); }

static void compute(Model *m) { m->der_T = (heat(m) - m->G * (m->T - m->T_out)) / m->C; }

// The heat is held, so steps are exact.
static Status step(Model *m, Step *step) {
    double rest = m->T_out + heat(m) / m->G;
    m->T = rest + (m->T - rest) * exp(-m->G / m->C * step->size);
    return OK;
}

static void event(Model *m, Event *event) { (void)m, (void)event; }

const ModelType model_type = {
    .name = "heated",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .states = (const unsigned[]){T},
    .derivatives = (const unsigned[]){DER_T},
    .state_count = 1,
    .event = event,
    .saves_state = true,
};
