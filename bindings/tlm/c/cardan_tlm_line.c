/* Messages over a socket: a header of 24 bytes, then the payload, in the byte order that the header states. */
#define _POSIX_C_SOURCE 200809L
#include "cardan_tlm_parts.h"
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#define poll WSAPoll
#define close_socket closesocket
#define MSG_NOSIGNAL 0
static int would_block(void) { return WSAGetLastError() == WSAEWOULDBLOCK; }
static int interrupted(void) { return 0; }
static const char *last_words(void) { return "the network said no"; }
static double now(void) { return (double)GetTickCount64() / 1000.0; }
static void nap(double seconds) { Sleep((DWORD)(1000.0 * seconds)); }
static int not_blocking(tlm_socket s) { u_long yes = 1; return ioctlsocket(s, FIONBIO, &yes); }
static void start_network(void) { WSADATA data; WSAStartup(MAKEWORD(2, 2), &data); }
#else
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#define close_socket close
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
static int would_block(void) { return errno == EAGAIN || errno == EWOULDBLOCK; }
static int interrupted(void) { return errno == EINTR; }
static const char *last_words(void) { return strerror(errno); }
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static void nap(double seconds) {
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    nanosleep(&t, NULL);
}
static int not_blocking(tlm_socket s) {
    int flags = fcntl(s, F_GETFL);
    return flags < 0 || fcntl(s, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(s, F_SETFD, FD_CLOEXEC) < 0 ? -1 : 0;
}
static void start_network(void) {}
#endif

enum { HEADER = 24, MOST_BYTES = 64 << 20, MOST_UNREAD = 256 << 20 }; /* a message; what may lie unread */
static const char signature[8] = {'T', 'L', 'M', '_', '0', '1', '0', '1'};

int tlm_fail(tlm_line *l, int code, const char *format, ...) {
    va_list words;
    va_start(words, format);
    vsnprintf(l->error, sizeof l->error, format, words);
    va_end(words);
    return code;
}

static int big_endian(void) {
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static int lost(tlm_line *l, const char *why) {
    int code = tlm_fail(l, CARDAN_TLM_LOST, "The connection to the TLM manager is lost: %s.", why);
    tlm_line_close(l);
    return code;
}

/* --- opening --- */
static int reach(tlm_line *l, const char *host, const char *port) {
    struct addrinfo wish, *found = NULL;
    memset(&wish, 0, sizeof wish);
    wish.ai_socktype = SOCK_STREAM;
    int answer = getaddrinfo(host, port, &wish, &found);
    if (answer != 0) {
        tlm_fail(l, 0, "The name of the TLM manager's host, `%s`, is not known here: %s.", host, gai_strerror(answer));
        return answer == EAI_AGAIN ? 0 : -1; /* whether another try makes sense */
    }
    for (struct addrinfo *a = found; a && !l->open; a = a->ai_next) {
        l->socket = (tlm_socket)socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (l->socket == (tlm_socket)-1) continue;
        if (connect(l->socket, a->ai_addr, (socklen_t)a->ai_addrlen) == 0) l->open = 1;
        else {
            tlm_fail(l, 0, "No TLM manager answers at %s:%s: %s.", host, port, last_words());
            close_socket(l->socket);
        }
    }
    freeaddrinfo(found);
    return l->open;
}

int tlm_line_open(tlm_line *l, const char *server, double patience) {
    char host[256];
    const char *colon = server ? strrchr(server, ':') : NULL;
    size_t length = colon ? (size_t)(colon - server) : 0;
    long port = colon ? strtol(colon + 1, NULL, 10) : 0;
    if (!colon || length == 0 || length >= sizeof host || port < 1 || port > 65535 || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return tlm_fail(l, CARDAN_TLM_BAD_ARGUMENT, "The TLM manager's address must be host:port with a port from 1 to 65535, not `%s`.",
                        server ? server : "");
    if (server[0] == '[' && server[length - 1] == ']') server++, length -= 2; /* [::1]:11111 */
    memcpy(host, server, length), host[length] = 0;
    start_network();
    double until = now() + patience, pause = 0.01;
    for (;;) {
        int reached = reach(l, host, colon + 1);
        if (reached > 0) break;
        if (reached < 0 || now() + pause > until) return CARDAN_TLM_NO_MANAGER; /* the last try left its words */
        nap(pause);
        if (pause < 1.0) pause *= 2.0;
    }
    int yes = 1;
    setsockopt(l->socket, IPPROTO_TCP, TCP_NODELAY, (const char *)&yes, sizeof yes);
    setsockopt(l->socket, SOL_SOCKET, SO_KEEPALIVE, (const char *)&yes, sizeof yes);
    if (not_blocking(l->socket) != 0) return lost(l, last_words());
    return CARDAN_TLM_OK;
}

/* --- reading and writing --- */
/* Takes in whatever has arrived. Also while sending: two who both only send would wait for each other for ever. */
static int take_in(tlm_line *l) {
    if (l->begin == l->end) l->begin = l->end = 0;
    if (l->room - l->end < 4096) {
        if (l->begin) memmove(l->inbox, l->inbox + l->begin, l->end - l->begin);
        l->end -= l->begin, l->begin = 0;
        if (l->room - l->end < l->room / 2 || l->room == 0) {
            size_t room = l->room ? 2 * l->room : 65536;
            uint8_t *grown = room > MOST_UNREAD ? NULL : realloc(l->inbox, room);
            if (!grown) return tlm_fail(l, CARDAN_TLM_NO_MEMORY, "There is no memory for what the TLM manager sent.");
            l->inbox = grown, l->room = room;
        }
    }
    long got = (long)recv(l->socket, (char *)l->inbox + l->end, (int)(l->room - l->end), 0);
    if (got > 0) l->end += (size_t)got;
    if (got == 0) return lost(l, "the manager closed it");
    if (got < 0 && !would_block() && !interrupted()) return lost(l, last_words());
    return CARDAN_TLM_OK;
}

/* Waits until the socket has something to read, or takes something if asked for; negative: it never did. */
static int await_socket(tlm_line *l, int writing, double until) {
    struct pollfd look;
    look.fd = l->socket, look.events = (short)(writing ? POLLIN | POLLOUT : POLLIN), look.revents = 0;
    double left = until > 0.0 ? until - now() : 3600.0;
    if (left <= 0.0)
        return tlm_fail(l, CARDAN_TLM_TIMEOUT, "Nothing came from the TLM manager for %g s (see cardan_tlm_set_patience).", l->patience);
    int ready = poll(&look, 1, left < 3600.0 ? (int)(1000.0 * left) + 1 : 3600000);
    if (ready < 0 && !interrupted()) return lost(l, last_words());
    return ready > 0 && look.revents & ~POLLOUT ? take_in(l) : CARDAN_TLM_OK;
}

static double deadline(const tlm_line *l) { return l->patience > 0.0 ? now() + l->patience : 0.0; }

int tlm_line_send(tlm_line *l, int kind, int id, const void *payload, size_t size) {
    if (!l->open) return CARDAN_TLM_LOST; /* the words about it are there already */
    if (size > MOST_BYTES) return tlm_fail(l, CARDAN_TLM_BAD_ARGUMENT, "A message of %lu bytes is too long.", (unsigned long)size);
    if (HEADER + size > l->out_room) {
        uint8_t *grown = realloc(l->outbox, HEADER + size);
        if (!grown) return tlm_fail(l, CARDAN_TLM_NO_MEMORY, "There is no memory for a message.");
        l->outbox = grown, l->out_room = HEADER + size;
    }
    int32_t words[3] = {(int32_t)size, id, 0};
    memset(l->outbox, 0, HEADER);
    memcpy(l->outbox, signature, 8);
    l->outbox[8] = (uint8_t)kind, l->outbox[9] = (uint8_t)big_endian();
    memcpy(l->outbox + 12, words, 12);
    if (size) memcpy(l->outbox + HEADER, payload, size);
    size_t done = 0, all = HEADER + size;
    double until = deadline(l);
    while (done < all) {
        long gone = (long)send(l->socket, (const char *)l->outbox + done, (int)(all - done), MSG_NOSIGNAL);
        if (gone > 0) done += (size_t)gone;
        else if (gone < 0 && would_block()) {
            int code = await_socket(l, 1, until);
            if (code != CARDAN_TLM_OK) return code;
        } else if (gone == 0 || !interrupted()) return lost(l, last_words());
    }
    return CARDAN_TLM_OK;
}

static int32_t int_at(const uint8_t *at, int swapped) {
    uint8_t bytes[4];
    int32_t value;
    for (int i = 0; i < 4; i++) bytes[i] = at[swapped ? 3 - i : i];
    memcpy(&value, bytes, 4);
    return value;
}

double tlm_double_at(const tlm_message *m, size_t index) {
    const uint8_t *at = m->payload + 8 * index;
    uint8_t bytes[8];
    double value;
    for (int i = 0; i < 8; i++) bytes[i] = at[m->swapped ? 7 - i : i];
    memcpy(&value, bytes, 8);
    return value;
}

static int fill(tlm_line *l, size_t size, double until) {
    while (l->end - l->begin < size) {
        int code = l->open ? await_socket(l, 0, until) : CARDAN_TLM_LOST;
        if (code != CARDAN_TLM_OK && l->end - l->begin < size) return code;
    }
    return CARDAN_TLM_OK;
}

int tlm_line_receive(tlm_line *l, tlm_message *m) {
    double until = deadline(l);
    int code = fill(l, HEADER, until);
    if (code != CARDAN_TLM_OK) return code;
    const uint8_t *h = l->inbox + l->begin;
    int32_t size = 0;
    m->swapped = h[9] != (uint8_t)big_endian();
    m->kind = h[8], size = int_at(h + 12, m->swapped), m->id = int_at(h + 16, m->swapped), m->parameter = int_at(h + 20, m->swapped);
    const char *wrong = memcmp(h, signature, 8) != 0 ? "it does not begin with TLM_0101"
                        : h[9] > 1                   ? "its byte order is neither little nor big endian"
                        : size < 0                   ? "its length is negative"
                        : size > MOST_BYTES          ? "it is longer than 64 MB"
                                                     : NULL;
    if (wrong) {
        code = tlm_fail(l, CARDAN_TLM_PROTOCOL, "What came from the TLM manager is no message of TLM: %s.", wrong);
        tlm_line_close(l);
        return code;
    }
    if ((code = fill(l, HEADER + (size_t)size, until)) != CARDAN_TLM_OK) return code;
    m->size = (size_t)size, m->payload = l->inbox + l->begin + HEADER; /* filling may have moved it */
    l->begin += HEADER + (size_t)size;
    return CARDAN_TLM_OK;
}

/* --- signals --- */
static volatile sig_atomic_t watched;
static tlm_socket abort_socket;
static uint8_t abort_message[HEADER];
enum { SIGNALS = 6 };
static const int signals[SIGNALS] = {SIGABRT, SIGFPE, SIGILL, SIGINT, SIGSEGV, SIGTERM};
static void (*before[SIGNALS])(int);

static void tell_and_raise(int number) {
    if (watched) {
        watched = 0;
        send(abort_socket, (const char *)abort_message, HEADER, MSG_NOSIGNAL);
    }
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i] == number) signal(number, before[i] == SIG_ERR ? SIG_DFL : before[i]);
    raise(number);
}

int tlm_line_abort_on_signals(tlm_line *l) {
    if (!l->open) return tlm_fail(l, CARDAN_TLM_BAD_ARGUMENT, "There is no connection yet: connect first, then ask for signals to be told.");
    if (watched) return tlm_fail(l, CARDAN_TLM_BAD_ARGUMENT, "Signals of this process end the run of another session already.");
    int32_t words[3] = {0, -1, 0};
    memcpy(abort_message, signature, 8);
    abort_message[8] = TLM_ABORT, abort_message[9] = (uint8_t)big_endian();
    memcpy(abort_message + 12, words, 12);
    abort_socket = l->socket;
    for (int i = 0; i < SIGNALS; i++) before[i] = signal(signals[i], tell_and_raise);
    watched = 1;
    return CARDAN_TLM_OK;
}

void tlm_line_close(tlm_line *l) {
    if (!l->open) return;
    if (watched && abort_socket == l->socket) {
        watched = 0;
        for (int i = 0; i < SIGNALS; i++)
            if (before[i] != SIG_ERR) signal(signals[i], before[i]);
    }
    close_socket(l->socket);
    l->open = 0;
}
