/* GFOSUB for Adams/Solver: general forces that are TLM interfaces.
 *
 *   cc -std=c99 -O2 -fPIC -shared -I../c -I<headers of Adams> tlmadams.c ../c/cardan_tlm*.c -lm -o tlmadams.so
 *
 * A GFORCE with ROUTINE=tlmadams:: and USER(marker, reference) makes an interface `M<marker>` of its marker, with motion
 * and load in the frame of the reference marker (0 or missing: ground). Adams tries steps and throws some of them away, so
 * motion is kept until Adams says that the step it belongs to has converged. Units of the model become SI and back. The
 * connection is made as tlm.config in the working folder says; StartTLMAdams writes it. Set HMAX of the integrator to no
 * more than the largest step in it. */
#include "userPortName.h"
#include "utilCcallable.h"
#include "cardan_tlm.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MARKERS = 256, TIME = 0, LENGTH, FORCE, MASS };
typedef struct { double time, position[3], orientation[9], speed[3], ang_speed[3]; } motion;
typedef struct { int marker, id, known; motion last; } tie; /* known: `last` holds a motion that has not been told */

static cardan_tlm *line;
static cardan_tlm_config config;
static tie ties[MOST_MARKERS];
static int tie_count;

static void give_up(int id, const char *why) { c_errmes(1, why, id, "STOP"); }

static void failed(int id, int code) {
    if (code == CARDAN_TLM_DONE) exit(0); /* the manager only wanted to know where the interfaces are; Adams has no way to end well from here */
    if (code < 0) give_up(id, cardan_tlm_error(line));
}

/* Adams tells nobody that it ends: the goodbye is said when the process does. What it evaluated at the end of the simulation has
 * converged, since there was nothing after it. */
static void goodbye(void) {
    for (int i = 0; i < tie_count; i++) {
        motion *m = &ties[i].last;
        if (ties[i].known && m->time >= config.end - 1e-9 * (config.end - config.start))
            cardan_tlm_set_motion3d(line, ties[i].id, m->time, m->position, m->orientation, m->speed, m->ang_speed);
    }
    cardan_tlm_free(line), line = NULL;
}

static tie *tie_of(int id, int marker) {
    char name[32];
    for (int i = 0; i < tie_count; i++)
        if (ties[i].marker == marker) return ties + i;
    if (tie_count == MOST_MARKERS) return give_up(id, "tlmadams: there are more than 256 TLM markers."), (tie *)NULL;
    if (!line) {
        if (!(line = cardan_tlm_new())) return give_up(id, "tlmadams: there is no memory."), (tie *)NULL;
        failed(id, cardan_tlm_read_config(line, "tlm.config", &config));
        failed(id, cardan_tlm_connect(line, config.model, config.start, config.end, config.max_step, config.server));
        atexit(goodbye);
    }
    tie *t = ties + tie_count++;
    memset(t, 0, sizeof *t);
    snprintf(name, sizeof name, "M%d", marker);
    t->marker = marker, t->id = cardan_tlm_register_interface(line, name, 6, "bidirectional", "mechanical");
    if (t->id < CARDAN_TLM_UNCONNECTED) failed(id, t->id);
    return t;
}

/* Motion of a marker in SI units. Adams lists matrices by columns; of marker to reference, that is reference to marker by rows. */
static int look(int id, int marker, int reference, const double *scales, double time, motion *m) {
    int markers[4] = {marker, reference, reference, reference}, count = 0, wrong = 0;
    double place[6], speed[6];
    c_sysary("DISP", markers, 3, place, &count, &wrong);
    if (!wrong) c_rcnvrt("EULER", place + 3, "COSINES", m->orientation, &wrong);
    if (!wrong) c_sysary("VEL", markers, 4, speed, &count, &wrong);
    if (wrong) return give_up(id, "tlmadams: Adams does not know the motion of the marker."), 0;
    m->time = time * scales[TIME];
    for (int i = 0; i < 3; i++) {
        m->position[i] = place[i] * scales[LENGTH];
        m->speed[i] = speed[i] * scales[LENGTH] / scales[TIME], m->ang_speed[i] = speed[3 + i] / scales[TIME];
    }
    return 1;
}

/* Tells the motion of all markers at the end of the last step that converged. */
static void tell_converged(int id, double converged) {
    for (int i = 0; i < tie_count; i++) {
        motion *m = &ties[i].last;
        if (!ties[i].known || fabs(m->time - converged) > 1e-12 * (1.0 + fabs(converged))) continue;
        failed(id, cardan_tlm_set_motion3d(line, ties[i].id, m->time, m->position, m->orientation, m->speed, m->ang_speed));
        ties[i].known = 0;
    }
}

VOID_FUNCTION GFOSUB(int *id, REAL *time, REAL *par, int *npar, BOOL *dflag, BOOL *iflag, REAL *result) {
    double scales[4] = {1.0, 1.0, 1.0, 1.0}, converged = 0.0, load[6];
    char units[12];
    BOOL has_units = 0;
    motion now;
    memset(result, 0, 6 * sizeof *result);
    if (*npar < 1 || *npar > 2) { give_up(*id, "tlmadams: USER needs the marker, and perhaps a reference marker."); return; }
    c_gtunts(&has_units, scales, units);
    if (!has_units) scales[TIME] = scales[LENGTH] = scales[FORCE] = scales[MASS] = 1.0;
    int marker = (int)par[0], reference = *npar == 2 ? (int)par[1] : 0;
    tie *t = tie_of(*id, marker);
    /* Also where no load is wanted: Adams finds out from these calls what the force depends on. */
    if (!t || !look(*id, marker, reference, scales, *time, &now) || *iflag) return;
    if (!*dflag) { /* not while Adams varies states at a time that stands still */
        c_timget(&converged);
        if (t->known && t->last.time != now.time) tell_converged(*id, converged * scales[TIME]);
        t->last = now, t->known = 1;
    }
    failed(*id, cardan_tlm_get_force3d(line, t->id, now.time, now.speed, now.ang_speed, load));
    for (int i = 0; i < 6; i++) result[i] = load[i] / scales[FORCE] / (i < 3 ? 1.0 : scales[LENGTH]);
}
