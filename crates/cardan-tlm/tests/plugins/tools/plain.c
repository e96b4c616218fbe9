/* The body as a client of its own: what the tools must agree with. plain NAME START END STEP SERVER MODEL */
#include "body.h"
#include "cardan_tlm.h"
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
    cardan_tlm *line = cardan_tlm_new();
    double end = count > 5 ? strtod(words[3], NULL) : 0.0, h = count > 5 ? strtod(words[4], NULL) : 1.0, load[6], a[9];
    body b = at_start(!strcmp(words[1], "b"));
    int id = -9, code = cardan_tlm_connect(line, words[1], 0.0, end, h, words[5]);
    if (code == 0 && (id = cardan_tlm_register_interface(line, !strcmp(words[1], "adams") ? "M4" : "tlm", 6, NULL, NULL)) < -1) code = id;
    long steps = lround(end / h);
    for (long i = 0; i < steps && code == 0; i++) {
        double t = (double)i * h;
        orientation(&b, a);
        code = cardan_tlm_get_force3d(line, id, t, b.v, b.w, load);
        if (code == 0) code = cardan_tlm_set_motion3d(line, id, t, b.r, a, b.v, b.w);
        advance(&b, h, load);
    }
    if (code == 0) code = cardan_tlm_await_close_permission(line);
    if (code) fprintf(stderr, "%s\n", cardan_tlm_error(line));
    print(&b);
    cardan_tlm_free(line);
    return code != 0;
}
