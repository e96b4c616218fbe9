/* The S-function tlmforce (level 2): a TLM interface of six degrees of freedom for Simulink.
 *
 *   mex -I../c tlmforce.c ../c/cardan_tlm.c ../c/cardan_tlm_line.c ../c/cardan_tlm_waves.c
 *
 * Inputs, in the inertial frame of the model: position (3), orientation (9, row by row: inertial to interface), velocity (3), angular
 * velocity (3). Outputs: force (3) and moment (3) on the model, about the interface; position (3) and orientation (9) of
 * the other end, one delay ago. The interface has the name of the block. All blocks of a model share one connection, which
 * is made as tlm.config in the working folder says; StartTLMSimulink writes it. */
#define S_FUNCTION_NAME tlmforce
#define S_FUNCTION_LEVEL 2
#include "simstruc.h"
#include "cardan_tlm.h"
#include <stdio.h>
#include <string.h>

static cardan_tlm *line;
static cardan_tlm_config config;
static int blocks; /* that have started and not ended */
static char words[600]; /* Simulink keeps the pointer */

static int failed(SimStruct *S, int code) {
    if (code >= 0) return 0;
    snprintf(words, sizeof words, "tlmforce, block %.60s: %s", ssGetPath(S), cardan_tlm_error(line));
    ssSetErrorStatus(S, words);
    return 1;
}

/* The session, with the times of tlm.config. */
static int ready(SimStruct *S) {
    if (line) return 1;
    line = cardan_tlm_new();
    if (!line) { ssSetErrorStatus(S, "tlmforce: there is no memory."); return 0; }
    if (!failed(S, cardan_tlm_read_config(line, "tlm.config", &config))) return 1;
    cardan_tlm_free(line), line = NULL;
    return 0;
}

static void mdlInitializeSizes(SimStruct *S) {
    static const int inputs[4] = {3, 9, 3, 3}, outputs[4] = {3, 3, 3, 9};
    int i;
    ssSetNumSFcnParams(S, 0);
    if (ssGetNumSFcnParams(S) != ssGetSFcnParamsCount(S)) return; /* Simulink tells the user */
    ssSetNumContStates(S, 0);
    ssSetNumDiscStates(S, 0);
    if (!ssSetNumInputPorts(S, 4) || !ssSetNumOutputPorts(S, 4)) return;
    for (i = 0; i < 4; i++) {
        ssSetInputPortWidth(S, i, inputs[i]);
        ssSetInputPortRequiredContiguous(S, i, 1);
        ssSetInputPortDirectFeedThrough(S, i, 1); /* the load depends on the velocity at once */
        ssSetOutputPortWidth(S, i, outputs[i]);
    }
    ssSetNumSampleTimes(S, 2);
    ssSetNumIWork(S, 1); /* the number of the interface */
}

static void mdlInitializeSampleTimes(SimStruct *S) {
    if (!ready(S)) return;
    if (!(config.max_step > 0.0)) { ssSetErrorStatus(S, "tlmforce: the largest step in tlm.config must be positive."); return; }
    ssSetSampleTime(S, 0, CONTINUOUS_SAMPLE_TIME);
    ssSetOffsetTime(S, 0, 0.0);
    ssSetSampleTime(S, 1, config.max_step); /* motion leaves at these instants */
    ssSetOffsetTime(S, 1, 0.0);
}

#define MDL_START
static void mdlStart(SimStruct *S) {
    const char *path = ssGetPath(S), *slash = strrchr(path, '/');
    int id;
    if (!ready(S)) return;
    if (!blocks && failed(S, cardan_tlm_connect(line, config.model, config.start, config.end, config.max_step, config.server))) return;
    blocks++;
    id = cardan_tlm_register_interface(line, slash ? slash + 1 : path, 6, "bidirectional", "mechanical");
    ssSetIWorkValue(S, 0, id);
    if (id < CARDAN_TLM_UNCONNECTED) failed(S, id);
}

static const double *input(SimStruct *S, int port) { return (const double *)ssGetInputPortSignal(S, port); }

static void mdlOutputs(SimStruct *S, int_T tid) {
    double load[6], place[3], turn[9];
    cardan_tlm_data3d other;
    cardan_tlm_params p;
    int id = ssGetIWorkValue(S, 0);
    UNUSED_ARG(tid);
    if (failed(S, cardan_tlm_get_force3d(line, id, ssGetT(S), input(S, 2), input(S, 3), load))) return;
    if (failed(S, cardan_tlm_get_data3d(line, id, ssGetT(S), &other))) return;
    cardan_tlm_get_params(line, id, &p);
    if (id < 0 || other.time == CARDAN_TLM_NO_DATA) /* nothing is known of the other end: it is where this one is */
        memcpy(place, input(S, 0), sizeof place), memcpy(turn, input(S, 1), sizeof turn);
    else cardan_tlm_seen_from_component(&other, &p, place, turn);
    memcpy(ssGetOutputPortRealSignal(S, 0), load, 3 * sizeof(double));
    memcpy(ssGetOutputPortRealSignal(S, 1), load + 3, 3 * sizeof(double));
    memcpy(ssGetOutputPortRealSignal(S, 2), place, sizeof place);
    memcpy(ssGetOutputPortRealSignal(S, 3), turn, sizeof turn);
}

#define MDL_UPDATE
static void mdlUpdate(SimStruct *S, int_T tid) {
    int code;
    if (!ssIsSampleHit(S, 1, tid)) return;
    code = cardan_tlm_set_motion3d(line, ssGetIWorkValue(S, 0), ssGetT(S), input(S, 0), input(S, 1), input(S, 2), input(S, 3));
    if (code == CARDAN_TLM_DONE) ssSetStopRequested(S, 1); /* the manager only wanted to know where the interface is */
    failed(S, code);
}

static void mdlTerminate(SimStruct *S) {
    UNUSED_ARG(S);
    if (blocks && --blocks) return;
    cardan_tlm_free(line), line = NULL; /* after the last block: goodbye, and wait for the others */
}

#ifdef MATLAB_MEX_FILE
#include "simulink.c"
#else
#include "cg_sfun.h"
#endif
