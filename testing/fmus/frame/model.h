// What a model states about itself. A model is one C file: a flat struct, a table of its variables and its equations.
// The adapters for FMI 2 and FMI 3 do the rest.
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef FMI_VERSION
#define FMI_VERSION 2
#endif

// Flat, without pointers: saving the state is one copy. Its first member is `double time`.
typedef struct Model Model;

typedef enum { OK, WARNING, DISCARD, ERROR, FATAL } Status;

typedef enum {
    FLOAT64, FLOAT32, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, BOOLEAN, TEXT, BYTES, CLOCK
} Type;

// Decides when a variable may be set.
typedef enum { INDEPENDENT, PARAMETER, TUNABLE, STRUCTURAL, INPUT, DISCRETE_INPUT, OUTPUT, STARTED } Role;

// Enumerations grew from 32 to 64 bits between the versions.
#if FMI_VERSION == 2
typedef int32_t Enumeration;
#define ENUMERATION INT32
#else
typedef int64_t Enumeration;
#define ENUMERATION INT64
#endif

enum { TEXT_CAPACITY = 1024, BYTES_CAPACITY = 4096 };

typedef char Text[TEXT_CAPACITY];

typedef struct {
    size_t size;
    uint8_t data[BYTES_CAPACITY];
} Bytes;

// A variable's value reference is its place in the table.
typedef struct {
    Type type;
    Role role;
    size_t offset;
    size_t fixed;      // elements of an array whose size is fixed; 0 for a scalar
    unsigned sizes[2]; // references of the structural parameters that give the size; 0 for none
} Variable;

#define VARIABLE(type, role, member) {type, role, offsetof(Model, member), 0, {0, 0}}
#define REAL(role, member) VARIABLE(FLOAT64, role, member)

typedef struct {
    double start, size;
    bool may_return_early; // at an event, when the importer handles events
    // answers
    double reached; // the end of the step, unless the model says otherwise
    bool event, terminate;
} Step;

typedef struct {
    bool states_changed, terminate, next_time_defined;
    double next_time;
} Event;

typedef enum { NOT_YET_KNOWN, UNCHANGED, CHANGED } Interval;

typedef struct {
    const char *name;
    size_t size; // of the model's struct
    const Variable *variables;
    unsigned variable_count;

    void (*start)(Model *);         // start values; the struct is zero before
    Status (*initialize)(Model *);  // when initialization mode ends
    void (*compute)(Model *);       // what follows at once from states and inputs
    Status (*step)(Model *, Step *);
    Status (*configured)(Model *);  // structural parameters have changed

    bool offers_exchange;                 // model exchange beside co-simulation
    const unsigned *states, *derivatives; // references
    unsigned state_count, indicator_count;
    void (*indicators)(const Model *, double *);
    void (*event)(Model *, Event *); // takes over discrete states

    double (*partial)(const Model *, unsigned unknown, unsigned known);
    Status (*input_derivative)(Model *, unsigned reference, int order, double value);
    Status (*output_derivative)(const Model *, unsigned reference, int order, double *value);
    Interval (*interval)(Model *, unsigned clock, double *seconds);

    bool saves_state;
    void (*restored)(Model *now, const Model *before); // meddles with a restored state
    bool only_once;      // a second instance in a process is refused
    const char *version; // what GetVersion says instead of the truth
} ModelType;

// Each model defines this.
extern const ModelType model_type;

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define VARIABLES(table) .size = sizeof(Model), .variables = table, .variable_count = COUNT(table)

// Tells the importer's logger; answers `status`, so that a model can say `return report(...)`.
Status report(const Model *, Status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The tolerance that the importer told; 0 if it told none.
double told_tolerance(const Model *);

// Within a step, to an importer that listens: asks it for the inputs at a time, or tells it that the model is there.
void ask_inputs(Model *, double time);
bool reached(Model *, double time); // true if the importer wants the step to end here

#endif
