/* What the three files of this client share. Nothing for tools. */
#ifndef CARDAN_TLM_PARTS_H
#define CARDAN_TLM_PARTS_H
#include "cardan_tlm.h"
#include <stdint.h>

/* --- cardan_tlm_waves.c: samples in order of time --- */
enum { TLM_MOST = 25 }; /* doubles of the largest sample: one of three dimensions */
typedef struct {
    double *numbers;     /* the first of each sample is its time; times increase strictly */
    size_t width, first, count, room;
    unsigned long dropped;
} tlm_history;
enum { TLM_WAVES_ONLY = 0, TLM_ORIENTED = 1 }; /* an orientation at 4..12 is turned, not averaged */

int tlm_history_add(tlm_history *, const double *sample); /* 1: added; 0: not later than the last; -1: no memory */
int tlm_history_replace(tlm_history *, const double *sample); /* the same, but the last sample gives way to one of its time */
const double *tlm_history_at(const tlm_history *, size_t index);
/* The number of the first sample at `time`, give or take `slack`, or after it; count if there is none. */
size_t tlm_history_find(const tlm_history *, double time, double slack);
/* Reads at `time` from samples up to number `known` (which is < count); out[0] is the time that was read. */
void tlm_history_read(const tlm_history *, size_t known, double time, double slack, int cubic, int oriented, double *out);
/* Forgets what no reading at `time` or later needs. */
void tlm_history_forget(tlm_history *, double time);
void tlm_history_free(tlm_history *);

void tlm_apply(const double a[9], const double v[3], double out[3]);            /* A v */
void tlm_apply_transposed(const double a[9], const double v[3], double out[3]); /* Aᵀ v */
void tlm_multiply(const double a[9], const double b[9], double out[9]);

/* --- cardan_tlm_line.c: messages over a socket --- */
enum { TLM_TIME_DATA = 1, TLM_REG_COMPONENT, TLM_REG_INTERFACE, TLM_CHECK_MODEL, TLM_ABORT, TLM_REG_PARAMETER, TLM_CLOSE_REQUEST, TLM_CLOSE_PERMISSION };
#ifdef _WIN32
typedef uintptr_t tlm_socket; /* Windows: written with care, not tested */
#else
typedef int tlm_socket;
#endif
typedef struct {
    tlm_socket socket;
    int open;
    double patience;    /* seconds a read may take; 0: any time */
    uint8_t *inbox, *outbox;
    size_t begin, end, room, out_room;
    char error[512];
} tlm_line;
typedef struct {
    int kind, id, parameter, swapped;
    size_t size;
    const uint8_t *payload; /* until the next message is read */
} tlm_message;

int tlm_fail(tlm_line *, int code, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;
int tlm_line_open(tlm_line *, const char *server, double patience);
int tlm_line_send(tlm_line *, int kind, int id, const void *payload, size_t size); /* one send */
int tlm_line_receive(tlm_line *, tlm_message *);                                   /* waits */
double tlm_double_at(const tlm_message *, size_t index);
int tlm_line_abort_on_signals(tlm_line *);
void tlm_line_close(tlm_line *);
#endif
