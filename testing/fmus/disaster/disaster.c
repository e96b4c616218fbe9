// Does what `kind` says in the step that passes `at`.
#include "model.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Model {
    double time, u, at, kind, y;
};

static const Variable variables[] = {
    REAL(INDEPENDENT, time), REAL(INPUT, u), REAL(PARAMETER, at), REAL(PARAMETER, kind), REAL(OUTPUT, y),
};

static void start(Model *m) {
    m->u = 1;
    m->at = 0.5;
}

static volatile int zero, seven = 7;
static int *volatile nowhere;
static bool breaks_at_the_end;

__attribute__((destructor)) static void unloaded(void) {
    if (breaks_at_the_end) *nowhere = 1;
}

// Holds more and more memory, but not for ever: a machine without a limit should survive the test of it.
static void eat_memory(void) {
    for (int i = 0; i < 64; i++) {
        char *block = malloc(64 << 20);
        if (block) memset(block, 1, 64 << 20);
        usleep(20000);
    }
}

// A process that leaves its group and outlives its parent, unless somebody ends it.
static void leave_a_process(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) execlp("sleep", "cardan-test-orphan", "60", (char *)NULL);
        _exit(0);
    }
}

// Another process ends this one.
static void get_killed(void) {
    char command[64];
    snprintf(command, sizeof command, "kill -9 %d", (int)getpid());
    if (system(command)) abort();
}

// Descriptors that are not its own: those of whoever loaded it.
enum { FIRST = 3, LAST = 255 };

static void close_all(void) {
    for (int i = FIRST; i <= LAST; i++) close(i);
}

static void write_to_all(const char *bytes) {
    signal(SIGPIPE, SIG_IGN);
    for (int i = FIRST; i <= LAST; i++) {
        ssize_t written = write(i, bytes, strlen(bytes)); // it has no use for the answer
        (void)written;
    }
}

static void disaster(int kind) {
    switch (kind) {
    case 0: abort();
    case 1: seven = seven / zero; break;
    case 2: eat_memory(); break;
    case 3: leave_a_process(); abort();
    case 4: breaks_at_the_end = true; break;
    case 5: get_killed(); break;
    case 6: *nowhere = 1; break;
    case 7: exit(7);
    case 8: for (;;) seven++;
    case 9: close_all(); break;
    case 10: write_to_all("half"); _exit(0);
    case 11: write_to_all("this is certainly no message of anybody's protocol"); break;
    case 14: raise(SIGSEGV); break;
    }
}

static Status initialize(Model *m) {
    if (m->kind == 12) usleep(600000);
    while (m->kind == 13) seven++;
    return OK;
}

static Status step(Model *m, Step *step) {
    // Into the buffer of the C library, and past it.
    printf("{\"a model\": \"prints\"}\n");
    fflush(stdout);
    printf("and leaves something in the buffer\n");
    if (step->start <= m->at && step->reached > m->at) disaster((int)m->kind);
    m->y += step->size * m->u;
    return OK;
}

// Its description does not say that it saves its state; a test that needs it to be taken back lets it say so.
const ModelType model_type = {
    .name = "disaster",
    VARIABLES(variables),
    .start = start,
    .initialize = initialize,
    .step = step,
    .saves_state = true,
};
