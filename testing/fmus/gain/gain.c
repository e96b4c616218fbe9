// y = a u + b, at once: two of them make an algebraic loop. Offers directional derivatives.
#include "model.h"

struct Model {
    double time, u, a, b, y;
};

enum { TIME, U, A, B, Y };

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time), [U] = REAL(INPUT, u),  [A] = REAL(TUNABLE, a),
    [B] = REAL(TUNABLE, b),           [Y] = REAL(OUTPUT, y),
};

static void start(Model *m) { m->a = 1; }

static void compute(Model *m) { m->y = m->a * m->u + m->b; }

static double partial(const Model *m, unsigned unknown, unsigned known) {
    if (unknown != Y) return 0;
    return known == U ? m->a : known == A ? m->u : known == B;
}

static Status step(Model *m, Step *step) {
    (void)m, (void)step;
    return OK;
}

const ModelType model_type = {
    .name = "gain",
    VARIABLES(variables),
    .start = start,
    .compute = compute,
    .step = step,
    .partial = partial,
    .saves_state = true,
};
