/* The other half of a bare ping-pong: takes so many bytes, gives so many bytes, and nothing else.
 * echo TAKES GIVES stdio | unix PATH | tcp PORT | futex PATH | spin PATH */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static char bytes[65536];

static void descriptors(int in, int out, size_t takes, size_t gives) {
    for (;;) {
        for (size_t done = 0; done < takes;) {
            ssize_t got = read(in, bytes + done, sizeof bytes - done);
            if (got <= 0) exit(0);
            done += (size_t)got;
        }
        if (write(out, bytes, gives) != (ssize_t)gives) exit(0);
    }
}

/* One word each way; bytes at 4096 and 8192. */
static void memory(char *map, size_t takes, size_t gives, int spin) {
    _Atomic uint32_t *asked = (_Atomic uint32_t *)map, *given = (_Atomic uint32_t *)(map + 64);
    for (uint32_t turn = 1;; turn++) {
        uint32_t seen;
        while ((seen = *asked) != turn) {
            if (seen == UINT32_MAX) exit(0);
            if (!spin) syscall(SYS_futex, asked, FUTEX_WAIT, seen, NULL, NULL, 0);
        }
        memcpy(bytes, map + 4096, takes);
        memcpy(map + 8192, bytes, gives);
        *given = turn;
        if (!spin) syscall(SYS_futex, given, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

int main(int count, char **words) {
    if (count < 4) return 2;
    size_t takes = (size_t)atoi(words[1]), gives = (size_t)atoi(words[2]);
    const char *how = words[3];
    if (!strcmp(how, "stdio")) descriptors(0, 1, takes, gives);
    if (!strcmp(how, "unix")) {
        struct sockaddr_un a = {.sun_family = AF_UNIX};
        strncpy(a.sun_path, words[4], sizeof a.sun_path - 1);
        int s = socket(AF_UNIX, SOCK_STREAM, 0);
        if (!connect(s, (struct sockaddr *)&a, sizeof a)) descriptors(s, s, takes, gives);
    }
    if (!strcmp(how, "tcp")) {
        struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[4]))};
        int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
        a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        if (!connect(s, (struct sockaddr *)&a, sizeof a)) descriptors(s, s, takes, gives);
    }
    if (!strcmp(how, "futex") || !strcmp(how, "spin")) {
        int file = open(words[4], O_RDWR);
        char *map = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) memory(map, takes, gives, !strcmp(how, "spin"));
    }
    return 1;
}
