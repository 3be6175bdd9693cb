// SPDX-License-Identifier: GPL-3.0-or-later
// What the guests that change code (guest_code*.c) have in common: a function that is written again and again, and run.
#ifndef TESTS_GUEST_VECTORS_CHANGED_CODE_H
#define TESTS_GUEST_VECTORS_CHANGED_CODE_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, VERSIONS = 12, CALLS = 40, FLUSH_ICACHE = 259, RWX = PROT_READ | PROT_WRITE | PROT_EXEC };
enum { ADDI_A0_A0 = 0x00050513, RET = 0x00008067 };

static jmp_buf failed;

static void fail(void) { longjmp(failed, 1); }

// A function that adds `version` to its argument.
struct code {
    uint32_t add, ret;
};

static struct code version_of(unsigned version) { return (struct code){ADDI_A0_A0 | version << 20, RET}; }

static long call(const void *at, long argument) { return ((long (*)(long))(uintptr_t)at)(argument); }

// Calls often: then the code may be compiled, and the pipeline's states are known.
static long run(const void *at)
{
    long sum = 0;
    for (int n = 0; n < CALLS; n++)
        sum += call(at, n);
    return sum;
}

static void fence_i(void) { __asm__ volatile("fence.i" ::: "memory"); }

static long flush(const void *from, const void *to, unsigned long flags)
{
    return syscall(FLUSH_ICACHE, from, to, flags);
}

// Where code is written, and where it runs. Files, pipes and sockets are for the kinds of change that need them.
struct place {
    uint8_t *to, *at;
    int fd, other[2];
};

// A kind of change; `fence`: it needs a fence.i.
struct way {
    const char *name;
    void (*prepare)(struct place *p);
    void (*change)(struct place *p, const struct code *c);
    int fence;
};

static void *map(int prot, int flags, int fd)
{
    void *p = mmap(NULL, PAGE, prot, flags, fd, 0);
    if (p == MAP_FAILED)
        fail();
    return p;
}

static int make_file(void)
{
    int fd = memfd_create("code", 0);
    if (fd < 0 || ftruncate(fd, PAGE) != 0)
        fail();
    return fd;
}

static void prepare_own(struct place *p) { p->at = p->to = map(RWX, MAP_PRIVATE | MAP_ANONYMOUS, -1); }

static void store(struct place *p, const struct code *c) { memcpy(p->to, c, sizeof *c); }

static void store_and_flush(struct place *p, const struct code *c)
{
    store(p, c);
    flush(p->at, p->at + sizeof *c, 0);
}

static void file_pwrite(struct place *p, const struct code *c)
{
    if (pwrite(p->fd, c, sizeof *c, 0) != sizeof *c)
        fail();
}

// Runs the versions of a way of changing code, and prints a number that depends on what each has returned.
static void change_often(const struct way *w)
{
    struct place p = {0};
    long sum = 0;
    if (setjmp(failed) != 0) {
        printf("%s: %m\n", w->name);
        return;
    }
    w->prepare(&p);
    for (unsigned version = 1; version <= VERSIONS; version++) {
        const struct code c = version_of(version);
        w->change(&p, &c);
        if (w->fence)
            fence_i();
        sum = 3 * sum + run(p.at);
    }
    printf("%s: %ld\n", w->name, sum);
}

#endif
