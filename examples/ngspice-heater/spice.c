/* Any circuit that ngspice can simulate takes part: its shared library computes, Cardan's client talks.
 *
 * The netlist is the argument. Its comments say what is exchanged:
 *     *cardan input  vtemp    temperature K     a source `Vtemp a b external` gets the input `temperature`
 *     *cardan output v(power) power       W     a voltage, or a current i(l1), is the output `power`
 * and its `.tran` says how fine ngspice computes. ngspice runs in a thread of its own and takes the steps it likes; where
 * it would pass the end of a step of Cardan, it is told to take a shorter one, and there it waits. It cannot go back. */
#define _GNU_SOURCE
#include "cardan.h"
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- what ngspice's sharedspice.h would declare --- */

typedef struct { char *name; double real, imaginary; bool is_scale, is_complex; } value_of_vector;
typedef struct { int count, index; value_of_vector **all; } values_of_vectors;
typedef int say_function(char *, int, void *);
typedef int exit_function(int, bool, bool, int, void *);
typedef int data_function(values_of_vectors *, int, int, void *);
typedef int vectors_function(void *, int, void *);
typedef int running_function(bool, int, void *);
typedef int source_function(double *, double, char *, int, void *);
typedef int sync_function(double, double *, double, int, int, int, void *);

static int (*ngspice_init)(say_function *, say_function *, exit_function *, data_function *, vectors_function *,
                           running_function *, void *);
static int (*ngspice_init_sync)(source_function *, source_function *, sync_function *, int *, void *);
static int (*ngspice_command)(char *);

/* --- what is exchanged --- */

enum { MOST = 64 };
static cardan_value inputs[MOST], outputs[MOST];
static char *sources[MOST], *vectors[MOST];
static int input_count, output_count;
static const char *netlist;

/* --- the two threads: at any time one of them works and the other waits --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static cardan *line;              /* for reading inputs, while Cardan waits for an answer */
static double target, close_by;   /* where ngspice is to wait, and how near is near enough */
static bool started, going, over; /* the transient analysis; is it its turn?; has it ended? */
static double values[MOST], reached;
static bool seen[MOST], computed;

/* --- what ngspice says, and what is said to Cardan --- */

enum { FIRST = 3, LINES = 6 };
static char lines[LINES][300]; /* the first and the last of ngspice's complaints since the last command */
static int line_count;
static char words[2000], message[4000];
static char missing[200];     /* the name of a source that nobody drives */

static int fail(cardan *c, const char *form, ...) {
    va_list arguments;
    va_start(arguments, form);
    vsnprintf(message, sizeof message, form, arguments);
    va_end(arguments);
    return cardan_fail(c, message);
}

