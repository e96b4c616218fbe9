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
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the protocol is little endian, and so must be the machine"
#endif
enum { HELLO = 1, CHALLENGE, PROOF, WELCOME, REFUSE, INTERFACE, LOG = 8, FAILURE, GOODBYE };
enum { BIND = 0x10, BEGIN, FINISH, STEP, OUTPUTS, PARAMETERS, TERMINATE, SAVE = 0x20, RESTORE, BEFORE = 0x33 };
enum { REPLY = 0x8000, WITH_OUTPUTS = 1, ARCS = 2 }; /* added to the kind of a request; flags */
static const uint8_t none[8]; /* the sequence number of what is no reply */
typedef struct { uint8_t *bytes; size_t size, room; } buffer;

struct cardan {
    const cardan_model *model;
    int in, out, spin, stepping, parent;    /* descriptors; how to wait in shared memory; is a step under way? */
    _Atomic uint32_t *map, *mine, *theirs;  /* shared memory: its first page, our block and Cardan's */
    uint32_t capacity, sent, taken, told;   /* of a block; parcels, and how many of the taken ones Cardan knows of */
    buffer inbox, reply;
    const uint8_t *next, *end, *sequence;   /* of the request, in the inbox or where Cardan wrote it */
    uint16_t kind, flags;
    uint32_t *bound[2], counts[2];          /* inputs and outputs that are bound */
    int *place;                             /* of each input among the bound ones, or -1 */
    const uint8_t *ends, *segments, *arcs;  /* of the present step, in the request; none while time stands still */
    uint32_t several, slot_count;
    double *given, *values, *parameters, stands_at; /* all inputs, outputs and parameters; the present time */
    const char *failure;
    uint8_t *slots;                         /* states, one after the other */
};

static void die(const char *why) { fprintf(stderr, "cardan: %s\n", why), exit(1); }
static void *grown(void *memory, size_t size) {
    if (!(memory = realloc(memory, size ? size : 1))) die("out of memory");
    return memory;
}

