/* A stand-in for userPortName.h of Adams: just what tlmadams.c needs, so that it compiles and runs here without Adams. Never install it. */
#ifndef STANDIN_USER_PORT_NAME_H
#define STANDIN_USER_PORT_NAME_H
#define VOID_FUNCTION void
#define GFOSUB gfosub_
typedef double REAL;
typedef int BOOL;
VOID_FUNCTION GFOSUB(int *id, REAL *time, REAL *par, int *npar, BOOL *dflag, BOOL *iflag, REAL *result);
#endif
