/* External functions behind TLM.mo. An object is an interface; all share one connection, which is made as tlm.config in the
 * working folder says and ends with the last object. Errors end the simulation through ModelicaFormatError. */
#ifndef TLMFORCE_H
#define TLMFORCE_H
#ifdef __cplusplus
extern "C" {
#endif
void *TLMOpen(const char *name, int dimensions, const char *causality, const char *domain);
void TLMClose(void *interface);
double TLMGetDelay(void *interface); /* also an interface that is not connected has one: the largest step of tlm.config */
double TLMGetStartTime(void *interface);
double TLMGetForce1D(void *interface, double time, double x, double v);
void TLMGetForce3D(void *interface, double time, const double *r, const double *A, const double *v, const double *w, double *f, double *t);
double TLMGetValue(void *interface, double time);
void TLMSetMotion1D(void *interface, double time, double x, double v);
void TLMSetMotion3D(void *interface, double time, const double *r, const double *A, const double *v, const double *w);
void TLMSetValue(void *interface, double time, double value);
#ifdef __cplusplus
}
#endif
#endif
