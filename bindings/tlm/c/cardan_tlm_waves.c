/* Samples in order of time and what is read from them; the pure functions of the arithmetic. No sockets here. */
#include "cardan_tlm_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const double *tlm_history_at(const tlm_history *h, size_t index) { return h->numbers + (h->first + index) * h->width; }

static double time_of(const tlm_history *h, size_t index) { return tlm_history_at(h, index)[0]; }

int tlm_history_add(tlm_history *h, const double *sample) {
    /* The first of two samples of one instant stays: which of them is read must not depend on when the second comes. */
    if (h->count && sample[0] <= time_of(h, h->count - 1)) return 0;
    if (h->first + h->count == h->room) {
        if (h->first > h->count) { /* the front is empty: more room than there is behind it */
            memmove(h->numbers, tlm_history_at(h, 0), h->count * h->width * sizeof(double));
            h->first = 0;
        } else {
            size_t room = h->room ? 2 * h->room : 16;
            double *grown = room > SIZE_MAX / sizeof(double) / h->width ? NULL : realloc(h->numbers, room * h->width * sizeof(double));
            if (!grown) return -1;
            h->numbers = grown, h->room = room;
        }
    }
    memcpy(h->numbers + (h->first + h->count++) * h->width, sample, h->width * sizeof(double));
    return 1;
}

int tlm_history_replace(tlm_history *h, const double *sample) {
    if (h->count && sample[0] == time_of(h, h->count - 1)) h->count--;
    return tlm_history_add(h, sample);
}

size_t tlm_history_find(const tlm_history *h, double time, double slack) {
    size_t low = 0, high = h->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (time_of(h, middle) >= time - slack) high = middle;
        else low = middle + 1;
    }
    return low;
}

void tlm_history_forget(tlm_history *h, double time) {
    while (h->count > 4 && time_of(h, 4) <= time) h->first++, h->count--, h->dropped++;
}

void tlm_history_free(tlm_history *h) {
    free(h->numbers);
    memset(h, 0, sizeof *h);
}

void tlm_apply(const double a[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
}

void tlm_apply_transposed(const double a[9], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = a[i] * v[0] + a[3 + i] * v[1] + a[6 + i] * v[2];
}

void tlm_multiply(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 9; i++) {
        const double *row = a + i / 3 * 3, *column = b + i % 3;
        out[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
}

/* From A0 a part of the way to A1: the angles of the turn between them grow evenly. */
static void turn(const double a0[9], const double a1[9], double part, double out[9]) {
    double between[9], step[9], a0t[9];
    for (int i = 0; i < 9; i++) a0t[i] = a0[i % 3 * 3 + i / 3];
    tlm_multiply(a0t, a1, between);
    double sine = between[2] > 1.0 ? -1.0 : between[2] < -1.0 ? 1.0 : -between[2];
    double x = part * atan2(between[5], between[8]), y = part * asin(sine), z = part * atan2(between[1], between[0]);
    double c1 = cos(x), s1 = sin(x), c2 = cos(y), s2 = sin(y), c3 = cos(z), s3 = sin(z);
    step[0] = c2 * c3, step[1] = c2 * s3, step[2] = -s2;
    step[3] = s1 * s2 * c3 - c1 * s3, step[4] = c1 * c3 + s1 * s2 * s3, step[5] = s1 * c2;
    step[6] = s1 * s3 + c1 * s2 * c3, step[7] = c1 * s2 * s3 - s1 * c3, step[8] = c1 * c2;
    tlm_multiply(a0, step, out);
}

/* The polynomial through the last samples up to number k, four if there are as many. It needs nothing after k, for
 * which one would have to wait. */
static void through_four(const tlm_history *h, size_t k, double time, double *out) {
    size_t from = k > 3 ? k - 3 : 0;
    for (size_t i = 1; i < h->width; i++) out[i] = 0.0;
    for (size_t j = from; j <= k; j++) {
        double weight = 1.0;
        for (size_t m = from; m <= k; m++)
            if (m != j) weight *= (time - time_of(h, m)) / (time_of(h, j) - time_of(h, m));
        for (size_t i = 1; i < h->width; i++) out[i] += weight * tlm_history_at(h, j)[i];
    }
}

void tlm_history_read(const tlm_history *h, size_t known, double time, double slack, int cubic, int oriented, double *out) {
    size_t k = tlm_history_find(h, time, slack);
    int beyond = k > known;
    if (beyond) k = known;
    const double *b = tlm_history_at(h, k), *a = k ? b - h->width : b;
    memcpy(out, b, h->width * sizeof(double));
    if (!beyond && k == 0 && b[0] > time) return; /* before the first sample: that one, with its time */
    out[0] = time;
    if (k == 0 || (!beyond && b[0] <= time)) return; /* the only one there is, or the one of this instant */
    double t0 = a[0], t1 = b[0]; /* they differ: times increase */
    if (cubic && !beyond) through_four(h, k, time, out);
    else
        for (size_t i = 1; i < h->width; i++) out[i] = ((time - t0) * b[i] - (time - t1) * a[i]) / (t1 - t0);
    if (oriented) turn(a + 4, b + 4, (time - t0) / (t1 - t0), out + 4);
}

/* --- pure functions for tools --- */
double cardan_tlm_force1d(double speed, const cardan_tlm_data1d *d, const cardan_tlm_params *p, int hydraulic) {
    if (d->time == CARDAN_TLM_NO_DATA) return d->GenForce;
    return hydraulic ? d->GenForce + p->Zf * speed : d->GenForce - p->Zf * speed;
}

void cardan_tlm_force3d(const double speed[3], const double ang_speed[3], const cardan_tlm_data3d *d, const cardan_tlm_params *p,
                        double load[6]) {
    if (d->time == CARDAN_TLM_NO_DATA) { /* the initial load is in the component's frame already */
        memcpy(load, d->GenForce, 6 * sizeof(double));
        return;
    }
    tlm_apply(p->cX_A_cG, d->GenForce, load);
    tlm_apply(p->cX_A_cG, d->GenForce + 3, load + 3);
    for (int i = 0; i < 3; i++) load[i] -= p->Zf * speed[i], load[3 + i] -= p->Zfr * ang_speed[i];
}

double cardan_tlm_value(const cardan_tlm_signal_data *d) { return d->Value; }

void cardan_tlm_seen_from_component(const cardan_tlm_data3d *d, const cardan_tlm_params *p, double position[3], double orientation[9]) {
    double away[3], transposed[9];
    for (int i = 0; i < 3; i++) away[i] = d->Position[i] - p->cX_R_cG_cG[i];
    for (int i = 0; i < 9; i++) transposed[i] = p->cX_A_cG[i % 3 * 3 + i / 3];
    tlm_apply(p->cX_A_cG, away, position);
    tlm_multiply(d->RotMatrix, transposed, orientation);
}
