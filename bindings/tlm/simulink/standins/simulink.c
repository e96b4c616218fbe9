/* A stand-in for simulink.c of MATLAB, which ends every S-function: hands its functions to a solver in C. */
typedef struct {
    void (*sizes)(SimStruct *), (*sample_times)(SimStruct *), (*start)(SimStruct *), (*outputs)(SimStruct *, int_T),
        (*update)(SimStruct *, int_T), (*terminate)(SimStruct *);
} standin_sfunction;
const standin_sfunction *standin_tlmforce(void);
const standin_sfunction *standin_tlmforce(void) {
    static const standin_sfunction all = {mdlInitializeSizes, mdlInitializeSampleTimes, mdlStart, mdlOutputs, mdlUpdate, mdlTerminate};
    return &all;
}
