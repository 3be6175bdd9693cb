// SPDX-License-Identifier: GPL-3.0-or-later
// Code that is changed after it has run: by stores, by system calls that write memory, by changes of mappings and by
// threads. The new code must run after fence.i, after riscv_flush_icache, and at once where pages are new.
// guest_code_mapped.c has the ways that qemu-riscv64 does not see.
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "changed_code.h"

static void prepare_private_file(struct place *p)
{
    p->fd = make_file();
    p->at = map(PROT_READ | PROT_EXEC, MAP_PRIVATE, p->fd);
}

static void prepare_pipe(struct place *p)
{
    prepare_own(p);
    if (pipe(p->other) != 0)
        fail();
}

static void prepare_socket(struct place *p)
{
    prepare_own(p);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, p->other) != 0)
        fail();
}

static void prepare_own_and_file(struct place *p)
{
    prepare_own(p);
    p->fd = make_file();
}

// ---- stores ----

static void store_and_clear(struct place *p, const struct code *c)
{
    store(p, c);
    __builtin___clear_cache((char *)p->at, (char *)p->at + sizeof *c);
}

// Linux ignores the addresses.
static void store_and_flush_all(struct place *p, const struct code *c)
{
    store(p, c);
    flush(NULL, NULL, 0);
}

static void store_and_flush_other(struct place *p, const struct code *c)
{
    store(p, c);
    flush((void *)0x1000, (void *)0x2000, 0);
}

static void store_and_flush_local(struct place *p, const struct code *c)
{
    store(p, c);
    flush(p->at, p->at + sizeof *c, 1);
}

static void store_bytes(struct place *p, const struct code *c)
{
    for (size_t b = 0; b < sizeof *c; b++)
        ((volatile uint8_t *)p->to)[b] = ((const uint8_t *)c)[b];
}

static void store_float(struct place *p, const struct code *c)
{
    __asm__ volatile("fld fa0, (%1)\n\tfsd fa0, (%0)" ::"r"(p->to), "r"(c) : "fa0", "memory");
}

static void store_atomic(struct place *p, const struct code *c)
{
    __atomic_exchange_n((uint32_t *)p->to, c->add, __ATOMIC_SEQ_CST);
    __atomic_exchange_n((uint32_t *)p->to + 1, c->ret, __ATOMIC_SEQ_CST);
}

