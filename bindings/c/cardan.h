/* Take part in a simulation of Cardan from C or C++: this header, cardan.c, and nothing else.
 * A C compiler has to compile cardan.c, also for a program in C++: cc -c cardan.c && c++ mine.cpp cardan.o -lm
 *
 * Ports and parameters are real scalars, counted from zero in the order of their tables. The process is started by Cardan,
 * or by hand with CARDAN_CONNECT in its environment; pipe, Unix socket, TCP and shared memory need no change here.
 * docs/book/protocol.md describes what goes over the line, for those who need more. */
#ifndef CARDAN_H
#define CARDAN_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardan cardan; /* the line to Cardan */

typedef struct {
    const char *name, *unit; /* a unit of NULL means none */
    double start;            /* of an input that is not connected; default of a parameter */
    int direct;              /* an output that reacts at once to all inputs; a parameter that can change between steps */
} cardan_value;

enum { CARDAN_DONE = 0, CARDAN_EARLY = 1, CARDAN_REJECTED = 2, CARDAN_TERMINATE = 3, CARDAN_FAILED = -1 };
enum { CARDAN_ERROR = 0, CARDAN_WARNING = 1, CARDAN_INFO = 2, CARDAN_DEBUG = 3 };

typedef struct {
    const char *name;
    const cardan_value *inputs, *outputs, *parameters;
    int input_count, output_count, parameter_count;
    void *state;       /* with a size: Cardan may save it, restore it and repeat steps */
    size_t state_size;
    /* All return CARDAN_DONE or what cardan_fail returns; those that are NULL are not called. */
    int (*initialize)(cardan *, double start, double stop); /* parameters are set */
    int (*step)(cardan *, double from, double to);          /* also what cardan_end returns */
    int (*publish)(cardan *, double at);                    /* sets the outputs with cardan_set */
    int (*terminate)(cardan *);
    int foretold;      /* outputs depend on time alone; publish may be asked for instants before the start */
} cardan_model;

/* Takes part until Cardan says goodbye. Returns what main should return. */
int cardan_run(const cardan_model *);

/* A number that is in none of the tables ends the process, with a message. */
double cardan_input(const cardan *, int input, double time); /* at any time of the present step, or as exchanged */
double cardan_parameter(const cardan *, int parameter);
void cardan_set(cardan *, int output, double value);
int cardan_end(cardan *, int end, double at);                /* early, rejected or terminate, and where it stands */
int cardan_fail(cardan *, const char *message);              /* the run cannot go on */
void cardan_log(cardan *, int level, const char *message);

#ifdef __cplusplus
}
#endif
#endif
