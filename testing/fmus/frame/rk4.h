// The classical Runge-Kutta method of order four.
#ifndef RK4_H
#define RK4_H

#include "model.h"

enum { RK4_STATES = 8 };

// The slopes of the states at stage 0 (begin), 1 (middle, twice) or 2 (end of the step).
typedef void Slopes(Model *, int stage, const double *states, double *slopes);

static inline void rk4(Model *model, double size, int count, double *states, Slopes *slopes) {
    static const int stage[] = {0, 1, 1, 2};
    static const double reach[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double at[RK4_STATES] = {0}, slope[RK4_STATES] = {0}, sum[RK4_STATES] = {0};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < count; i++) at[i] = states[i] + reach[s] * size * slope[i];
        slopes(model, stage[s], at, slope);
        for (int i = 0; i < count; i++) sum[i] += weight[s] * slope[i];
    }
    for (int i = 0; i < count; i++) states[i] += size / 6 * sum[i];
}

#endif
