// For every type an input, an output that equals it at once, and a parameter.
#include "model.h"

#include <string.h>

#if FMI_VERSION == 2
#define EACH(X)                                                                                                  \
    X(FLOAT64, double, real, INPUT)                                                                              \
    X(FLOAT64, double, discrete_real, DISCRETE_INPUT)                                                            \
    X(INT32, int32_t, integer, DISCRETE_INPUT)                                                                   \
    X(BOOLEAN, bool, boolean, DISCRETE_INPUT)                                                                    \
    X(TEXT, Text, string, DISCRETE_INPUT)                                                                        \
    X(ENUMERATION, Enumeration, enumeration, DISCRETE_INPUT)
#else
#define EACH(X)                                                                                                  \
    X(FLOAT64, double, float64, INPUT)                                                                           \
    X(FLOAT64, double, discrete_float64, DISCRETE_INPUT)                                                         \
    X(FLOAT32, float, float32, INPUT)                                                                            \
    X(FLOAT32, float, discrete_float32, DISCRETE_INPUT)                                                          \
    X(INT8, int8_t, int8, DISCRETE_INPUT)                                                                        \
    X(UINT8, uint8_t, uint8, DISCRETE_INPUT)                                                                     \
    X(INT16, int16_t, int16, DISCRETE_INPUT)                                                                     \
    X(UINT16, uint16_t, uint16, DISCRETE_INPUT)                                                                  \
    X(INT32, int32_t, int32, DISCRETE_INPUT)                                                                     \
    X(UINT32, uint32_t, uint32, DISCRETE_INPUT)                                                                  \
    X(INT64, int64_t, int64, DISCRETE_INPUT)                                                                     \
    X(UINT64, uint64_t, uint64, DISCRETE_INPUT)                                                                  \
    X(BOOLEAN, bool, boolean, DISCRETE_INPUT)                                                                    \
    X(TEXT, Text, string, DISCRETE_INPUT)                                                                        \
    X(BYTES, Bytes, binary, DISCRETE_INPUT)                                                                      \
    X(ENUMERATION, Enumeration, enumeration, DISCRETE_INPUT)
#endif

struct Model {
    double time;
#define MEMBERS(type, c_type, name, role) c_type name##_in, name##_out, name##_parameter;
    EACH(MEMBERS)
    double tunable;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time),
#define ROWS(type, c_type, name, role)                                                                           \
    VARIABLE(type, role, name##_in), VARIABLE(type, OUTPUT, name##_out), VARIABLE(type, PARAMETER, name##_parameter),
    EACH(ROWS) // three references a type
    REAL(TUNABLE, tunable),
};

static void start(Model *m) { m->enumeration_in = m->enumeration_parameter = 1; }

static void compute(Model *m) {
#define COPY(type, c_type, name, role) memcpy(&m->name##_out, &m->name##_in, sizeof(c_type));
    EACH(COPY)
}

// Nothing changes with time.
static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "feedthrough",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .offers_exchange = true,
    .saves_state = true,
};
