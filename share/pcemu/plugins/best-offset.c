/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Example of a prefetcher: the best offset (P. Michaud, "Best-Offset Hardware Prefetching", HPCA 2016, section 4). An
 * access to line X that misses, or is the first one to a prefetched line, requests line X + D. D is learned: an offset
 * O gets a point when such an access to X finds X - O in the table of recent requests, so that a prefetch by O would
 * have been in time. When an offset has the most points, or after the last round, the best one becomes D; with too few
 * points, nothing is prefetched in the next phase of learning.
 *
 * Options: cycles from the request of a line to its arrival (default 60).
 *
 * What differs from the paper: it works at the L1 data cache, on virtual addresses, and not at the L2 cache. Its pages
 * have 4 KiB, so offsets are below 64 lines. A plug-in is not called when a line arrives, so the base address of a
 * request enters the table of recent requests a fixed time after the request. */
#include <pcemu/plugin.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECENT = 256, TAG_BITS = 12, SCORE_MOST = 31, ROUNDS_MOST = 100, SCORE_BAD = 1 }; /* the values of the paper */
enum { OFFSETS = 32, PAGE_BITS = 12, WAITING = 64 };

struct best_offset {
    unsigned line_bits;
    uint64_t arrival_cycles;
    uint64_t offset[OFFSETS]; /* in lines: products of 2, 3 and 5 */
    unsigned score[OFFSETS];
    unsigned offsets, tested, round;
    uint64_t best; /* D; 0: nothing is prefetched */
    uint16_t recent[RECENT];
    struct best_waiting {
        uint64_t line, cycle;
    } waiting[WAITING]; /* base addresses of requests, in the order of their cycles */
    unsigned first, count;
};

static int is_smooth(uint64_t n)
{
    static const uint64_t primes[] = {2, 3, 5};
    for (int i = 0; i < 3; i++)
        while (n % primes[i] == 0)
            n /= primes[i];
    return n == 1;
}

static void *best_create(const struct pcemu_setup *setup, char *error, size_t error_bytes)
{
    char *end;
    const char *text = setup->options[0] != '\0' ? setup->options : "60";
    const unsigned long cycles = strtoul(text, &end, 10);
    if (*end != '\0' || cycles > 10000) {
        snprintf(error, error_bytes, "expected a number of cycles up to 10000, found '%s'", text);
        return NULL;
    }
    struct best_offset *b = calloc(1, sizeof *b);
    if (b == NULL) {
        snprintf(error, error_bytes, "there is no memory");
        return NULL;
    }
    while (1u << b->line_bits < setup->machine->line_bytes)
        b->line_bits++;
    b->arrival_cycles = cycles;
    for (uint64_t n = 1; n < UINT64_C(1) << PAGE_BITS >> b->line_bits && b->offsets < OFFSETS; n++)
        if (is_smooth(n))
            b->offset[b->offsets++] = n;
    b->best = 1;
    return b;
}

/* ---- recent requests ---- */

static uint16_t *recent_of(struct best_offset *b, uint64_t line) { return &b->recent[(line ^ line >> 8) % RECENT]; }

/* A tag that is never 0, which is that of an empty entry. */
static uint16_t tag_of(uint64_t line) { return (uint16_t)((line >> 8 & ((1u << TAG_BITS) - 1)) | 1u << TAG_BITS); }

static void best_arrive(struct best_offset *b, uint64_t cycle)
{
    for (; b->count > 0 && b->waiting[b->first].cycle <= cycle; b->count--) {
        const uint64_t line = b->waiting[b->first].line;
        *recent_of(b, line) = tag_of(line);
        b->first = (b->first + 1) % WAITING;
    }
}

static void best_wait(struct best_offset *b, uint64_t line, uint64_t cycle)
{
    if (b->count < WAITING)
        b->waiting[(b->first + b->count++) % WAITING] = (struct best_waiting){line, cycle + b->arrival_cycles};
}

/* ---- learning ---- */

/* The phase ends: the offset with most points is the next D. */
static void best_choose(struct best_offset *b)
{
    unsigned best = 0;
    for (unsigned i = 1; i < b->offsets; i++)
        if (b->score[i] > b->score[best])
            best = i;
    b->best = b->score[best] > SCORE_BAD ? b->offset[best] : 0;
    for (unsigned i = 0; i < b->offsets; i++)
        b->score[i] = 0;
    b->tested = b->round = 0;
}

/* Tests one offset. */
static void best_learn(struct best_offset *b, uint64_t line)
{
    const uint64_t base = line - b->offset[b->tested];
    int ends = 0;
    if (*recent_of(b, base) == tag_of(base))
        ends = ++b->score[b->tested] == SCORE_MOST;
    if (++b->tested == b->offsets) {
        b->tested = 0;
        ends |= ++b->round == ROUNDS_MOST;
    }
    if (ends)
        best_choose(b);
}

static unsigned best_access(void *state, const struct pcemu_access *a, uint64_t *lines, unsigned most)
{
    struct best_offset *b = state;
    const uint64_t line = a->address >> b->line_bits;
    best_arrive(b, a->cycle);
    if (most == 0 || (a->late && !a->prefetched) || (a->hit && !a->prefetched))
        return 0;
    best_learn(b, line);
    lines[0] = (line + b->best) << b->line_bits;
    const int requests = b->best != 0 && lines[0] >> PAGE_BITS == a->address >> PAGE_BITS;
    /* The base address of the request or, while there is none, of the access itself. */
    if (requests || b->best == 0)
        best_wait(b, line, a->cycle);
    return requests ? 1 : 0;
}

static const struct pcemu_prefetcher best_offset = {
    PCEMU_VERSION(struct pcemu_prefetcher),
    .access = best_access,
};

const struct pcemu_plugin pcemu_plugin = {
    PCEMU_VERSION(struct pcemu_plugin),
    .kind = PCEMU_KIND_PREFETCHER,
    .name = "best-offset",
    .description = "the offset in lines that would have been in time most often",
    .create = best_create,
    .destroy = free,
    .functions = &best_offset,
};