static void store_conditional(struct place *p, const struct code *c)
{
    uint64_t new, old = *(uint64_t *)p->to;
    memcpy(&new, c, sizeof new);
    while (!__atomic_compare_exchange_n((uint64_t *)p->to, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
}

// ---- system calls that write memory ----

static void pipe_read(struct place *p, const struct code *c)
{
    if (write(p->other[1], c, sizeof *c) != sizeof *c || read(p->other[0], p->to, sizeof *c) != sizeof *c)
        fail();
}

static void pipe_readv(struct place *p, const struct code *c)
{
    struct iovec part[] = {{p->to, 4}, {p->to + 4, 4}};
    if (write(p->other[1], c, sizeof *c) != sizeof *c || readv(p->other[0], part, 2) != sizeof *c)
        fail();
}

static void socket_receive(struct place *p, const struct code *c)
{
    if (send(p->other[1], c, sizeof *c, 0) != sizeof *c || recv(p->other[0], p->to, sizeof *c, 0) != sizeof *c)
        fail();
}

static void socket_message(struct place *p, const struct code *c)
{
    struct iovec part = {p->to, sizeof *c};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (send(p->other[1], c, sizeof *c, 0) != sizeof *c || recvmsg(p->other[0], &message, 0) != sizeof *c)
        fail();
}

static void file_pread(struct place *p, const struct code *c)
{
    if (pwrite(p->fd, c, sizeof *c, 8) != sizeof *c || pread(p->fd, p->to, sizeof *c, 8) != sizeof *c)
        fail();
}

// ---- changes of the mapping ----

static void map_again(struct place *p, const struct code *c)
{
    munmap(p->at, PAGE);
    if (mmap(p->at, PAGE, RWX, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != p->at)
        fail();
    store(p, c);
}

static void map_over(struct place *p, const struct code *c)
{
    int fd = make_file();
    if (pwrite(fd, c, sizeof *c, 0) != sizeof *c ||
        mmap(p->at, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd, 0) != p->at)
        fail();
    close(fd);
}

static void move_over(struct place *p, const struct code *c)
{
    void *fresh = map(RWX, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    memcpy(fresh, c, sizeof *c);
    if (mremap(fresh, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, p->at) != p->at)
        fail();
}

static void protect_twice(struct place *p, const struct code *c)
{
    if (mprotect(p->at, PAGE, PROT_READ | PROT_WRITE) != 0)
        fail();
    store(p, c);
    if (mprotect(p->at, PAGE, PROT_READ | PROT_EXEC) != 0)
        fail();
}

// The private copy goes, and the file is seen again.
static void back_to_file(struct place *p, const struct code *c)
{
    if (mprotect(p->at, PAGE, RWX) != 0)
        fail();
    memset(p->at, 0, 8);
    file_pwrite(p, c);
    if (madvise(p->at, PAGE, MADV_DONTNEED) != 0)
        fail();
}

// ---- threads ----

struct job {
    struct place *place;
    const struct code *code;
    void (*change)(struct place *p, const struct code *c);
};

static void *do_job(void *argument)
{
    struct job *j = argument;
    j->change(j->place, j->code);
    return NULL;
}

static void in_thread(struct job j)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, do_job, &j) != 0 || pthread_join(thread, NULL) != 0)
        fail();
}

static void by_thread(struct place *p, const struct code *c) { in_thread((struct job){p, c, store}); }

// The thread flushes the instruction caches of all harts.
static void by_flushing_thread(struct place *p, const struct code *c)
{
    in_thread((struct job){p, c, store_and_flush});
}

static const struct way ways[] = {
    {"stores", prepare_own, store, 1},
    {"stores of bytes", prepare_own, store_bytes, 1},
    {"stores of doubles", prepare_own, store_float, 1},
    {"atomic swaps", prepare_own, store_atomic, 1},
    {"store-conditional", prepare_own, store_conditional, 1},
    {"stores, call 259", prepare_own, store_and_flush, 0},
    {"stores, clear_cache", prepare_own, store_and_clear, 0},
    {"stores, call 259 of nothing", prepare_own, store_and_flush_all, 0},
    {"stores, call 259 of another range", prepare_own, store_and_flush_other, 0},
    {"stores, call 259 of this thread", prepare_own, store_and_flush_local, 0},
    {"read", prepare_pipe, pipe_read, 1},
    {"readv", prepare_pipe, pipe_readv, 1},
    {"recv", prepare_socket, socket_receive, 1},
    {"recvmsg", prepare_socket, socket_message, 1},
    {"pread", prepare_own_and_file, file_pread, 1},
    {"munmap, mmap, stores", prepare_own, map_again, 1},
    {"mmap over it", prepare_own, map_over, 0},
    {"mremap over it", prepare_own, move_over, 0},
    {"mprotect twice", prepare_own, protect_twice, 1},
    {"madvise", prepare_private_file, back_to_file, 0},
    {"thread", prepare_own, by_thread, 1},
    {"thread, call 259", prepare_own, by_flushing_thread, 0},
};

// ---- single cases ----

// Without fence.i each call runs an old version or the new one; what was there before the first one is no function.
static void keep_stale(void)
{
    struct place p = {0};
    int impossible = 0;
    prepare_own(&p);
    for (int version = 1; version <= VERSIONS; version++) {
        const struct code c = version_of((unsigned)version);
        store(&p, &c);
        if (version == 1)
            fence_i();
        for (int n = 0; n < CALLS; n++) {
            const long added = call(p.at, n) - n;
            impossible += added < 1 || added > version;
        }
    }
    printf("without a fence: %d impossible results\n", impossible);
}

// Instructions that differ in the operation alone.
static void change_operation(void)
{
    static const uint32_t word[] = {0x00a50533 /* add */, 0x40a50533 /* sub */, 0x00a54533 /* xor */,
                                    0x00a56533 /* or */,  0x02a50533 /* mul */, 0x00a53533 /* sltu */};
    struct place p = {0};
    long sum = 0;
    prepare_own(&p);
    for (int round = 0; round < 3; round++)
        for (size_t n = 0; n < sizeof word / sizeof *word; n++) {
            const struct code c = {word[n], RET};
            store(&p, &c);
            flush(NULL, NULL, 0);
            sum = 3 * sum + run(p.at);
        }
    printf("operations: %ld\n", sum);
}

// An instruction that extends into the next page, of which alone its second half changes.
static void change_second_half(void)
{
    uint8_t *two = mmap(NULL, 2 * PAGE, RWX, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at = two + PAGE - 2;
    long sum = 0;
    for (unsigned version = 0; version < VERSIONS; version++) {
        const struct code c = version_of(version);
        memcpy(version == 0 ? at : at + 2, (const uint8_t *)&c + (version == 0 ? 0 : 2), version == 0 ? 8 : 2);
        if (version % 2 == 0)
            fence_i();
        else
            flush(at + 2, at + 4, 0);
        sum = 3 * sum + run(at);
    }
    printf("second half: %ld\n", sum);
}

// A store that writes itself over, and is then the instruction that it has written.
static void change_itself(void)
{
    // 0: addi a0, a0, 1   4: sw a2, 4(a1)   8: fence.i   12: beqz a3, 24   16: li a3, 0   20: j 4   24: ret
    static const uint32_t word[] = {0x00150513, 0x00c5a223, 0x0000100f, 0x00068663, 0x00000693, 0xff1ff06f, RET};
    uint32_t *at = map(RWX, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    long sum = 0;
    for (unsigned n = 0; n < 20; n++) {
        memcpy(at, word, sizeof word);
        fence_i();
        sum = 3 * sum + ((long (*)(long, uint32_t *, long, long))(uintptr_t)at)(n, at, ADDI_A0_A0 | n << 20, 1);
    }
    printf("itself: %ld\n", sum);
}

// A store that is executed on a wrong path only, or writes what was there, before a call of what it would write.
static void mispredict(void)
{
    struct place p = {0};
    const struct code good = version_of(3), bad = version_of(5);
    uint32_t random = 12345;
    long sum = 0;
    prepare_own(&p);
    store(&p, &good);
    for (int n = 0; n < 2000; n++) {
        random = random * 1664525 + 1013904223;
        const long bit = random >> 30 & 1, word = bit ? good.add : bad.add;
        long result = n;
        __asm__ volatile("fence.i\n\t"
                         "mv a0, %[n]\n\t"
                         "li t1, 7\n\t"
                         "mul t0, %[bit], t1\n\t" // the branch waits for the division
                         "div t0, t0, t1\n\t"
                         "mul t0, t0, t1\n\t"
                         "div t0, t0, t1\n\t"
                         "beqz t0, 1f\n\t"
                         "sw %[word], 0(%[at])\n"
                         "1:\tjalr %[at]\n\t"
                         "mv %[n], a0"
                         : [n] "+&r"(result)
                         : [bit] "r"(bit), [word] "r"(word), [at] "r"(p.at)
                         : "ra", "a0", "t0", "t1", "memory");
        sum += result;
    }
    printf("wrong path: %ld\n", sum);
}

int main(void)
{
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++)
        change_often(&ways[n]);
    keep_stale();
    change_operation();
    change_second_half();
    change_itself();
    mispredict();
    return 0;
}
