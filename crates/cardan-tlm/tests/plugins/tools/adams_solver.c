/* A solver that treats GFOSUB as Adams does: a call for dependencies, tries that are thrown away, calls that vary states while time
 * stands still. ADAMS_LENGTH in the environment is the length of its unit in metres. */
#include "body.h"
#include "utilCcallable.h"
#include <stdlib.h>
#include <string.h>

static body now;
static double converged, unit = 1.0;

void c_sysary(const char *function, const int *p, int count, REAL *states, int *state_count, BOOL *failed) {
    *state_count = 6, *failed = (p[0] != 4 && p[0] != 11) || p[1] != 1000;
    memset(states, 0, 6 * sizeof *states);
    if (!strcmp(function, "DISP") && count == 3) {
        for (int i = 0; i < 3; i++) states[i] = now.r[i] / unit;
        states[3] = now.angle; /* psi, theta, phi: all of it in the first */
    } else if (!strcmp(function, "VEL") && count == 4) {
        for (int i = 0; i < 3; i++) states[i] = now.v[i] / unit, states[3 + i] = now.w[i];
    } else *failed = 1;
}
void c_rcnvrt(const char *from, const REAL *angles, const char *to, REAL *cosines, int *failed) {
    body turned = now;
    turned.angle = angles[0];
    *failed = strcmp(from, "EULER") || strcmp(to, "COSINES");
    orientation(&turned, cosines); /* by columns, of marker to ground: by rows, of ground to marker */
}
void c_gtunts(BOOL *exist, REAL *scales, char *units) {
    memset(units, ' ', 12);
    *exist = unit != 1.0;
    scales[0] = 1.0, scales[1] = unit, scales[2] = 1.0, scales[3] = 1.0;
}
void c_timget(REAL *last_converged) { *last_converged = converged; }
void c_errmes(int failed, const char *words, int id, const char *ending) {
    fprintf(stderr, "%d %d: %s %s\n", failed, id, words, ending);
    exit(1);
}

static void force(double time, int derivatives, int init, double load[6]) {
    double par[2] = {4.0, 1000.0}, free_one[2] = {11.0, 1000.0}, other[6];
    int id = 100, second = 101, two = 2;
    gfosub_(&id, &time, par, &two, &derivatives, &init, load);
    gfosub_(&second, &time, free_one, &two, &derivatives, &init, other); /* a marker that the model does not connect */
    for (int i = 0; i < 6; i++)
        if (other[i] != 0.0) exit(3);
    for (int i = 3; i < 6; i++) load[i] *= unit;
}

int main(void) {
    const char *length = getenv("ADAMS_LENGTH");
    double end = 0.1, h = 5e-4, load[6], nothing[6];
    if (length) unit = strtod(length, NULL);
    now = at_start(0);
    force(0.0, 0, 1, load);
    long steps = lround(end / h);
    for (long i = 0; i < steps; i++) {
        double t = (double)i * h;
        body kept = now;
        if (i) { /* a try that is too long, and one that does not converge */
            now.r[0] += 1.0, now.v[0] -= 9.0;
            force(t - 0.1 * h, 0, 0, nothing);
            now.r[1] += 1.0;
            force(t - 0.4 * h, 0, 0, nothing);
            now.v[1] += 50.0;
            force(t, 0, 0, nothing);
            now = kept;
        }
        force(t, 0, 0, load);
        now.v[2] += 1e-6;
        force(t, 1, 0, nothing);
        now = kept;
        converged = t;
        advance(&now, h, load);
    }
    force(end, 0, 0, nothing);
    print(&now);
    return 0;
}
