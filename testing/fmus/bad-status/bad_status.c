// Answers a step with a bad status, at times given by parameters; a negative time means never.
#include "model.h"

struct Model {
    double time, u, error_at, discard_at, fatal_at, y;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time),      REAL(INPUT, u),            REAL(PARAMETER, error_at),
    REAL(PARAMETER, discard_at),  REAL(PARAMETER, fatal_at), REAL(OUTPUT, y),
};

static void start(Model *m) {
    m->u = 1;
    m->error_at = m->discard_at = m->fatal_at = -1;
}

static bool passes(const Step *step, double at) { return at >= 0 && step->start <= at && step->reached > at; }

static Status step(Model *m, Step *step) {
    if (passes(step, m->fatal_at)) return report(m, FATAL, "fatal, as asked, at %g", m->fatal_at);
    if (passes(step, m->error_at)) return report(m, ERROR, "an error, as asked, at %g", m->error_at);
    // A step that begins at this very time is fine: the way on is a step that ends there.
    if (passes(step, m->discard_at) && step->start < m->discard_at) {
        // FMI 2 goes as far as it can; FMI 3 stays where it was.
        step->reached = FMI_VERSION == 2 ? m->discard_at : step->start;
        m->y += (step->reached - step->start) * m->u;
        return report(m, DISCARD, "discarded, as asked: no step passes %g", m->discard_at);
    }
    m->y += step->size * m->u;
    return OK;
}

const ModelType model_type = {
    .name = "bad-status",
    VARIABLES(variables),
    .start = start,
    .step = step,
    .saves_state = true,
};
