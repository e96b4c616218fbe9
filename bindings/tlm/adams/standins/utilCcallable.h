/* A stand-in for utilCcallable.h of Adams: declares just what tlmadams.c calls. Never install it. */
#ifndef STANDIN_UTIL_C_CALLABLE_H
#define STANDIN_UTIL_C_CALLABLE_H
#include "userPortName.h"
void c_sysary(const char *function, const int *parameters, int count, REAL *states, int *state_count, BOOL *failed);
void c_rcnvrt(const char *from, const REAL *coordinates, const char *to, REAL *converted, int *failed);
void c_gtunts(BOOL *exist, REAL *scales, char *units);
void c_timget(REAL *last_converged);
void c_errmes(int failed, const char *words, int id, const char *ending);
#endif
