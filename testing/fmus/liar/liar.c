// Declares that y reacts to u at once, but y takes u over in the next step. From `nan_at` on, y is not a number.
#include "model.h"

#include <math.h>

struct Model {
    double time, u, nan_at, y;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, u), REAL(PARAMETER, nan_at), REAL(OUTPUT, y),
};

static void start(Model *m) { m->nan_at = 1e6; }

static Status step(Model *m, Step *step) {
    m->y = step->reached >= m->nan_at ? NAN : m->u;
    return OK;
}

const ModelType model_type = {
    .name = "liar",
    VARIABLES(variables),
    .start = start,
    .step = step,
    .saves_state = true,
};
