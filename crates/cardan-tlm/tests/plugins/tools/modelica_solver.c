/* A simulation that calls the external functions as a Modelica tool does. */
#include "ModelicaUtilities.h"
#include "body.h"
#include "tlmforce.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void ModelicaFormatError(const char *format, ...) {
    va_list words;
    va_start(words, format);
    vfprintf(stderr, format, words);
    va_end(words);
    exit(1);
}

int main(void) {
    void *tlm = TLMOpen("tlm", 6, "bidirectional", "mechanical"), *open_end = TLMOpen("free", 1, "bidirectional", "mechanical");
    double end = 0.1, h = TLMGetDelay(tlm) / 2, load[6], a[9];
    body b = at_start(0);
    if (TLMGetStartTime(tlm) != 0.0) return 2;
    long steps = lround(end / h);
    for (long i = 0; i < steps; i++) {
        double t = (double)i * h;
        orientation(&b, a);
        TLMGetForce3D(tlm, t, b.r, a, b.v, b.w, load, load + 3);
        if (TLMGetForce1D(open_end, t, 0.0, 1.0) != 0.0) return 3;
        TLMSetMotion3D(tlm, t, b.r, a, b.v, b.w); /* the event */
        TLMSetMotion1D(open_end, t, 0.0, 1.0);
        advance(&b, h, load);
    }
    TLMClose(open_end);
    TLMClose(tlm);
    print(&b);
    return 0;
}
