// Counts its steps, and tells the count as a number, as text and as bytes, one byte a step.
#include "model.h"

#include <stdio.h>

struct Model {
    double time;
    int32_t first, count;
    Text text;
    Bytes bytes;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time),
    VARIABLE(INT32, PARAMETER, first),
    VARIABLE(INT32, OUTPUT, count),
    VARIABLE(TEXT, OUTPUT, text),
    VARIABLE(BYTES, OUTPUT, bytes),
};

static Status initialize(Model *m) {
    m->count = m->first;
    return OK;
}

static void compute(Model *m) {
    snprintf(m->text, sizeof m->text, "count %d", (int)m->count);
    m->bytes.size = m->count < 0 ? 0 : m->count > BYTES_CAPACITY ? BYTES_CAPACITY : (size_t)m->count;
    for (size_t i = 0; i < m->bytes.size; i++) m->bytes.data[i] = (uint8_t)i;
}

static Status step(Model *m, Step *step) {
    (void)step;
    m->count++;
    return OK;
}

const ModelType model_type = {
    .name = "counter",
    VARIABLES(variables),
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .saves_state = true,
};
