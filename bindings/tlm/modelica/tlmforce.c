/* External functions behind TLM.mo; see tlmforce.h. Compile with ../c/cardan_tlm*.c and ModelicaUtilities.h of the tool. */
#include "tlmforce.h"
#include "ModelicaUtilities.h"
#include "cardan_tlm.h"
#include <stdlib.h>
#include <string.h>

static cardan_tlm *line;
static cardan_tlm_config config;
static int open_interfaces;

static void failed(int code) {
    if (code == CARDAN_TLM_DONE) exit(0); /* the manager only wanted to know where the interfaces are: not an error, and a function cannot end a simulation otherwise */
    if (code < 0) ModelicaFormatError("TLM: %s", cardan_tlm_error(line));
}

void *TLMOpen(const char *name, int dimensions, const char *causality, const char *domain) {
    int *id = malloc(sizeof *id);
    if (!id || (!line && !(line = cardan_tlm_new()))) ModelicaFormatError("TLM: there is no memory.");
    if (!open_interfaces++) {
        failed(cardan_tlm_read_config(line, "tlm.config", &config));
        failed(cardan_tlm_connect(line, config.model, config.start, config.end, config.max_step, config.server));
    }
    *id = cardan_tlm_register_interface(line, name, dimensions, causality, domain);
    if (*id < CARDAN_TLM_UNCONNECTED) failed(*id);
    return id;
}

void TLMClose(void *interface) {
    free(interface);
    if (--open_interfaces == 0) cardan_tlm_free(line), line = NULL;
}

static int id_of(void *interface) { return *(int *)interface; }

double TLMGetDelay(void *interface) {
    cardan_tlm_params p;
    cardan_tlm_get_params(line, id_of(interface), &p);
    return p.Delay > 0.0 ? p.Delay : config.max_step > 0.0 ? config.max_step : 1e-4;
}

double TLMGetStartTime(void *interface) { return (void)interface, config.start; }

double TLMGetForce1D(void *interface, double time, double x, double v) {
    double force;
    (void)x;
    failed(cardan_tlm_get_force1d(line, id_of(interface), time, v, &force));
    return force;
}

void TLMGetForce3D(void *interface, double time, const double *r, const double *A, const double *v, const double *w, double *f, double *t) {
    double load[6];
    (void)r, (void)A;
    failed(cardan_tlm_get_force3d(line, id_of(interface), time, v, w, load));
    memcpy(f, load, 3 * sizeof *f), memcpy(t, load + 3, 3 * sizeof *t);
}

double TLMGetValue(void *interface, double time) {
    double value;
    failed(cardan_tlm_get_value(line, id_of(interface), time, &value));
    return value;
}

void TLMSetMotion1D(void *interface, double time, double x, double v) { failed(cardan_tlm_set_motion1d(line, id_of(interface), time, x, v)); }

void TLMSetMotion3D(void *interface, double time, const double *r, const double *A, const double *v, const double *w) {
    failed(cardan_tlm_set_motion3d(line, id_of(interface), time, r, A, v, w));
}

void TLMSetValue(void *interface, double time, double value) { failed(cardan_tlm_set_value(line, id_of(interface), time, value)); }
