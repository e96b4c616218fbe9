/* A solver that treats the S-function as Simulink does: sizes, sample times, start; outputs and update at major steps, outputs
 * alone at minor ones, with motion that is only a guess. */
#include "simstruc.h"
#include "body.h"
#include <string.h>
typedef struct {
    void (*sizes)(SimStruct *), (*sample_times)(SimStruct *), (*start)(SimStruct *), (*outputs)(SimStruct *, int_T),
        (*update)(SimStruct *, int_T), (*terminate)(SimStruct *);
} standin_sfunction;
const standin_sfunction *standin_tlmforce(void);

static int failed(const SimStruct *s) {
    if (s->error) fprintf(stderr, "%s\n", s->error);
    return s->error != NULL;
}

int main(void) {
    const standin_sfunction *f = standin_tlmforce();
    SimStruct s;
    double end = 0.1, load[6];
    body b = at_start(0);
    memset(&s, 0, sizeof s);
    s.path = "shaft/Interface/tlm";
    f->sizes(&s);
    if (s.in_ports != 4 || s.out_ports != 4 || s.in_width[1] != 9 || s.in_width[3] != 3 || s.out_width[2] != 3 || s.out_width[3] != 9 || !s.direct[2]) return 2;
    f->sample_times(&s);
    if (failed(&s)) return 1;
    f->start(&s);
    double h = s.sample_time[1];
    long steps = lround(end / h);
    for (long i = 0; i < steps && !failed(&s) && !s.stop; i++) {
        s.time = (double)i * h, s.hit = 1;
        memcpy(s.in[0], b.r, 24), orientation(&b, s.in[1]), memcpy(s.in[2], b.v, 24), memcpy(s.in[3], b.w, 24);
        f->outputs(&s, 0);
        memcpy(load, s.out[0], 24), memcpy(load + 3, s.out[1], 24);
        f->update(&s, 0);
        s.time += h / 2, s.hit = 0, s.in[2][0] += 7.0; /* a minor step */
        f->outputs(&s, 0);
        f->update(&s, 0);
        advance(&b, h, load);
    }
    if (s.out[2][2] == 0.0) return 3; /* the other end has a place by now */
    f->terminate(&s);
    print(&b);
    return failed(&s);
}
