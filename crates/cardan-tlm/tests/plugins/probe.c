/* Does what its input says, one call a line, and prints what came of it: the tests drive the library through it. */
#include "cardan_tlm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardan_tlm *t;
static char *words[64];
static int count;

static double d(int k) { return k < count ? strtod(words[k], NULL) : 0.0; }
static int n(int k) { return (int)d(k); }
static void numbers(const double *from, int many) {
    for (int k = 0; k < many; k++) printf(" %.17g", from[k]);
}

static void answer(int code, const double *values, int many) {
    if (code < 0) printf("error %d %s\n", code, cardan_tlm_error(t));
    else if (code == CARDAN_TLM_DONE) puts("done");
    else printf("ok"), numbers(values, many), putchar('\n');
}

static void obey(const char *w) {
    double v[32] = {0}, a[24] = {0};
    for (int k = 0; k < 24; k++) a[k] = d(k + 1);
    int id = n(1), code = 0, many = 0;
    if (!strcmp(w, "connect")) code = cardan_tlm_connect(t, words[1], d(2), d(3), d(4), words[5]);
    else if (!strcmp(w, "config")) {
        cardan_tlm_config c;
        code = cardan_tlm_read_config(t, words[1], &c);
        if (!code) { printf("ok %s %s %.17g %.17g %.17g\n", c.model, c.server, c.start, c.end, c.max_step); return; }
    } else if (!strcmp(w, "iface")) {
        code = cardan_tlm_register_interface(t, words[1], n(2), words[3], words[4]);
        if (code >= -1) v[0] = code, code = 0;
        many = 1;
    } else if (!strcmp(w, "param")) {
        const char *name = "", *value = "";
        code = cardan_tlm_register_parameter(t, words[1], words[2]);
        if (code >= 0) { cardan_tlm_parameter(t, code, &name, &value); printf("ok %s %s\n", name, value); return; }
    } else if (!strcmp(w, "force1")) code = cardan_tlm_set_initial_force1d(t, id, a[1]);
    else if (!strcmp(w, "force3")) code = cardan_tlm_set_initial_force3d(t, id, a + 1);
    else if (!strcmp(w, "flow1")) code = cardan_tlm_set_initial_flow1d(t, id, a[1]);
    else if (!strcmp(w, "flow3")) code = cardan_tlm_set_initial_flow3d(t, id, a + 1);
    else if (!strcmp(w, "first")) code = cardan_tlm_set_initial_value(t, id, a[1]);
    else if (!strcmp(w, "check")) code = cardan_tlm_check_model(t);
    else if (!strcmp(w, "get1")) code = cardan_tlm_get_force1d(t, id, a[1], a[2], v), many = 1;
    else if (!strcmp(w, "get3")) code = cardan_tlm_get_force3d(t, id, a[1], a + 2, a + 5, v), many = 6;
    else if (!strcmp(w, "wave1")) code = cardan_tlm_get_wave_impedance1d(t, id, a[1], v, v + 1), many = 2;
    else if (!strcmp(w, "wave3")) code = cardan_tlm_get_wave_impedance3d(t, id, a[1], v, v + 1, v + 2), many = 8;
    else if (!strcmp(w, "value")) code = cardan_tlm_get_value(t, id, a[1], v), many = 1;
    else if (!strcmp(w, "set1")) code = cardan_tlm_set_motion1d(t, id, a[1], a[2], a[3]);
    else if (!strcmp(w, "set3")) code = cardan_tlm_set_motion3d(t, id, a[1], a + 2, a + 5, a + 14, a + 17);
    else if (!strcmp(w, "setvalue")) code = cardan_tlm_set_value(t, id, a[1], a[2]);
    else if (!strcmp(w, "params")) { cardan_tlm_params p; code = cardan_tlm_get_params(t, id, &p), memcpy(v, &p, sizeof p), many = 29; }
    else if (!strcmp(w, "datas")) { cardan_tlm_signal_data s; code = cardan_tlm_get_data_signal(t, id, a[1], &s), memcpy(v, &s, sizeof s), many = 2; }
    else if (!strcmp(w, "data1")) { cardan_tlm_data1d s; code = cardan_tlm_get_data1d(t, id, a[1], &s), memcpy(v, &s, sizeof s), many = 4; }
    else if (!strcmp(w, "data3")) { cardan_tlm_data3d s; code = cardan_tlm_get_data3d(t, id, a[1], &s), memcpy(v, &s, sizeof s), many = 25; }
    else if (!strcmp(w, "pure1")) { /* hydraulic if the last word says so */
        cardan_tlm_data1d s; cardan_tlm_params p;
        code = cardan_tlm_get_data1d(t, id, a[1], &s), cardan_tlm_get_params(t, id, &p);
        v[0] = cardan_tlm_force1d(a[2], &s, &p, n(4)), many = 1;
    } else if (!strcmp(w, "pure3")) {
        cardan_tlm_data3d s; cardan_tlm_params p;
        code = cardan_tlm_get_data3d(t, id, a[1], &s), cardan_tlm_get_params(t, id, &p);
        cardan_tlm_force3d(a + 2, a + 5, &s, &p, v), many = 6;
    } else if (!strcmp(w, "seen")) {
        cardan_tlm_data3d s; cardan_tlm_params p;
        code = cardan_tlm_get_data3d(t, id, a[1], &s), cardan_tlm_get_params(t, id, &p);
        cardan_tlm_seen_from_component(&s, &p, v, v + 3), many = 12;
    } else if (!strcmp(w, "cubic")) code = cardan_tlm_set_interpolation(t, CARDAN_TLM_CUBIC);
    else if (!strcmp(w, "feedback")) code = cardan_tlm_set_filter_feedback(t, a[0]);
    else if (!strcmp(w, "patience")) code = cardan_tlm_set_patience(t, a[0], a[1]);
    else if (!strcmp(w, "signals")) code = cardan_tlm_abort_on_signals(t);
    else if (!strcmp(w, "extrapolations")) v[0] = (double)cardan_tlm_extrapolations(t), many = 1;
    else if (!strcmp(w, "close")) code = cardan_tlm_await_close_permission(t);
    else if (!strcmp(w, "free")) { cardan_tlm_free(t), t = cardan_tlm_new(); }
    else { printf("error 0 unknown %s\n", w); return; }
    answer(code, v, many);
}

int main(void) {
    char line[4096];
    t = cardan_tlm_new();
    while (fgets(line, sizeof line, stdin)) {
        count = 0;
        for (char *w = strtok(line, " \n"); w && count < 63; w = strtok(NULL, " \n")) words[count++] = w;
        for (int k = count; k < 64; k++) words[k] = NULL;
        if (count) obey(words[0]);
        fflush(stdout);
    }
    cardan_tlm_free(t);
    return 0;
}
