/* The client of Cardan for C. See cardan.h for its use and docs/book/protocol.md for the protocol. */
#define _GNU_SOURCE
#include "cardan.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the protocol is little endian, and so must be the machine"
#endif

enum { HELLO = 1, CHALLENGE, PROOF, WELCOME, REFUSE, INTERFACE, LOG = 8, FAILURE, GOODBYE };
enum { BIND = 0x10, BEGIN, FINISH, STEP, OUTPUTS, PARAMETERS, TERMINATE, SAVE = 0x20, RESTORE, REPLY = 0x8000 };
enum { WITH_OUTPUTS = 1, ARCS = 2 };

typedef struct { uint8_t *bytes; size_t size, room; } buffer;

struct cardan {
    const cardan_model *model;
    int in, out;                       /* descriptors, or: */
    _Atomic uint32_t *map, *mine, *theirs; /* shared memory: the first page, our block and Cardan's */
    uint32_t capacity, sent, taken, told;  /* of a block; parcels, and how many taken ones Cardan knows of */
    int spin;
    pid_t parent;
    buffer reply, request;
    size_t at;                         /* in the request */
    uint32_t *bound[2], counts[2];     /* inputs and outputs that are bound */
    int *place;                        /* of each input among the bound ones, or -1 */
    const uint8_t *ends, *segments, *arcs; /* of the present step, in the request; none while time stands still */
    uint32_t several;
    double *given, *values, *parameters; /* all inputs, outputs and parameters */
    double end_at;
    const char *failure;
    void **slots;
    uint32_t slot_count;
};

static void die(const char *why) {
    fprintf(stderr, "cardan: %s\n", why);
    exit(1);
}

static void *grown(void *memory, size_t size) {
    memory = realloc(memory, size ? size : 1);
    if (!memory) die("out of memory");
    return memory;
}

/* --- bytes over the line --- */

enum { SENT, LENGTH, TAKEN, SLEEPS, BYTES = 16, BESIDE = 48 }; /* words of a block; its bytes; those in the same line */

