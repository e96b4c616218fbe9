// The cheapest master there can be: a loop written by hand for one FMI 2 FMU and one wiring.
//
//   loop LIBRARY TOKEN ring|pair INSTANCES STEPS PER_SECOND [RESULTS.csv]
//
// `ring` couples oscillator nodes (inputs 1 and 2, output 8) with their neighbours, `pair` couples lags (input 1,
// output 6) two by two. All step at once, as in Jacobi's method. Prints processor nanoseconds per instance and step,
// and the sum of the last outputs with all digits, so that a benchmark can see that others computed the same.
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *Component;
typedef unsigned Reference;

typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *step_finished, *environment;
} Callbacks;

static Component (*instantiate)(const char *, int, const char *, const char *, const Callbacks *, int, int);
static int (*setup)(Component, int, double, double, int, double);
static int (*enter)(Component), (*leave)(Component);
static int (*set)(Component, const Reference *, size_t, const double *);
static int (*get)(Component, const Reference *, size_t, double *);
static int (*step_by)(Component, double, double, int);

static void silent(void *e, const char *i, int s, const char *c, const char *m, ...) {
    (void)e, (void)i, (void)s, (void)c, (void)m;
}

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "loop: %s\n", what);
    exit(1);
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) fail(name);
    return found;
}

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(dlerror());
    *(void **)&instantiate = symbol(library, "fmi2Instantiate");
    *(void **)&setup = symbol(library, "fmi2SetupExperiment");
    *(void **)&enter = symbol(library, "fmi2EnterInitializationMode");
    *(void **)&leave = symbol(library, "fmi2ExitInitializationMode");
    *(void **)&set = symbol(library, "fmi2SetReal");
    *(void **)&get = symbol(library, "fmi2GetReal");
    *(void **)&step_by = symbol(library, "fmi2DoStep");
}

// Lags are coupled with their partner; a ring of one or two still has two neighbours.
static void neighbours(int ring, int i, int n, int *left, int *right) {
    *left = ring ? (i + n - 1) % n : (i ^ 1) % n;
    *right = ring ? (i + 1) % n : *left;
}

int main(int argc, char **argv) {
    if (argc < 7) fail("loop LIBRARY TOKEN ring|pair INSTANCES STEPS PER_SECOND [RESULTS.csv]");
    const int ring = strcmp(argv[3], "ring") == 0, n = atoi(argv[4]);
    const long steps = atol(argv[5]);
    const double per_second = atof(argv[6]);
    FILE *results = argc > 7 ? fopen(argv[7], "w") : NULL;
    load(argv[1]);

    const Callbacks callbacks = {silent, calloc, free, NULL, NULL};
    const Reference inputs[2] = {1, 2}, output = ring ? 8 : 6, initial = ring ? 6 : 3;
    const size_t input_count = ring ? 2 : 1;
    Component *c = calloc(n, sizeof *c);
    double *y = calloc(n, sizeof *y);
    int *left = calloc(n, sizeof *left), *right = calloc(n, sizeof *right);
    for (int i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%d", i);
        const double start = i == 0;
        neighbours(ring, i, n, &left[i], &right[i]);
        c[i] = instantiate(name, 1, argv[2], "file:///", &callbacks, 0, 0);
        if (!c[i]) fail("an instance cannot be made");
        set(c[i], &initial, 1, &start);
        setup(c[i], 0, 0, 0, 1, steps / per_second);
        enter(c[i]);
        leave(c[i]);
        get(c[i], &output, 1, &y[i]);
    }

    const double began = cpu();
    for (long k = 0; k < steps; k++) {
        // Instants that do not drift, as a good master has them.
        const double t = k / per_second, step = (k + 1) / per_second - t;
        for (int i = 0; i < n; i++) {
            const double u[2] = {y[left[i]], y[right[i]]};
            if (set(c[i], inputs, input_count, u) > 1 || step_by(c[i], t, step, 1) > 1) fail("a step failed");
        }
        for (int i = 0; i < n; i++)
            if (get(c[i], &output, 1, &y[i]) > 1) fail("an output failed");
        if (results) {
            fprintf(results, "%.17g", t + step);
            for (int i = 0; i < n; i++) fprintf(results, ",%.17g", y[i]);
            fputc('\n', results);
        }
    }
    if (results) fclose(results);
    const double took = cpu() - began;

    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i];
    printf("%.6f %.17g\n", 1e9 * took / ((double)n * steps), sum);
    return 0;
}
