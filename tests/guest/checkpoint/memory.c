/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of every kind that a checkpoint holds: each round changes all of it, and prints its sums and the layout.
 * usage: memory FILE */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 16, PAGE = 4096, PAGES = 24 };

static sigjmp_buf back;
static volatile unsigned faults;

static void on_fault(int signal)
{
    if (faults > 100000)
        _exit(4);
    faults += (unsigned)signal;
    siglongjmp(back, 1);
}

/* Tries a store, and counts a fault. */
static void try_store(volatile uint8_t *at)
{
    if (sigsetjmp(back, 1) == 0)
        *at = 1;
}

static uint64_t sum_of(const uint8_t *from, size_t bytes)
{
    uint64_t sum = 1469598103934665603u;
    for (size_t i = 0; i < bytes; i += 61)
        sum = (sum ^ from[i]) * 1099511628211u;
    return sum;
}

/* Ranges, permissions and offsets. The file is closed before they are printed: no checkpoint holds it. */
static void show_maps(void)
{
    static char text[1 << 16];
    const int fd = open("/proc/self/maps", O_RDONLY);
    size_t size = 0;
    for (ssize_t n; (n = read(fd, text + size, sizeof text - 1 - size)) > 0;)
        size += (size_t)n;
    close(fd);
    text[size] = '\0';
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *end = strchr(line, ' ');
        end = end != NULL ? strchr(end + 1, ' ') : NULL;
        end = end != NULL ? strchr(end + 1, ' ') : NULL;
        printf("%.*s\n", end != NULL ? (int)(end - line) : 0, line);
    }
}

static uint8_t *map(size_t pages, int rights, int flags, int fd)
{
    void *p = mmap(NULL, pages * PAGE, rights, flags, fd, 0);
    if (p == MAP_FAILED)
        exit(3);
    return p;
}

int main(int argc, char **argv)
{
    const int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
    if (fd < 0)
        return 2;
    const int both = PROT_READ | PROT_WRITE;
    uint8_t *own = map(PAGES, both, MAP_PRIVATE | MAP_ANONYMOUS, -1),
            *shared = map(8, both, MAP_SHARED | MAP_ANONYMOUS, -1), *file = map(5, both, MAP_PRIVATE, fd),
            *seen = map(5, PROT_READ, MAP_SHARED, fd), *closed = map(4, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1),
            *reserved = map(1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1),
            *moving = map(2, both, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    close(fd);
    signal(SIGSEGV, on_fault);
    signal(SIGBUS, on_fault);
    for (int round = 1; round <= ROUNDS; round++) {
        uint8_t *heap = sbrk(3 * PAGE + 512);
        memset(heap, round, 3 * PAGE);
        mprotect(own + (round % PAGES) * PAGE, PAGE, both);
        memset(own + (round % PAGES) * PAGE, round, PAGE / 2);
        mprotect(own + ((round + 3) % PAGES) * PAGE, PAGE, round % 3 == 0 ? PROT_NONE : PROT_READ);
        mprotect(shared + 2 * PAGE, PAGE, both);
        shared[round * 1000 % (8 * PAGE)] += (uint8_t)round;
        mprotect(shared + 2 * PAGE, PAGE, round % 2 != 0 ? PROT_READ : both);
        file[round * 17] ^= (uint8_t)round;
        try_store(own + (round * 7 % PAGES) * PAGE);
        try_store(shared + 2 * PAGE + round);
        try_store(closed + PAGE);
        try_store(file + 4 * PAGE + 5); /* behind the end of the file: SIGBUS */
        try_store(seen);
        mprotect(reserved + (size_t)round * 64 * PAGE, PAGE, both);
        reserved[(size_t)round * 64 * PAGE + 9] = (uint8_t)round;
        if (round % 4 == 0)
            munmap(own + (round / 4) * PAGE, PAGE);
        moving = mremap(moving, (size_t)(round + 1) * PAGE, (size_t)(round + 2) * PAGE, MREMAP_MAYMOVE);
        moving[(round + 1) * PAGE] = (uint8_t)(round * 3);
        if (round == 9)
            madvise(moving, 2 * PAGE, MADV_DONTNEED);
        printf("round %d: faults %u, heap %p %llx, shared %llx, file %llx %llx, reserved %llx, moving %p %llx\n", round,
               faults, (void *)heap, (unsigned long long)sum_of(heap - 2 * PAGE, 5 * PAGE),
               (unsigned long long)sum_of(shared, 8 * PAGE), (unsigned long long)sum_of(file, 3 * PAGE),
               (unsigned long long)sum_of(seen, 3 * PAGE), (unsigned long long)reserved[(size_t)round * 64 * PAGE + 9],
               (void *)moving, (unsigned long long)sum_of(moving, (size_t)(round + 2) * PAGE));
        show_maps();
    }
    return 0;
}