static void publish(cardan *c, int word, uint32_t count) {
    atomic_store_explicit(c->mine + word, count, c->spin ? memory_order_release : memory_order_seq_cst);
    uint32_t sleeps = c->spin ? 0 : c->theirs[SLEEPS];
    if (sleeps) syscall(SYS_futex, c->mine + (sleeps == 1 ? SENT : TAKEN), FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void await(cardan *c, int word, uint32_t count) {
    uint32_t seen;
    for (int looks = 1; (seen = atomic_load_explicit(c->theirs + word, memory_order_acquire)) != count; looks++) {
        if (seen != count - 1) die("the counters in shared memory make no sense");
        if (c->spin && looks & 4095) continue;
        if (!c->spin) {
            struct timespec nap = {0, 20000000};
            c->mine[SLEEPS] = word == SENT ? 1 : 2;
            if (c->theirs[word] == seen) syscall(SYS_futex, c->theirs + word, FUTEX_WAIT, seen, &nap, NULL, 0);
            c->mine[SLEEPS] = 0;
        }
        if (c->theirs[word] == seen && (c->map[5] || getppid() != c->parent)) die("Cardan is gone");
    }
}

static size_t take_parcel(cardan *c, uint8_t *data, size_t room) {
    if (c->told != c->taken && c->theirs[SENT] == c->taken) publish(c, TAKEN, c->told = c->taken);
    await(c, SENT, c->taken + 1);
    uint32_t length = c->theirs[LENGTH];
    if (!length || length > c->capacity || length > room) die("a parcel in shared memory has no sensible length");
    memcpy(data, (uint8_t *)c->theirs + BYTES, length);
    c->taken++;
    return length;
}

static void give_parcel(cardan *c, const uint8_t *data, uint32_t size) {
    uint32_t beside = size < BESIDE ? size : BESIDE; /* goes last: Cardan looks at this line all the time */
    await(c, TAKEN, c->sent);
    memcpy((uint8_t *)c->mine + BYTES + beside, data + beside, size - beside);
    memcpy((uint8_t *)c->mine + BYTES, data, beside);
    atomic_store_explicit(c->mine + LENGTH, size, memory_order_relaxed);
    atomic_store_explicit(c->mine + TAKEN, c->told = c->taken, memory_order_release);
    publish(c, SENT, ++c->sent);
}

/* Reads at least `size` bytes and at most `room`: one call then takes header and payload. */
static size_t take(cardan *c, uint8_t *data, size_t size, size_t room) {
    size_t done = 0;
    while (c->map && done < size) done += take_parcel(c, data + done, room - done);
    while (done < size) {
        ssize_t got = read(c->in, data + done, room - done);
        if (got > 0) done += (size_t)got;
        else if (got == 0) die("Cardan is gone");
        else if (errno != EINTR) die(strerror(errno));
    }
    return done;
}

static void give(cardan *c, uint8_t *data, size_t size) {
    for (; c->map && size; size -= c->capacity < size ? c->capacity : size, data += c->capacity)
        give_parcel(c, data, c->capacity < size ? c->capacity : (uint32_t)size);
    while (size) {
        ssize_t put = write(c->out, data, size);
        if (put > 0) data += put, size -= (size_t)put;
        else if (errno != EINTR) die("Cardan is gone");
    }
}

/* --- messages --- */

static void put(buffer *b, const void *data, size_t size) {
    if (b->size + size > b->room) b->bytes = grown(b->bytes, b->room = 2 * (b->size + size));
    memcpy(b->bytes + b->size, data, size);
    b->size += size;
}
static void put32(buffer *b, uint32_t v) { put(b, &v, 4); }
static void put8(buffer *b, uint8_t v) { put(b, &v, 1); }
static void put64(buffer *b, double v) { put(b, &v, 8); }
static void text(buffer *b, const char *t) { put32(b, (uint32_t)strlen(t)), put(b, t, strlen(t)); }

static void begin(cardan *c, uint32_t kind, uint64_t sequence) {
    uint32_t header[4] = {0, kind, (uint32_t)sequence, (uint32_t)(sequence >> 32)};
    c->reply.size = 0;
    put(&c->reply, header, 16);
}

static void send_it(cardan *c) {
    uint32_t length = (uint32_t)c->reply.size - 16;
    memcpy(c->reply.bytes, &length, 4);
    give(c, c->reply.bytes, c->reply.size);
}

/* Cardan waits for each reply, so a request comes alone: whatever is read belongs to it. */
static uint16_t receive(cardan *c, uint16_t *flags, uint64_t *sequence) {
    uint32_t length;
    uint16_t kind;
    if (c->request.room < 65536) c->request.bytes = grown(c->request.bytes, c->request.room = 65536);
    size_t got = take(c, c->request.bytes, 16, c->request.room);
    memcpy(&length, c->request.bytes, 4), memcpy(&kind, c->request.bytes + 4, 2);
    memcpy(flags, c->request.bytes + 6, 2), memcpy(sequence, c->request.bytes + 8, 8);
    size_t whole = 16 + (size_t)length;
    if (whole > c->request.room) c->request.bytes = grown(c->request.bytes, c->request.room = whole);
    if (got < whole) take(c, c->request.bytes + got, whole - got, whole - got);
    c->request.size = whole;
    c->at = 16;
    if (kind == REFUSE) die("Cardan refuses: wrong version or wrong secret");
    return kind;
}

static const uint8_t *got(cardan *c, size_t size) {
    if (c->request.size - c->at < size) die("a request is cut off");
    c->at += size;
    return c->request.bytes + c->at - size;
}
static uint32_t got32(cardan *c) { uint32_t v; memcpy(&v, got(c, 4), 4); return v; }
static double got64(cardan *c) { double v; memcpy(&v, got(c, 8), 8); return v; }

/* --- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for the secret --- */

static uint32_t root_bits(double root) { return (uint32_t)((root - floor(root)) * 4294967296.0); }
static uint32_t turned(uint32_t v, int by) { return v >> by | v << (32 - by); }

static void sha256(const uint8_t *data, size_t size, uint8_t digest[32]) {
    uint32_t h[8], k[64], w[64], s[8];
    for (int n = 2, found = 0; found < 64; n++) { /* constants from the first 64 primes */
        int d = 2;
        while (n % d) d++;
        if (d == n && found < 8) h[found] = root_bits(sqrt(n));
        if (d == n) k[found++] = root_bits(cbrt(n));
    }
    size_t blocks = (size + 9 + 63) / 64;
    for (size_t b = 0; b < blocks; b++) {
        uint8_t block[64] = {0};
        size_t from = b * 64, here = from < size ? (size - from < 64 ? size - from : 64) : 0;
        memcpy(block, data + (here ? from : 0), here);
        if (size / 64 == b) block[size % 64] = 0x80;
        if (b == blocks - 1) for (int i = 0; i < 8; i++) block[63 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
        for (int i = 0; i < 16; i++)
            w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8 | block[4 * i + 3];
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + w[i - 7] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
                   (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            uint32_t t = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            uint32_t u = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                         ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += t, s[0] = t + u;
        }
        for (int i = 0; i < 8; i++) h[i] += s[i];
    }
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void prove(const char *secret, const char *who, const uint8_t nonces[64], uint8_t proof[32]) {
    uint8_t key[64] = {0}, inner[64 + 11 + 64], outer[64 + 32];
    size_t length = strlen(secret), role = strlen(who);
    if (length > 64) sha256((const uint8_t *)secret, length, key);
    else memcpy(key, secret, length);
    for (int i = 0; i < 64; i++) inner[i] = key[i] ^ 0x36, outer[i] = key[i] ^ 0x5c;
    memcpy(inner + 64, who, role), memcpy(inner + 64 + role, nonces, 64);
    sha256(inner, 64 + role + 64, outer + 64);
    sha256(outer, sizeof outer, proof);
}

/* --- the handshake --- */

static void map_memory(cardan *c, const char *path) {
    struct stat about;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || fstat(file, &about) || about.st_size < 4096) die("shared memory cannot be opened");
    c->map = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (c->map == MAP_FAILED || memcmp(c->map, "CARDANSM", 8) || c->map[2] != 2) die("no shared memory of Cardan");
    uint32_t size = c->map[3];
    if (size < 64 || size % 64 || (uint64_t)about.st_size < 4096 + 2 * (uint64_t)size) die("shared memory has the wrong size");
    c->capacity = size - BYTES;
    c->spin = (int)c->map[4];
    c->theirs = c->map + 1024, c->mine = c->theirs + size / 4;
    c->parent = getppid();
}

static void connect_to(cardan *c, const char *where) {
    if (!where) die("CARDAN_CONNECT is not set: let Cardan start this program");
    if (!strcmp(where, "stdio:")) { /* a private copy for the protocol; what is printed goes to standard error */
        c->in = dup(0);
        c->out = dup(1);
        dup2(2, 1);
    } else if (!strncmp(where, "shm:", 4)) {
        map_memory(c, where + 4);
    } else if (!strncmp(where, "unix:", 5)) {
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        strncpy(a.sun_path, where + 5, sizeof a.sun_path - 1);
        c->in = c->out = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(c->in, (struct sockaddr *)&a, sizeof a)) die("the socket of Cardan cannot be connected to");
    } else if (!strncmp(where, "tcp://", 6) && strrchr(where, ':') > where + 5) {
        int one = 1; /* plain TCP does not leave this host, so its name does not matter */
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(strrchr(where, ':') + 1))};
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        c->in = c->out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(c->in, (struct sockaddr *)&a, sizeof a)) die("Cardan cannot be connected to");
        setsockopt(c->in, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    } else {
        die("this client knows stdio:, unix:, tcp:// and shm: (for tls:// use a tunnel)");
    }
}

