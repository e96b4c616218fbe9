/* A stand-in for simstruc.h of MATLAB: just what tlmforce.c calls, so that it compiles and runs here without Simulink.
 * Never install it; with MATLAB, `mex` finds the real one. */
#ifndef STANDIN_SIMSTRUC_H
#define STANDIN_SIMSTRUC_H
#define CONTINUOUS_SAMPLE_TIME 0.0
#define UNUSED_ARG(a) (void)(a)
typedef int int_T;
typedef double real_T;
typedef struct {
    const char *path, *error;
    double time, sample_time[2], offset[2], in[4][9], out[4][9];
    int in_width[4], out_width[4], in_ports, out_ports, sample_times, direct[4], hit, stop, iwork;
} SimStruct;

#define ssGetPath(S) ((S)->path)
#define ssSetErrorStatus(S, words) ((S)->error = (words))
#define ssSetNumSFcnParams(S, n) ((void)(S), (void)(n))
#define ssGetNumSFcnParams(S) ((void)(S), 0)
#define ssGetSFcnParamsCount(S) ((void)(S), 0)
#define ssSetNumContStates(S, n) ((void)(S), (void)(n))
#define ssSetNumDiscStates(S, n) ((void)(S), (void)(n))
#define ssSetNumInputPorts(S, n) ((S)->in_ports = (n))
#define ssSetNumOutputPorts(S, n) ((S)->out_ports = (n))
#define ssSetInputPortWidth(S, port, n) ((S)->in_width[port] = (n))
#define ssSetOutputPortWidth(S, port, n) ((S)->out_width[port] = (n))
#define ssSetInputPortRequiredContiguous(S, port, yes) ((void)(S), (void)(port), (void)(yes))
#define ssSetInputPortDirectFeedThrough(S, port, yes) ((S)->direct[port] = (yes))
#define ssSetNumSampleTimes(S, n) ((S)->sample_times = (n))
#define ssSetSampleTime(S, which, t) ((S)->sample_time[which] = (t))
#define ssSetOffsetTime(S, which, t) ((S)->offset[which] = (t))
#define ssSetNumIWork(S, n) ((void)(S), (void)(n))
#define ssSetIWorkValue(S, k, value) ((S)->iwork = (value))
#define ssGetIWorkValue(S, k) ((S)->iwork)
#define ssGetT(S) ((S)->time)
#define ssGetInputPortSignal(S, port) ((const void *)(S)->in[port])
#define ssGetOutputPortRealSignal(S, port) ((S)->out[port])
#define ssIsSampleHit(S, which, tid) ((void)(tid), (S)->hit)
#define ssSetStopRequested(S, yes) ((S)->stop = (yes))
#endif
