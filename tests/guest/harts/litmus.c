/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Litmus tests of the memory model: small programs of two to four threads whose outcomes show how loads and stores of
 * harts are ordered. Each run has variables of its own. Threads change roles from run to run, wait for random times,
 * and the variables are in the same or in different lines. A thread beyond the harts of a test disturbs: it reads the
 * variables and writes near them.
 *
 * usage: litmus RUNS THREADS MODEL [NAME...]    THREADS: 2 to 8; MODEL: rvwmo or tso; NAME: a shape, such as MP
 *
 * One line per test of at most THREADS harts: its name, the number of runs with each outcome, and "forbidden: N" or
 * "allowed: N", the number of runs with the outcome that the test asks for. The exit status is 1 if an outcome occurred
 * that MODEL forbids. Names, shapes and outcomes are those of the RISC-V litmus tests. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Threads meet before every TOGETHER runs: then a thread that leaves the meeting late may be early in a later run. */
enum { TOGETHER = 4, THREADS_MAX = 8, CELLS = 64, WORDS = 64, VALUES_MAX = 4, OUTCOMES = 256, LINE_BYTES = 64 };
enum model { RVWMO, TSO, NOTHING };

typedef void role(uint32_t *x, uint32_t *y, uint32_t *z, uint32_t *result);

#define NONE ""
#define W(at, n) "sw %[v" #n "], (%[" #at "])\n"
#define R(to, at) "lw %[" #to "], (%[" #at "])\n"
#define F(before, after) "fence " #before ", " #after "\n"
#define TSO_FENCE "fence.tso\n"
#define MEMBARRIER "li a7, 283\nli a0, 1\nli a1, 0\necall\n" /* of the system call: MEMBARRIER_CMD_GLOBAL */
#define SWAP(at, n) "amoswap.w.aqrl zero, %[v" #n "], (%[" #at "])\n"
#define SWAP_RL(at, n) "amoswap.w.rl zero, %[v" #n "], (%[" #at "])\n"
#define OR_AQ(to, at) "amoor.w.aq %[" #to "], zero, (%[" #at "])\n"
#define LR_AQ(to, at) "lr.w.aq %[" #to "], (%[" #at "])\n"
#define LRSC(at, n) "0: lr.w.aqrl %[t], (%[" #at "])\nsc.w.aqrl %[t], %[v" #n "], (%[" #at "])\nbnez %[t], 0b\n"
#define R_ADDR(to, at) "xor %[t], %[a], %[a]\nadd %[t], %[t], %[" #at "]\nlw %[" #to "], (%[t])\n"
#define W_DATA(at) "xor %[t], %[a], %[a]\nadd %[t], %[t], %[v1]\nsw %[t], (%[" #at "])\n"
#define CTRL "beqz %[a], 1f\n1:\n"
/* Both words of an aligned doubleword at z. */
#define W_DOUBLE "slli %[t], %[v1], 32\nadd %[t], %[t], %[v1]\nsd %[t], (%[z])\n"
#define R_DOUBLE "ld %[t], (%[z])\nsext.w %[a], %[t]\nsrli %[b], %[t], 32\n"
#define W_LOW "sw %[v1], (%[z])\n"
#define W_HIGH "sw %[v1], 4(%[z])\n"

#define ROLE(name, code)                                                                \
    static void name(uint32_t *x, uint32_t *y, uint32_t *z, uint32_t *result)           \
    {                                                                                   \
        uint64_t a = 0, b = 0, t = 0;                                                   \
        __asm__ volatile(code                                                           \
                         : [a] "+&r"(a), [b] "+&r"(b), [t] "+&r"(t)                     \
                         : [x] "r"(x), [y] "r"(y), [z] "r"(z), [v1] "r"(1), [v2] "r"(2) \
                         : "memory", "a0", "a1", "a7");                                 \
        result[0] = (uint32_t)a;                                                        \
        result[1] = (uint32_t)b;                                                        \
    }