static void describe(buffer *b, const cardan_value *v, int port, int causality) {
    text(b, v->name);
    if (port) put8(b, (uint8_t)causality), put(b, "\0\0\0", 3);
    else put8(b, 0), put8(b, v->direct != 0);
    put32(b, 0), put8(b, v->unit != NULL); /* no dimensions */
    if (v->unit) text(b, v->unit);
    put8(b, causality != 1);
    if (causality != 1) put8(b, 0), put32(b, 1), put64(b, v->start);
    if (port) put64(b, 1.0); /* nominal; a parameter has no minimum and no maximum */
    else put(b, "\0\0", 2);
    put32(b, 0), put32(b, 0); /* no choices, no description */
    if (port) put(b, "\0\0", 2); /* no reason, no range */
}

static void greet(cardan *c) {
    const cardan_model *m = c->model;
    const char *secret = getenv("CARDAN_SECRET");
    buffer *b = &c->reply;
    uint8_t nonces[64], proof[32];
    uint16_t flags;
    uint64_t sequence;
    if (getrandom(nonces, 32, 0) != 32) die("no random numbers");
    begin(c, HELLO, 0);
    put(b, "CARDAN\r\n\1\0\0\0", 12), put(b, nonces, 32), text(b, m->name), text(b, "C");
    send_it(c);
    uint16_t kind = receive(c, &flags, &sequence);
    if (secret) {
        if (kind != CHALLENGE) die("Cardan does not ask for the secret");
        memcpy(nonces + 32, got(c, 32), 32);
        prove(secret, "participant", nonces, proof);
        begin(c, PROOF, 0), put(b, proof, 32), send_it(c);
        kind = receive(c, &flags, &sequence);
        prove(secret, "cardan", nonces, proof);
    }
    if (kind != WELCOME) die("Cardan does not welcome this participant");
    if (secret && memcmp(got(c, 32), proof, 32)) die("Cardan does not know the secret");
    begin(c, INTERFACE, 0);
    put32(b, m->state_size ? 1 : 0), put(b, "\0\0", 2), put32(b, (uint32_t)(m->input_count + m->output_count));
    for (int i = 0; i < m->input_count; i++) describe(b, m->inputs + i, 1, 0);
    for (int i = 0; i < m->output_count; i++) describe(b, m->outputs + i, 1, 1);
    put32(b, (uint32_t)m->parameter_count);
    for (int i = 0; i < m->parameter_count; i++) describe(b, m->parameters + i, 0, 0);
    uint32_t direct = 0;
    for (int o = 0; o < m->output_count; o++) direct += m->outputs[o].direct ? (uint32_t)m->input_count : 0;
    put32(b, direct);
    for (int o = 0; o < m->output_count; o++)
        for (int i = 0; m->outputs[o].direct && i < m->input_count; i++)
            put32(b, (uint32_t)(m->input_count + o)), put32(b, (uint32_t)i);
    put(b, "\0\0\0\0\0\0\0\0\0", 9);
    send_it(c);
}