static _Noreturn void refuse(const char *form, ...) {
    va_list arguments;
    va_start(arguments, form);
    vfprintf(stderr, form, arguments), fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* When ngspice despairs it repeats itself for pages: the first lines and the last ones tell most. */
static int say(char *text, int ident, void *user) {
    (void)ident, (void)user;
    const char *said = strchr(text, ' ');
    if (strncmp(text, "stderr ", 7) != 0 || !*++said || strncmp(said, "Note:", 5) == 0) return 0;
    if (line_count >= LINES) memmove(lines[FIRST], lines[FIRST + 1], sizeof lines - (FIRST + 1) * sizeof *lines);
    snprintf(lines[line_count < LINES ? line_count : LINES - 1], sizeof *lines, "%s", said);
    line_count++;
    return 0;
}

static const char *complaints(void) {
    words[0] = 0;
    for (int k = 0; k < LINES && k < line_count; k++) {
        size_t size = strlen(words);
        const char *between = k == FIRST && line_count > LINES ? " [...] " : k ? " " : "";
        snprintf(words + size, sizeof words - size, "%s%s", between, lines[k]);
    }
    return words;
}

static int progress(char *text, int ident, void *user) { return (void)text, (void)ident, (void)user, 0; }

/* ngspice wants the process to end. Its own way out would say nothing. */
static int leave(int status, bool at_once, bool asked, int ident, void *user) {
    (void)at_once, (void)asked, (void)ident, (void)user;
    fprintf(stderr, "ngspice gave up with status %d: %s\n", status, complaints());
    fflush(stderr);
    _exit(1);
}

static int command(const char *text) {
    char copy[1000];
    line_count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    return ngspice_command(copy);
}

/* --- called by ngspice while it computes --- */

static int source(double *value, double time, char *name, int ident, void *user) {
    (void)ident, (void)user;
    for (int i = 0; i < input_count; i++)
        if (strcasecmp(name, sources[i]) == 0) return *value = cardan_input(line, i, time), 0;
    snprintf(missing, sizeof missing, "%s", name);
    return *value = 0.0, 0;
}

static int known(void *all, int ident, void *user) { return (void)all, (void)ident, (void)user, 0; }

/* A point in time is accepted. */
static int point(values_of_vectors *all, int count, int ident, void *user) {
    (void)count, (void)ident, (void)user;
    computed = true;
    for (int k = 0; k < all->count; k++) {
        const value_of_vector *vector = all->all[k];
        if (strcmp(vector->name, "time") == 0) reached = vector->real;
        for (int o = 0; o < output_count; o++)
            if (strcmp(vector->name, vectors[o]) == 0) values[o] = vector->real, seen[o] = true;
    }
    return 0;
}

/* ngspice stands at `time` and wants to go on by `delta`. */
static int sync_time(double time, double *delta, double before, int again, int ident, int place, void *user) {
    (void)before, (void)again, (void)ident, (void)user;
    if (place != 0) return 0; /* a step is being tried; ngspice makes it only shorter */
    pthread_mutex_lock(&lock);
    while (target - time <= close_by) {
        going = false;
        pthread_cond_broadcast(&change);
        while (!going) pthread_cond_wait(&change, &lock);
    }
    pthread_mutex_unlock(&lock);
    double left = target - time;
    if (*delta >= left) *delta = left;
    else if (*delta > left / 2) *delta = left / 2; /* no tiny step at the end */
    return 0;
}

/* The thread of the analysis begins or ends. */
static int thread_changes(bool ended, int ident, void *user) {
    (void)ident, (void)user;
    pthread_mutex_lock(&lock);
    if (ended) over = true, going = false;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    return 0;
}

/* --- called by Cardan --- */

static int check(cardan *c) {
    if (missing[0])
        return fail(c, "The source %s of %s is external, but no line `*cardan input %s NAME UNIT` says what drives it.",
                    missing, netlist, missing);
    for (int o = 0; o < output_count; o++)
        if (!seen[o])
            return fail(c, "ngspice computes no `%s` in %s, which is to be the output `%s`. It must be among what `.save` names.",
                        vectors[o], netlist, outputs[o].name);
    return CARDAN_DONE;
}

static int step(cardan *c, double from, double to) {
    line = c;
    pthread_mutex_lock(&lock);
    target = to, close_by = 1e-9 * (to - from), going = true;
    bool first = !started;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    if (first) {
        if (from != 0.0) return fail(c, "ngspice begins at 0 s and not at %g s: let the system do so too.", from);
        started = true;
        if (command("bg_run")) return fail(c, "ngspice cannot run %s: %s", netlist, complaints());
    }
    pthread_mutex_lock(&lock);
    while (going) pthread_cond_wait(&change, &lock);
    pthread_mutex_unlock(&lock);
    if (to - reached <= close_by) return check(c);
    if (line_count) return fail(c, "ngspice gave up at %g s: %s", reached, complaints());
    return fail(c, "The `.tran` of %s ends at %g s: give it a later end than the run has.", netlist, reached);
}

/* Before the first step the outputs are those of the operating point, for whatever inputs are exchanged then. */
static int publish(cardan *c, double at) {
    (void)at;
    line = c;
    if (!started) {
        computed = false;
        if (command("op") || !computed)
            return fail(c, "ngspice finds no operating point of %s: %s", netlist, complaints());
        if (check(c) != CARDAN_DONE) return CARDAN_FAILED;
    }
    for (int o = 0; o < output_count; o++) cardan_set(c, o, values[o]);
    return CARDAN_DONE;
}

/* --- the netlist --- */

/* v(out) is the vector `out`, i(l1) the vector `l1#branch`. */
static char *vector_named(const char *quantity) {
    char name[200];
    size_t size = strlen(quantity);
    if (size < 4 || size > 150 || quantity[1] != '(' || quantity[size - 1] != ')' || !strchr("vViI", quantity[0]))
        refuse("`%s` in %s is neither a voltage v(NODE) nor a current i(DEVICE).", quantity, netlist);
    snprintf(name, sizeof name, "%.*s%s", (int)size - 3, quantity + 2, tolower(quantity[0]) == 'i' ? "#branch" : "");
    for (char *letter = name; *letter; letter++) *letter = (char)tolower(*letter);
    return strdup(name);
}

static void read_ports(void) {
    FILE *file = fopen(netlist, "r");
    char text[1000], kind[16], what[200], name[200], unit[100];
    if (!file) refuse("There is no netlist `%s`.", netlist);
    while (fgets(text, sizeof text, file)) {
        if (text[0] != '*' && strcasestr(text, " external") && sscanf(text, "%*s %*s %*s %15s %199s", kind, what) != 1)
            refuse("ngspice crashes at `%.*s` of %s: write `Vname node node external` and nothing else.",
                   (int)strcspn(text, "\n"), text, netlist);
        if (strncmp(text, "*cardan", 7) != 0) continue;
        int found = sscanf(text + 7, "%15s %199s %199s %99s", kind, what, name, unit);
        bool input = strcmp(kind, "input") == 0;
        if (found != 4 || (!input && strcmp(kind, "output") != 0))
            refuse("Write `*cardan input SOURCE NAME UNIT` or `*cardan output v(NODE) NAME UNIT` in %s, not `%.*s`.", netlist,
                   (int)strcspn(text, "\n"), text);
        if (input_count == MOST || output_count == MOST) refuse("%s has too many ports.", netlist);
        cardan_value port = {.name = strdup(name), .unit = strdup(unit)};
        if (input) sources[input_count] = strdup(what), inputs[input_count++] = port;
        else vectors[output_count] = vector_named(what), outputs[output_count++] = port;
    }
    fclose(file);
}

static void *needed(void *library, const char *name) {
    void *function = dlsym(library, name);
    if (!function) refuse("libngspice.so.0 has no function %s: a library of version 27 or later is needed.", name);
    return function;
}

int main(int count, char **arguments) {
    if (count != 2) refuse("Say which netlist: spice.sh FILE.cir");
    netlist = arguments[1];
    read_ports();
    void *library = dlopen("libngspice.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        refuse("The library of ngspice cannot be loaded (%s). On Debian and Ubuntu `apt install libngspice0` brings it.",
               dlerror());
    *(void **)&ngspice_init = needed(library, "ngSpice_Init");
    *(void **)&ngspice_init_sync = needed(library, "ngSpice_Init_Sync");
    *(void **)&ngspice_command = needed(library, "ngSpice_Command");
    int ident = 0;
    if (ngspice_init(say, progress, leave, point, known, thread_changes, NULL) ||
        ngspice_init_sync(source, source, sync_time, &ident, NULL))
        refuse("ngspice cannot be started: %s", complaints());
    /* Without an operating point ngspice would look for one by a transient analysis, which has its own times. */
    command("optran 1 1 1 0 0 0");
    char order[1000];
    snprintf(order, sizeof order, "source %s", netlist);
    int refused = command(order);
    if (refused || strcasestr(complaints(), "error")) refuse("ngspice refuses %s: %s", netlist, words);
    if (line_count) fprintf(stderr, "%s\n", words);
    const cardan_model model = {
        .name = "ngspice",
        .inputs = inputs, .input_count = input_count,
        .outputs = outputs, .output_count = output_count,
        .step = step, .publish = publish,
    };
    return cardan_run(&model);
}
