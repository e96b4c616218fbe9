// What the adapters for both versions share: an instance, its phase, its variables and its log.
#ifndef FRAME_H
#define FRAME_H

#include "model.h"

#define EXPORT __attribute__((visibility("default")))

typedef enum {
    INSTANTIATED = 1,
    CONFIGURATION = 2,
    INITIALIZATION = 4,
    EVENT = 8,
    CONTINUOUS = 16,
    STEP = 32,
    INTERMEDIATE = 64,
    RECONFIGURATION = 128,
    TERMINATED = 256,
    FAILED = 512, // after a fatal error nothing is allowed
} Phase;

enum { RUNNING = EVENT | CONTINUOUS | STEP, READABLE = INITIALIZATION | RUNNING | INTERMEDIATE | TERMINATED };

typedef struct Instance Instance;

// How a version talks to its importer.
typedef void LogFunction(const Instance *, Status, const char *category, const char *text);
typedef bool UpdateFunction(Instance *, double time, bool finished);

struct Instance {
    Phase phase, before_reconfiguration;
    bool model_exchange, uses_events, may_return_early, logging;
    bool stale; // something was set since the model last computed
    double step_start, last_successful_time;
    double tolerance; // of the experiment; 0 if none was told
    LogFunction *log;
    UpdateFunction *update; // NULL if the importer does not listen
    void *environment;
    const void *callbacks;                                  // of FMI 2
    void (*log_message)(void), (*intermediate_update)(void); // of FMI 3
    char name[128];
    _Alignas(16) unsigned char model[];
};

static inline Model *model_of(Instance *instance) { return (Model *)instance->model; }
static inline double *time_of(Instance *instance) { return (double *)instance->model; }

size_t instance_size(void);
void instance_reset(Instance *);
void instance_name(Instance *, const char *name);
bool refuse_phase(Instance *, const char *function);
bool token_fits(const char *token, const char *version);

// False, with a message, if the instance is in none of the phases. Inline, because every step asks.
static inline bool allowed(Instance *instance, int phases, const char *function) {
    return (instance->phase & phases) || refuse_phase(instance, function);
}
bool refuse_missing(Instance *, const char *function);

// A copy of the model together with its phase; `saved_size` bytes.
size_t saved_size(void);
Status save(Instance *, void *saved, const char *function);
Status restore(Instance *, const void *saved, const char *function);

// Where a variable's value is, or NULL with a message.
void *value_for_get(Instance *, unsigned reference, Type, const char *function);
void *value_for_set(Instance *, unsigned reference, Type, const char *function);
size_t elements(Instance *, unsigned reference);
void refresh(Instance *);

Status set_text(Instance *, char *text, const char *value, const char *function);
Status set_bytes(Instance *, Bytes *bytes, const void *value, size_t size, const char *function);

// Model exchange.
size_t state_count(Instance *);
void copy_out(Instance *, const unsigned *references, double *values);
void copy_in(Instance *, const unsigned *references, const double *values);
bool partial(Instance *, unsigned unknown, unsigned known, double *value, const char *function);

Status run_step(Instance *, Step *, const char *function);

#endif