/* --- requests --- */

double cardan_input(const cardan *c, int input, double time) {
    int place = c->place[input];
    uint32_t from = (uint32_t)place, to = from + 1;
    double s[6];
    if (place < 0 || !c->segments) return c->given[input];
    if (c->several) {
        from = 0;
        if (place) memcpy(&from, c->ends + 4 * (place - 1), 4);
        memcpy(&to, c->ends + 4 * place, 4);
    }
    do memcpy(s, c->segments + 48 * from, 48);
    while (time >= s[0] && ++from < to);
    if (from == to) from--;
    double t = time - s[1];
    if (c->arcs && c->arcs[from]) return s[2] * cos(s[4] * t) + s[3] * sin(s[4] * t);
    return s[2] + t * (s[3] + t * (s[4] + t * s[5]));
}
double cardan_parameter(const cardan *c, int parameter) { return c->parameters[parameter]; }
void cardan_set(cardan *c, int output, double value) { c->values[output] = value; }
int cardan_end(cardan *c, int end, double at) { return c->end_at = at, end; }
int cardan_fail(cardan *c, const char *message) { return c->failure = message, CARDAN_FAILED; }
void cardan_log(cardan *c, int level, const char *message) {
    begin(c, LOG, 0), put32(&c->reply, (uint32_t)level), text(&c->reply, message), send_it(c);
}

static void bind_ports(cardan *c) {
    const int inputs = c->model->input_count, sizes[2] = {inputs, c->model->output_count};
    for (int which = 0; which < 2; which++) {
        uint32_t count = c->counts[which] = got32(c);
        const uint8_t *ids = got(c, 4 * (size_t)count);
        c->bound[which] = grown(c->bound[which], 4 * (size_t)count);
        memcpy(c->bound[which], ids, 4 * (size_t)count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t port = c->bound[which][i] -= which ? (uint32_t)inputs : 0;
            if (port >= (uint32_t)sizes[which]) die("a port is bound that does not exist");
            if (!which) c->place[port] = (int)i;
        }
    }
}

static void set_parameters(cardan *c) {
    for (uint32_t count = got32(c); count; count--) {
        uint32_t parameter = got32(c);
        if (parameter >= (uint32_t)c->model->parameter_count || *got(c, 1) || got32(c) != 1) die("a wrong parameter");
        c->parameters[parameter] = got64(c);
    }
}

static int outputs(cardan *c, double at) { return c->model->publish ? c->model->publish(c, at) : CARDAN_DONE; }