/* --- shared memory: one parcel at a time each way --- */
enum { SENT, LENGTH, TAKEN, SLEEPS, BYTES = 16, BESIDE = 48 }; /* words of a block; its bytes; those in the same line */
static void publish(cardan *c, int word, uint32_t count) {
    if (c->spin) atomic_store_explicit(c->mine + word, count, memory_order_release);
    else c->mine[word] = count;
    uint32_t sleeps = c->spin ? 0 : c->theirs[SLEEPS];
    if (sleeps) syscall(SYS_futex, c->mine + (sleeps == 1 ? SENT : TAKEN), FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void await(cardan *c, int word, uint32_t count) {
    uint32_t seen;
    for (uint32_t looks = 1; (seen = atomic_load_explicit(c->theirs + word, memory_order_acquire)) != count; looks++) {
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

/* Where the next parcel lies: it stays there until Cardan knows that it was taken. */
static const uint8_t *parcel(cardan *c, size_t *length) {
    if (c->told != c->taken && c->theirs[SENT] == c->taken) publish(c, TAKEN, c->told = c->taken);
    await(c, SENT, ++c->taken);
    *length = c->theirs[LENGTH];
    if (!*length || *length > c->capacity) die("a parcel in shared memory has no sensible length");
    for (size_t line = 64; line < BYTES + *length; line += 64) __builtin_prefetch((uint8_t *)c->theirs + line);
    return (uint8_t *)c->theirs + BYTES;
}

static void give_parcel(cardan *c, const uint8_t *data, size_t size) {
    size_t beside = size < BESIDE ? size : BESIDE; /* goes last: Cardan looks at this line all the time */
    await(c, TAKEN, c->sent);
    memcpy((uint8_t *)c->mine + BYTES + beside, data + beside, size - beside);
    memcpy((uint8_t *)c->mine + BYTES, data, beside);
    atomic_store_explicit(c->mine + LENGTH, (uint32_t)size, memory_order_relaxed);
    atomic_store_explicit(c->mine + TAKEN, c->told = c->taken, memory_order_release);
    publish(c, SENT, ++c->sent);
}

/* --- messages --- */
static uint8_t *space(buffer *b, size_t size) {
    if (b->size + size > b->room) b->bytes = grown(b->bytes, b->room = 2 * (b->size + size));
    return b->bytes + (b->size += size) - size;
}
static void put(buffer *b, const void *data, size_t size) { memcpy(space(b, size), data, size); }
static void put8(buffer *b, uint8_t v) { *space(b, 1) = v; }
static void put32(buffer *b, uint32_t v) { memcpy(space(b, 4), &v, 4); }
static void put64(buffer *b, double v) { memcpy(space(b, 8), &v, 8); }
static void text(buffer *b, const char *t) { put32(b, (uint32_t)strlen(t)), put(b, t, strlen(t)); }

static void begin(cardan *c, uint32_t kind, const uint8_t sequence[8]) {
    c->reply.size = 4, put32(&c->reply, kind), put(&c->reply, sequence, 8); /* the length comes later */
}
static void send_it(cardan *c) {
    uint32_t length = (uint32_t)c->reply.size - 16;
    memcpy(c->reply.bytes, &length, 4);
    for (size_t done = 0; done < c->reply.size;) {
        size_t left = c->reply.size - done, piece = left < c->capacity ? left : c->capacity;
        if (c->map) give_parcel(c, c->reply.bytes + done, piece);
        ssize_t gone = c->map ? (ssize_t)piece : write(c->out, c->reply.bytes + done, left);
        if (gone <= 0 && errno != EINTR) die("Cardan is gone");
        if (gone > 0) done += (size_t)gone;
    }
}

/* Fills the inbox up to `size` bytes at least. A request comes alone, so whatever is there belongs to it. */
static void fill(cardan *c, size_t size) {
    buffer *b = &c->inbox;
    if (size > b->room) b->bytes = grown(b->bytes, b->room = size);
    while (b->size < size) {
        size_t room = b->room - b->size, length = 0;
        const uint8_t *bytes = c->map ? parcel(c, &length) : NULL;
        if (length > room) die("a parcel is longer than its message");
        if (bytes) memcpy(b->bytes + b->size, bytes, length);
        ssize_t got = bytes ? (ssize_t)length : read(c->in, b->bytes + b->size, room);
        if (got == 0 || (got < 0 && errno != EINTR)) die("Cardan is gone");
        if (got > 0) b->size += (size_t)got;
    }
}

static uint32_t u32_at(const uint8_t *at) { uint32_t v; memcpy(&v, at, 4); return v; }
static uint16_t receive(cardan *c) {
    size_t there = c->inbox.size = 0;
    const uint8_t *bytes = c->map ? parcel(c, &there) : NULL; /* nearly always the whole request: it is read in place */
    if (!bytes) fill(c, 16), bytes = c->inbox.bytes, there = c->inbox.size;
    if (there < 16) die("a request is cut off");
    size_t whole = 16 + (size_t)u32_at(bytes);
    if (there < whole && c->map) put(&c->inbox, bytes, there);
    if (there < whole) fill(c, whole), bytes = c->inbox.bytes;
    c->sequence = bytes + 8, c->next = bytes + 16, c->end = bytes + whole, c->flags = (uint16_t)u32_at(bytes + 4 + 2);
    if ((c->kind = (uint16_t)u32_at(bytes + 4)) == REFUSE) die("Cardan refuses: wrong version or wrong secret");
    return c->kind;
}

static const uint8_t *got(cardan *c, size_t size) {
    if ((size_t)(c->end - c->next) < size) die("a request is cut off");
    return (c->next += size) - size;
}
static uint32_t got32(cardan *c) { return u32_at(got(c, 4)); }
static double got64(cardan *c) { double v; memcpy(&v, got(c, 8), 8); return v; }

/* --- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), for the secret --- */
static uint32_t root_bits(double root) { return (uint32_t)((root - floor(root)) * 4294967296.0); }
static uint32_t turned(uint32_t v, int by) { return v >> by | v << (32 - by); }
static uint32_t mixed(uint32_t v, int a, int b, int c) { return turned(v, a) ^ turned(v, b) ^ turned(v, c); }

static void sha256(const uint8_t *data, size_t size, uint8_t digest[32]) {
    uint32_t h[8], k[64], w[64] = {0}, s[8];
    for (int n = 2, found = 0; found < 64; n++) { /* constants from the first 64 primes */
        int d = 2;
        while (n % d) d++;
        if (d == n && found < 8) h[found] = root_bits(sqrt(n));
        if (d == n) k[found++] = root_bits(cbrt(n));
    }
    size_t end = (size + 9 + 63) / 64 * 64; /* after a bit, zeros, and the size in bits */
    for (size_t from = 0; from < end; from += 64) {
        for (size_t i = from; i < from + 64; i++) {
            uint64_t tail = i < end - 8 ? 0 : (uint64_t)size * 8 >> 8 * (end - 1 - i);
            w[i / 4 % 16] = w[i / 4 % 16] << 8 | (i < size ? data[i] : i == size ? 0x80 : tail & 255);
        }
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            if (i > 15) w[i] = w[i - 16] + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3) +
                               w[i - 7] + (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
            uint32_t t = s[7] + mixed(s[4], 6, 11, 25) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            uint32_t u = mixed(s[0], 2, 13, 22) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s), s[4] += t, s[0] = t + u;
        }
        for (int i = 0; i < 8; i++) h[i] += s[i];
    }
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void prove(const char *secret, const char *who, const uint8_t nonces[64], uint8_t proof[32]) {
    uint8_t key[64] = {0}, inner[64 + 11 + 64], outer[64 + 32];
    size_t length = strlen(secret), role = strlen(who);
    length > 64 ? sha256((const uint8_t *)secret, length, key) : (void)memcpy(key, secret, length);
    for (int i = 0; i < 64; i++) inner[i] = key[i] ^ 0x36, outer[i] = key[i] ^ 0x5c;
    memcpy(inner + 64, who, role), memcpy(inner + 64 + role, nonces, 64);
    sha256(inner, 64 + role + 64, outer + 64), sha256(outer, sizeof outer, proof);
}

/* --- the handshake --- */
static void map_memory(cardan *c, const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    off_t whole = lseek(file, 0, SEEK_END);
    if (whole < 4096) die("shared memory cannot be opened");
    c->map = mmap(NULL, (size_t)whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), close(file);
    if (c->map == MAP_FAILED || memcmp(c->map, "CARDANSM", 8) || c->map[2] != 2) die("no shared memory of Cardan");
    uint32_t size = c->map[3];
    if (size < 64 || size % 64 || (uint64_t)whole < 4096 + 2 * (uint64_t)size) die("shared memory is cut off");
    c->capacity = size - BYTES, c->spin = (int)c->map[4], c->parent = getppid();
    c->theirs = c->map + 1024, c->mine = c->theirs + size / 4;
}

static void connect_to(cardan *c, const char *where) {
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct sockaddr_in inet = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (!where) die("CARDAN_CONNECT is not set: let Cardan start this program");
    if (!strcmp(where, "stdio:")) { /* a private copy for the protocol; what is printed goes to standard error */
        c->in = dup(0), c->out = dup(1), dup2(2, 1);
    } else if (!strncmp(where, "shm:", 4)) {
        map_memory(c, where + 4);
    } else if (!strncmp(where, "unix:", 5)) {
        strncpy(local.sun_path, where + 5, sizeof local.sun_path - 1);
        c->in = c->out = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(c->in, (struct sockaddr *)&local, sizeof local)) die("the socket of Cardan cannot be connected to");
    } else if (!strncmp(where, "tcp://", 6) && strrchr(where, ':') > where + 5) {
        inet.sin_port = htons((uint16_t)atoi(strrchr(where, ':') + 1)); /* plain TCP stays on this host */
        c->in = c->out = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(c->in, (struct sockaddr *)&inet, sizeof inet)) die("Cardan cannot be connected to");
        setsockopt(c->in, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    } else die("this client knows stdio:, unix:, tcp:// and shm: (for tls:// use a tunnel)");
}

static void describe(buffer *b, const cardan_value *v, int port, int causality) {
    text(b, v->name);
    if (port) put8(b, (uint8_t)causality), put(b, "\0\0\0", 3);
    else put8(b, 0), put8(b, v->direct != 0);
    put32(b, 0), put8(b, v->unit != NULL); /* no dimensions */
    if (v->unit) text(b, v->unit);
    put8(b, causality != 1);
    if (causality != 1) put8(b, 0), put32(b, 1), put64(b, v->start);
    if (port) put64(b, 1.0), put(b, "\0\0\0\0\0\0\0\0\0\0", 10); /* nominal; no choices, description, reason or range */
    else put(b, "\0\0\0\0\0\0\0\0\0\0", 10);                    /* no minimum, maximum, choices or description */
}

static void greet(cardan *c) {
    const cardan_model *m = c->model;
    const char *secret = getenv("CARDAN_SECRET");
    uint32_t inputs = (uint32_t)m->input_count, outputs = (uint32_t)m->output_count, direct = 0;
    uint8_t nonces[64], proof[32];
    buffer *b = &c->reply;
    if (syscall(SYS_getrandom, nonces, 32, 0) != 32) die("no random numbers");
    begin(c, HELLO, none), put(b, "CARDAN\r\n\1\0\0\0", 12), put(b, nonces, 32), text(b, m->name), text(b, "C");
    send_it(c), receive(c);
    if (secret) {
        if (c->kind != CHALLENGE) die("Cardan did not ask for the secret in CARDAN_SECRET");
        memcpy(nonces + 32, got(c, 32), 32);
        prove(secret, "participant", nonces, proof);
        begin(c, PROOF, none), put(b, proof, 32), send_it(c), receive(c);
        prove(secret, "cardan", nonces, proof);
    }
    if (c->kind == CHALLENGE) die("Cardan wants a secret: set CARDAN_SECRET");
    if (c->kind != WELCOME) die("Cardan does not welcome this participant");
    if (secret && memcmp(got(c, 32), proof, 32)) die("Cardan does not know the secret");
    begin(c, INTERFACE, none), put32(b, (m->state_size > 0) + 128 * !!m->foretold), put8(b, 0), put8(b, !!m->foretold);
    for (uint32_t i = (put32(b, inputs + outputs), 0); i < inputs; i++) describe(b, m->inputs + i, 1, 0);
    for (uint32_t o = 0; o < outputs; o++) describe(b, m->outputs + o, 1, 1), direct += inputs * !!m->outputs[o].direct;
    put32(b, (uint32_t)m->parameter_count);
    for (int i = 0; i < m->parameter_count; i++) describe(b, m->parameters + i, 0, 0);
    put32(b, direct);
    for (uint32_t o = 0; o < outputs; o++)
        for (uint32_t i = 0; m->outputs[o].direct && i < inputs; i++) put32(b, inputs + o), put32(b, i);
    put(b, "\0\0\0\0\0\0\0\0\0", 9), send_it(c);
}

/* --- requests --- */
static int known(int index, int count, const char *what) { if (index < 0 || index >= count) die(what); return index; }
double cardan_input(const cardan *c, int input, double time) {
    int place = c->place[known(input, c->model->input_count, "cardan_input: there is no such input")];
    if (place < 0 || !c->segments) return c->given[input];
    if (!c->stepping) time = c->stands_at;
    uint32_t from = !c->several ? (uint32_t)place : place ? u32_at(c->ends + 4 * (place - 1)) : 0;
    uint32_t to = c->several ? u32_at(c->ends + 4 * place) : from + 1;
    double s[6];
    for (memcpy(s, c->segments + 48 * from, 48); time >= s[0] && from + 1 < to;)
        memcpy(s, c->segments + 48 * ++from, 48);
    double t = time - s[1];
    if (c->arcs && c->arcs[from]) return s[2] * cos(s[4] * t) + s[3] * sin(s[4] * t);
    return s[2] + t * (s[3] + t * (s[4] + t * s[5]));
}
double cardan_parameter(const cardan *c, int index) {
    return c->parameters[known(index, c->model->parameter_count, "cardan_parameter: there is no such parameter")];
}
void cardan_set(cardan *c, int output, double value) {
    c->values[known(output, c->model->output_count, "cardan_set: there is no such output")] = value;
}
int cardan_end(cardan *c, int end, double at) { return c->stands_at = at, end; }
int cardan_fail(cardan *c, const char *message) { return c->failure = message, CARDAN_FAILED; }
void cardan_log(cardan *c, int level, const char *message) {
    begin(c, LOG, none), put32(&c->reply, (uint32_t)level), text(&c->reply, message), send_it(c);
}

static void bind_ports(cardan *c) {
    const uint32_t inputs = (uint32_t)c->model->input_count, outputs = (uint32_t)c->model->output_count;
    for (int which = 0; which < 2; which++) {
        uint32_t count = c->counts[which] = got32(c);
        const uint8_t *ids = got(c, 4 * (size_t)count);
        memcpy(c->bound[which] = grown(c->bound[which], 4 * (size_t)count), ids, 4 * (size_t)count);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t port = c->bound[which][i] -= which ? inputs : 0;
            if (port >= (which ? outputs : inputs)) die("a port is bound that does not exist");
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

static int step(cardan *c) {
    double from = got64(c), to = got64(c);
    got(c, 12); /* what was accepted, what to watch */
    uint32_t instants = got32(c), segments = got32(c), last = 0;
    c->several = got32(c);
    got(c, 4 + 8 * (size_t)instants);
    c->ends = got(c, 4 * (size_t)c->several), c->segments = got(c, 48 * (size_t)segments);
    c->arcs = c->flags & ARCS ? got(c, segments) : NULL;
    if ((c->several ? c->several : segments) != c->counts[0]) die("a step without all inputs");
    for (uint32_t i = 0; i < c->several; last = u32_at(c->ends + 4 * i++))
        if (u32_at(c->ends + 4 * i) <= last || u32_at(c->ends + 4 * i) > segments) die("an input without a segment");
    c->stepping = 1;
    int end = c->model->step ? c->model->step(c, from, to) : CARDAN_DONE;
    if (end <= 0) c->stands_at = to;
    return c->stepping = 0, end;
}

/* Does what was asked for. `with` says whether the outputs go along. */
static int answer(cardan *c, int *with) {
    const cardan_model *m = c->model;
    if (c->kind == STEP) {
        int end = step(c);
        *with = end >= 0 && end != CARDAN_REJECTED && c->flags & WITH_OUTPUTS;
        if (*with && m->publish && m->publish(c, c->stands_at) < 0) end = CARDAN_FAILED;
        for (uint32_t i = 0; m->terminate && i < c->counts[0]; i++) /* it may ask when this request is gone */
            c->given[c->bound[0][i]] = cardan_input(c, (int)c->bound[0][i], c->stands_at);
        c->segments = NULL;
        return end;
    } else if (c->kind == OUTPUTS || (c->kind == BEFORE && m->foretold)) {
        double at = got64(c);
        for (uint32_t i = 0; c->kind == OUTPUTS && i < c->counts[0]; i++) c->given[c->bound[0][i]] = got64(c);
        return m->publish ? m->publish(c, at) : CARDAN_DONE;
    } else if (c->kind == BEGIN) {
        double start = got64(c), stop = got64(c);
        got(c, 8), set_parameters(c);
        return m->initialize ? m->initialize(c, start, stop) : CARDAN_DONE;
    } else if (c->kind == SAVE || c->kind == RESTORE) {
        uint32_t slot = got32(c);
        if (slot >= (c->kind == SAVE ? 65536 : c->slot_count)) return cardan_fail(c, "There is no such slot.");
        if (slot >= c->slot_count) c->slots = grown(c->slots, (c->slot_count = slot + 1) * m->state_size);
        uint8_t *kept = c->slots + slot * m->state_size;
        memcpy(c->kind == SAVE ? kept : m->state, c->kind == SAVE ? m->state : kept, m->state_size);
    } else if (c->kind == TERMINATE && m->terminate) return m->terminate(c);
    else if (c->kind == BIND) bind_ports(c);
    else if (c->kind == PARAMETERS) got(c, 8), set_parameters(c);
    else if (c->kind != FINISH && c->kind != TERMINATE) return cardan_fail(c, "This participant cannot do that.");
    return CARDAN_DONE;
}

int cardan_run(const cardan_model *m) {
    cardan c = {.model = m};
    buffer *b = &c.reply;
    size_t inputs = (size_t)m->input_count, outputs = (size_t)m->output_count, all = inputs + outputs;
    c.inbox.bytes = grown(NULL, c.inbox.room = 65536), b->bytes = grown(NULL, b->room = 256);
    if (!(c.given = calloc(all + (size_t)m->parameter_count + 1, sizeof(double)))) die("out of memory");
    c.values = c.given + inputs, c.parameters = c.values + outputs;
    c.place = grown(NULL, sizeof(int) * inputs);
    for (int i = 0; i < m->input_count; i++) c.given[i] = m->inputs[i].start, c.place[i] = -1;
    for (int i = 0; i < m->parameter_count; i++) c.parameters[i] = m->parameters[i].start;
    connect_to(&c, getenv("CARDAN_CONNECT")), greet(&c);
    while (receive(&c) != GOODBYE) {
        int with = c.kind == OUTPUTS || c.kind == BEFORE, end = answer(&c, &with);
        if (end < 0) {
            const char *why = c.failure ? c.failure : "The participant failed.";
            begin(&c, FAILURE, c.sequence), put32(b, 0), text(b, why), put8(b, 0);
        } else {
            begin(&c, c.kind | REPLY | (with ? WITH_OUTPUTS << 16 : 0), c.sequence);
            put64(b, INFINITY), put64(b, 0.0), put64(b, 0.0); /* zero is zero in every type */
            if (c.kind == STEP) put32(b, (uint32_t)end), put32(b, 0), put64(b, c.stands_at), put64(b, NAN);
            uint8_t *planes = space(b, with ? 8 * (size_t)c.counts[1] : 0);
            for (uint32_t i = 0; with && i < c.counts[1]; i++) memcpy(planes + 8 * i, c.values + c.bound[1][i], 8);
        }
        send_it(&c);
    }
    return 0;
}
