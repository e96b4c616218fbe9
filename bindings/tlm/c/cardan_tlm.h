/* Take part in a TLM co-simulation from C or C++: this header, the three files cardan_tlm*.c, and the C library.
 *
 * A component connects to the manager, registers its interfaces, and from then on asks for the load at an interface before
 * a step and tells the motion of the interface after it. What the other end of a line did arrives one delay later, so
 * steps of up to half the delay (the whole delay where all steps are equal) never wait for a step of somebody else.
 *
 * Results do not depend on the moment at which messages arrive: up to start + delay there is no data by rule; later a call
 * waits for what it needs. One session must not be used by two threads at a time; several sessions may.
 *
 * Functions return CARDAN_TLM_OK or a negative code; cardan_tlm_error() says in words what happened. Nothing here prints,
 * exits or aborts, and no signal handler is installed unless asked for. Vectors have 3 elements, loads 6 (force, torque),
 * matrices 9, row by row. */
#ifndef CARDAN_TLM_H
#define CARDAN_TLM_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

enum {
    CARDAN_TLM_OK = 0,
    CARDAN_TLM_DONE = 1,          /* the manager only wanted to know where the interfaces are: end the simulation, without error */
    CARDAN_TLM_UNCONNECTED = -1,  /* instead of an interface's number: the model connects nothing here. All calls take it: no load */
    CARDAN_TLM_BAD_ARGUMENT = -2,
    CARDAN_TLM_NO_MANAGER = -3,   /* nobody answers at this address */
    CARDAN_TLM_LOST = -4,         /* the connection ended before the simulation; loads are extrapolated */
    CARDAN_TLM_PROTOCOL = -5,     /* what came is no TLM message, or one that has no place here */
    CARDAN_TLM_REFUSED = -6,      /* the manager found the model wrong, or this component unwanted */
    CARDAN_TLM_NO_MEMORY = -7,
    CARDAN_TLM_TIMEOUT = -8,      /* longer than cardan_tlm_set_patience() allows */
    CARDAN_TLM_BAD_FILE = -9
};
enum { CARDAN_TLM_LINEAR = 0, CARDAN_TLM_CUBIC = 1 };
#define CARDAN_TLM_NO_DATA (-111111.0) /* the time of data that is not there yet */

/* Members have the names by which tools know them. */
typedef struct { double time, Value; } cardan_tlm_signal_data;
typedef struct { double time, Position, Velocity, GenForce; } cardan_tlm_data1d;
typedef struct { double time, Position[3], RotMatrix[9], Velocity[6], GenForce[6]; } cardan_tlm_data3d;
typedef struct {
    double Delay, Zf, Zfr, alpha;
    double cX_R_cG_cG[3], cX_A_cG[9];         /* the component's frame in the global one: place; global to component */
    double Nom_cI_R_cX_cX[3], Nom_cI_A_cX[9]; /* the interface in the component's frame, nominally */
    double mode;                              /* 0: simulation; 1: the manager asks where interfaces are */
} cardan_tlm_params;
typedef struct { char model[256], server[256]; double start, end, max_step; } cardan_tlm_config;

typedef struct cardan_tlm cardan_tlm;

/* --- beginning --- */
cardan_tlm *cardan_tlm_new(void);                 /* NULL: no memory */
const char *cardan_tlm_error(const cardan_tlm *); /* the last thing that went wrong; never NULL */
/* Reads what a start script wrote: name host:port start end maxstep, or name start end maxstep host:port. */
int cardan_tlm_read_config(cardan_tlm *, const char *path, cardan_tlm_config *);
/* Before cardan_tlm_connect. The environment has the last word: CARDAN_TLM_INTERPOLATION=linear or cubic,
 * CARDAN_TLM_FILTER_FEEDBACK=1.5, CARDAN_TLM_PATIENCE and CARDAN_TLM_CONNECT_PATIENCE in seconds. */
int cardan_tlm_set_interpolation(cardan_tlm *, int rule);       /* linear, as everybody has it, if nothing is said */
int cardan_tlm_set_filter_feedback(cardan_tlm *, double delays); /* 1.5 if nothing is said; the document of 2014 has 1 */
int cardan_tlm_set_patience(cardan_tlm *, double connecting, double waiting); /* seconds: 60, and 0 for without end */
/* `server` is host:port, [::1]:port for an address of IPv6. Tries again while nobody listens there. A manager on another
 * machine wants to hear the secret that both find in the environment variable CARDAN_TLM_SECRET. */
