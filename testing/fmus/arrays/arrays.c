// Linear state space x' = A x + B u, y = C x + D u. Structural parameters give the sizes; matrices are stored by rows.
#include "model.h"
#include "rk4.h"

enum { MOST = RK4_STATES };

struct Model {
    double time;
    uint64_t n, m, r;
    double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], D[MOST * MOST];
    double x0[MOST], u[MOST], x[MOST], der_x[MOST], y[MOST];
    double triple_in[3], triple_out[3];
};

enum { TIME, N, M, R, A, B, C, D, X0, U, X, DER_X, Y, TRIPLE_IN, TRIPLE_OUT };

#define MATRIX(role, member, rows, columns) {FLOAT64, role, offsetof(Model, member), 0, {rows, columns}}
#define VECTOR(role, member, size) MATRIX(role, member, size, 0)

static const Variable variables[] = {
    [TIME] = REAL(INDEPENDENT, time),
    [N] = VARIABLE(UINT64, STRUCTURAL, n),
    [M] = VARIABLE(UINT64, STRUCTURAL, m),
    [R] = VARIABLE(UINT64, STRUCTURAL, r),
    [A] = MATRIX(TUNABLE, A, N, N),
    [B] = MATRIX(TUNABLE, B, N, M),
    [C] = MATRIX(TUNABLE, C, R, N),
    [D] = MATRIX(TUNABLE, D, R, M),
    [X0] = VECTOR(PARAMETER, x0, N),
    [U] = VECTOR(INPUT, u, M),
    [X] = VECTOR(OUTPUT, x, N),
    [DER_X] = VECTOR(OUTPUT, der_x, N),
    [Y] = VECTOR(OUTPUT, y, R),
    [TRIPLE_IN] = {FLOAT64, INPUT, offsetof(Model, triple_in), 3, {0, 0}},
    [TRIPLE_OUT] = {FLOAT64, OUTPUT, offsetof(Model, triple_out), 3, {0, 0}},
};

// Matrices and vectors of a new size start anew: A = -I, B and C full of ones, all else zero.
static Status configured(Model *m) {
    if (m->n > MOST || m->m > MOST || m->r > MOST) {
        return report(m, ERROR, "n, m and r must not be above %d", MOST);
    }
    for (int i = 0; i < MOST * MOST; i++) {
        m->A[i] = m->D[i] = 0;
        m->B[i] = m->C[i] = 1;
    }
    for (unsigned i = 0; i < m->n; i++) m->A[i * m->n + i] = -1;
    for (int i = 0; i < MOST; i++) m->x0[i] = m->u[i] = m->x[i] = m->y[i] = 0;
    return OK;
}

static void start(Model *m) {
    m->n = 2;
    m->m = m->r = 1;
    configured(m);
}

static Status initialize(Model *m) {
    for (unsigned i = 0; i < m->n; i++) m->x[i] = m->x0[i];
    return OK;
}

// to = left x + right u, each with one row for an element of `to`.
static void combine(const Model *m, uint64_t rows, const double *left, const double *x, const double *right,
                    double *to) {
    for (uint64_t i = 0; i < rows; i++) {
        double sum = 0;
        for (uint64_t k = 0; k < m->n; k++) sum += left[i * m->n + k] * x[k];
        for (uint64_t k = 0; k < m->m; k++) sum += right[i * m->m + k] * m->u[k];
        to[i] = sum;
    }
}

static void slopes(Model *m, int stage, const double *x, double *dx) {
    (void)stage; // the input is held
    combine(m, m->n, m->A, x, m->B, dx);
}

static void compute(Model *m) {
    combine(m, m->n, m->A, m->x, m->B, m->der_x);
    combine(m, m->r, m->C, m->x, m->D, m->y);
    for (int i = 0; i < 3; i++) m->triple_out[i] = m->triple_in[i];
}

static Status step(Model *m, Step *step) {
    rk4(m, step->size, (int)m->n, m->x, slopes);
    return OK;
}

const ModelType model_type = {
    .name = "arrays",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .compute = compute,
    .step = step,
    .configured = configured,
    .offers_exchange = true,
    .states = (const unsigned[]){X},
    .derivatives = (const unsigned[]){DER_X},
    .state_count = 1,
    .saves_state = true,
};
