/* A body of 2 kg on springs, turning about z: what all the solvers here simulate, in the same steps. */
#include <math.h>
#include <stdio.h>
typedef struct { double r[3], v[3], angle, w[3]; } body;

static body at_start(int which) {
    body b = {{which ? 0.02 : 0.01, -0.01, 0.03}, {0.0, 0.0, 0.0}, which ? 0.1 : -0.2, {0.0, 0.0, 0.0}};
    return b;
}
static void orientation(const body *b, double a[9]) {
    double c = cos(b->angle), s = sin(b->angle), turned[9] = {c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0};
    for (int i = 0; i < 9; i++) a[i] = turned[i];
}
static void advance(body *b, double h, const double load[6]) {
    for (int i = 0; i < 3; i++) b->v[i] += h * (load[i] - 900.0 * b->r[i]) / 2.0, b->r[i] += h * b->v[i];
    b->w[2] += h * (load[5] - 3.0 * b->angle) / 0.05, b->angle += h * b->w[2];
}
static void print(const body *b) {
    printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b->r[0], b->r[1], b->r[2], b->v[0], b->v[1], b->v[2], b->angle, b->w[2]);
}