#define TEST(id, name, by, observed, outcome, code0, code1, code2, code3) \
    ROLE(id##_0, code0) ROLE(id##_1, code1) ROLE(id##_2, code2) ROLE(id##_3, code3)
#include "litmus.def"
#undef TEST

static const struct test {
    const char *name, *observed, *outcome;
    enum model forbidden_by;
    unsigned harts;
    role *role[4];
} all[] = {
#define HARTS(code2, code3) (sizeof(code3) > 1 ? 4 : sizeof(code2) > 1 ? 3 : 2)
#define TEST(id, name, by, observed, outcome, code0, code1, code2, code3) \
    {name, observed, outcome, by, HARTS(code2, code3), {id##_0, id##_1, id##_2, id##_3}},
#include "litmus.def"
#undef TEST
};

/* Variables of one run, and their places: in lines of their own, in one line, in one doubleword, on both sides of the
 * end of a line. The word next to z and NOISE are free. */
enum { NOISE = 7 };
static const struct {
    uint8_t x, y, z;
} places[] = {{0, 16, 32}, {0, 1, 2}, {2, 0, 4}, {15, 16, 18}};
struct cell {
    uint32_t word[WORDS];
} __attribute__((aligned(LINE_BYTES)));

static struct cell cell[CELLS];
static struct thread {
    volatile uint32_t at; /* number of runs that it has begun */
    pthread_t id;
    uint64_t random;
    uint32_t result[CELLS][2];
} __attribute__((aligned(LINE_BYTES))) thread[THREADS_MAX];
static unsigned threads;
static const struct test *test;
static uint64_t runs, count[OUTCOMES];
static volatile uint32_t sink;

static uint32_t draw(struct thread *t, uint32_t below)
{
    t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((t->random >> 33) % below);
}

/* Waits until all threads are here. */
static void meet(struct thread *t)
{
    t->at++;
    for (unsigned n = 0; n < threads; n++)
        while ((int32_t)(thread[n].at - t->at) < 0)
            continue;
}

static void meet_in_order(struct thread *t)
{
    __sync_synchronize();
    meet(t);
    __sync_synchronize();
}

static uint32_t *word_of(struct cell *c, uint64_t run, char variable)
{
    unsigned n = run % (sizeof places / sizeof *places);
    return &c->word[variable == 'x' ? places[n].x : variable == 'y' ? places[n].y : places[n].z];
}

static void disturb(struct cell *c, const uint32_t *x, const uint32_t *y)
{
    c->word[NOISE] = *(const volatile uint32_t *)x;
    sink = *(const volatile uint32_t *)y;
}

static void run_once(struct thread *t, uint64_t run, unsigned n)
{
    struct cell *c = &cell[n];
    uint32_t *x = word_of(c, run, 'x'), *y = word_of(c, run, 'y'), *z = word_of(c, run, 'z');
    unsigned number = (unsigned)(t - thread), as = (unsigned)((number + run / 8) % threads);
    uint32_t wait = draw(t, 4) == 0 ? draw(t, 64) : draw(t, 8), ahead = draw(t, 4);
    if (n % TOGETHER == 0)
        meet(t);
    if (ahead & 1)
        sink = *(volatile uint32_t *)x;
    if (ahead & 2)
        sink = *(volatile uint32_t *)y;
    for (uint32_t k = 0; k < wait; k++)
        __asm__ volatile("" ::: "memory");
    if (as < test->harts)
        test->role[as](x, y, z, thread[as].result[n]);
    else
        disturb(c, x, y);
}

static unsigned observed(const char **what, uint64_t run, unsigned n)
{
    const char *at = *what;
    *what += at[0] >= 'x' ? 1 : 2;
    return at[0] >= 'x' ? *word_of(&cell[n], run, at[0]) : thread[at[0] - '0'].result[n][at[1] - 'a'];
}

static void collect(uint64_t first)
{
    for (unsigned n = 0; n < CELLS && first + n < runs; n++) {
        unsigned outcome = 0;
        for (const char *what = test->observed; *what != '\0';)
            outcome = outcome << 2 | (observed(&what, first + n, n) & 3);
        count[outcome]++;
    }
}

static void *perform(void *p)
{
    struct thread *t = p;
    for (uint64_t run = 0; run < runs; run += CELLS) {
        if (t == thread)
            memset(cell, 0, sizeof cell);
        meet_in_order(t);
        for (unsigned n = 0; n < CELLS && run + n < runs; n++)
            run_once(t, run + n, n);
        meet_in_order(t);
        if (t == thread)
            collect(run);
    }
    return NULL;
}

static bool is_asked_for(const char *digits)
{
    size_t length = strlen(digits);
    for (const char *o = test->outcome; o != NULL; o = strchr(o, '|') ? strchr(o, '|') + 1 : NULL) {
        size_t same = 0;
        while (same < length && (o[same] == '?' || o[same] == digits[same]))
            same++;
        if (same == length)
            return true;
    }
    return false;
}

/* Prints the outcomes; returns the number of those that the test asks for. */
static uint64_t print_outcomes(void)
{
    uint64_t found = 0;
    unsigned values = 0;
    for (const char *what = test->observed; *what != '\0'; what += *what >= 'x' ? 1 : 2)
        values++;
    for (unsigned outcome = 0; outcome < OUTCOMES; outcome++) {
        char digits[VALUES_MAX + 1] = "";
        for (unsigned v = 0; v < values; v++)
            digits[v] = (char)('0' + (outcome >> 2 * (values - 1 - v) & 3));
        if (count[outcome] == 0)
            continue;
        printf(" %s:%llu", digits, (unsigned long long)count[outcome]);
        found += is_asked_for(digits) ? count[outcome] : 0;
    }
    return found;
}

/* Returns whether the model allows what has been seen. */
static bool run_test(enum model model)
{
    memset(count, 0, sizeof count);
    for (unsigned n = 1; n < threads; n++)
        if (pthread_create(&thread[n].id, NULL, perform, &thread[n]) != 0)
            exit(2);
    perform(&thread[0]);
    for (unsigned n = 1; n < threads; n++)
        pthread_join(thread[n].id, NULL);
    printf("%-28s %s", test->name, test->observed);
    uint64_t found = print_outcomes();
    bool forbids = test->forbidden_by <= model;
    printf(" %s: %llu\n", forbids ? "forbidden" : "allowed", (unsigned long long)found);
    return !forbids || found == 0;
}

static bool is_chosen(const char *name, char **shape)
{
    if (*shape == NULL)
        return true;
    for (; *shape != NULL; shape++)
        if (strncmp(name, *shape, strlen(*shape)) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    bool good = true;
    threads = argc > 3 ? (unsigned)atoi(argv[2]) : 0;
    if (threads < 2 || threads > THREADS_MAX || (strcmp(argv[3], "rvwmo") != 0 && strcmp(argv[3], "tso") != 0)) {
        fputs("usage: litmus RUNS THREADS rvwmo|tso [NAME...]\n", stderr);
        return 2;
    }
    runs = strtoull(argv[1], NULL, 10);
    for (unsigned n = 0; n < THREADS_MAX; n++)
        thread[n].random = n * 2654435761U + 1;
    for (test = all; test != all + sizeof all / sizeof *all; test++)
        if (test->harts <= threads && is_chosen(test->name, argv + 4))
            good = run_test(strcmp(argv[3], "tso") == 0 ? TSO : RVWMO) && good;
    return good ? 0 : 1;
}