static int step(cardan *c, uint16_t flags, double *reached) {
    double from = got64(c), to = got64(c);
    got(c, 12);
    uint32_t instants = got32(c), segments = got32(c);
    c->several = got32(c);
    got(c, 4 + 8 * (size_t)instants);
    c->ends = got(c, 4 * (size_t)c->several);
    c->segments = got(c, 48 * (size_t)segments);
    c->arcs = flags & ARCS ? got(c, segments) : NULL;
    if ((c->several ? c->several : segments) != c->counts[0]) die("a step without all inputs");
    int end = c->model->step(c, from, to);
    *reached = end > 0 ? c->end_at : to;
    for (int i = 0; i < c->model->input_count; i++) c->given[i] = cardan_input(c, i, *reached);
    c->segments = NULL;
    return end;
}

static int answer(cardan *c, uint16_t kind, uint16_t flags, uint16_t *with, double *reached) {
    const cardan_model *m = c->model;
    int end = CARDAN_DONE;
    if (kind == STEP) {
        end = step(c, flags, reached);
        if (end < 0 || end == CARDAN_REJECTED || !(flags & WITH_OUTPUTS)) return end;
        *with = WITH_OUTPUTS;
        return outputs(c, *reached) < 0 ? CARDAN_FAILED : end;
    }
    if (kind == OUTPUTS) {
        double at = got64(c);
        for (uint32_t i = 0; i < c->counts[0]; i++) c->given[c->bound[0][i]] = got64(c);
        *with = WITH_OUTPUTS;
        return outputs(c, at);
    }
    if (kind == BIND) bind_ports(c);
    else if (kind == BEGIN) {
        double start = got64(c), stop = got64(c);
        got(c, 8);
        set_parameters(c);
        if (m->initialize) return m->initialize(c, start, stop);
    } else if (kind == PARAMETERS) got(c, 8), set_parameters(c);
    else if (kind == TERMINATE) return m->terminate ? m->terminate(c) : CARDAN_DONE;
    else if (kind == SAVE || kind == RESTORE) {
        uint32_t slot = got32(c);
        if (slot > 65535 || (kind == RESTORE && slot >= c->slot_count)) return cardan_fail(c, "There is no such slot.");
        for (; c->slot_count <= slot; c->slot_count++) {
            c->slots = grown(c->slots, (c->slot_count + 1) * sizeof *c->slots);
            c->slots[c->slot_count] = grown(NULL, m->state_size);
        }
        if (kind == SAVE) memcpy(c->slots[slot], m->state, m->state_size);
        else memcpy(m->state, c->slots[slot], m->state_size);
    } else if (kind != FINISH) return cardan_fail(c, "This participant does not know the request.");
    return end;
}

int cardan_run(const cardan_model *m) {
    cardan c = {.model = m};
    buffer *b = &c.reply;
    uint16_t flags;
    uint64_t sequence;
    c.given = grown(NULL, sizeof(double) * (size_t)m->input_count);
    c.place = grown(NULL, sizeof(int) * (size_t)m->input_count);
    c.values = calloc((size_t)m->output_count + 1, sizeof(double));
    c.parameters = grown(NULL, sizeof(double) * (size_t)m->parameter_count);
    for (int i = 0; i < m->input_count; i++) c.given[i] = m->inputs[i].start, c.place[i] = -1;
    for (int i = 0; i < m->parameter_count; i++) c.parameters[i] = m->parameters[i].start;
    connect_to(&c, getenv("CARDAN_CONNECT"));
    greet(&c);
    for (;;) {
        uint16_t kind = receive(&c, &flags, &sequence), with = 0;
        double reached = 0;
        if (kind == GOODBYE) return 0;
        int end = answer(&c, kind, flags, &with, &reached);
        begin(&c, end < 0 ? FAILURE : kind | REPLY, sequence);
        if (end < 0) {
            put32(b, 0), text(b, c.failure ? c.failure : "The participant failed."), put8(b, 0);
        } else {
            memcpy(b->bytes + 6, &with, 2);
            put64(b, INFINITY), put64(b, 0.0), put64(b, 0.0); /* zero is zero in every type */
            if (kind == STEP) put32(b, (uint32_t)end), put32(b, 0), put64(b, reached), put64(b, NAN);
            for (uint32_t i = 0; with && i < c.counts[1]; i++) put64(b, c.values[c.bound[1][i]]);
        }
        send_it(&c);
    }
}