int cardan_tlm_connect(cardan_tlm *, const char *model, double start, double end, double max_step, const char *server);
/* On ABRT, FPE, ILL, INT, SEGV and TERM tells the manager to end the run, then lets the signal do what it did before. For one session. */
int cardan_tlm_abort_on_signals(cardan_tlm *);

/* --- registration: before cardan_tlm_check_model, or the first call that needs data --- */
/* dimensions 1 or 6; causality bidirectional, input or output; domain mechanical, rotational, hydraulic, electric, signal.
 * Returns the number of the interface, CARDAN_TLM_UNCONNECTED, or an error. */
int cardan_tlm_register_interface(cardan_tlm *, const char *name, int dimensions, const char *causality, const char *domain);
int cardan_tlm_register_parameter(cardan_tlm *, const char *name, const char *value); /* returns its number */
int cardan_tlm_parameter(const cardan_tlm *, int parameter, const char **name, const char **value);
int cardan_tlm_set_initial_force1d(cardan_tlm *, int id, double force);
int cardan_tlm_set_initial_force3d(cardan_tlm *, int id, const double load[6]);
int cardan_tlm_set_initial_flow1d(cardan_tlm *, int id, double flow);
int cardan_tlm_set_initial_flow3d(cardan_tlm *, int id, const double flow[6]);
int cardan_tlm_set_initial_value(cardan_tlm *, int id, double value);
int cardan_tlm_check_model(cardan_tlm *); /* waits for all components */

/* --- simulation --- */
int cardan_tlm_get_force1d(cardan_tlm *, int id, double time, double speed, double *force);
/* The load on the component at the interface, about the interface point, in the component's frame, as speeds are. */
int cardan_tlm_get_force3d(cardan_tlm *, int id, double time, const double speed[3], const double ang_speed[3], double load[6]);
int cardan_tlm_get_wave_impedance1d(cardan_tlm *, int id, double time, double *impedance, double *wave);
int cardan_tlm_get_wave_impedance3d(cardan_tlm *, int id, double time, double *Zf, double *Zfr, double wave[6]); /* global frame */
int cardan_tlm_get_value(cardan_tlm *, int id, double time, double *value);
/* Of completed steps only. An instant told twice counts once: the later one, as long as the first has not left. */
int cardan_tlm_set_motion1d(cardan_tlm *, int id, double time, double position, double speed);
/* The orientation maps vectors of the component's frame into those of the interface (Modelica: R.T). */
int cardan_tlm_set_motion3d(cardan_tlm *, int id, double time, const double position[3], const double orientation[9],
                            const double speed[3], const double ang_speed[3]);
int cardan_tlm_set_value(cardan_tlm *, int id, double time, double value);
int cardan_tlm_get_params(const cardan_tlm *, int id, cardan_tlm_params *);
/* What the pure functions below need for `time`; the time in it is time - delay, or CARDAN_TLM_NO_DATA with the initial
 * load in the place of the wave. Data of three dimensions is in the global frame. */
int cardan_tlm_get_data_signal(cardan_tlm *, int id, double time, cardan_tlm_signal_data *);
int cardan_tlm_get_data1d(cardan_tlm *, int id, double time, cardan_tlm_data1d *);
int cardan_tlm_get_data3d(cardan_tlm *, int id, double time, cardan_tlm_data3d *);
/* How often a load had to be extrapolated, because steps were longer than the delay allows or the line was cut. */
long cardan_tlm_extrapolations(const cardan_tlm *);

/* --- pure functions, for parts of a solver that have no session --- */
double cardan_tlm_force1d(double speed, const cardan_tlm_data1d *, const cardan_tlm_params *, int hydraulic);
void cardan_tlm_force3d(const double speed[3], const double ang_speed[3], const cardan_tlm_data3d *, const cardan_tlm_params *, double load[6]);
double cardan_tlm_value(const cardan_tlm_signal_data *);
/* Position and orientation in such data, as the component's frame sees them. */
void cardan_tlm_seen_from_component(const cardan_tlm_data3d *, const cardan_tlm_params *, double position[3], double orientation[9]);

/* --- end --- */
int cardan_tlm_await_close_permission(cardan_tlm *); /* sends what has not left yet, says goodbye, waits for all the others */
void cardan_tlm_free(cardan_tlm *);                  /* does so too, if nothing has failed and nobody did before */

#ifdef __cplusplus
}
#endif
#endif
