/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/time_score.h"

#include <stdlib.h>

#include "base/order.h"

static int time_score_compare_addresses(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The start of the function that pc is in, or what stands for it; 0 where unknown. */
static uint64_t function_of(const struct symbols *symbols, uint64_t pc)
{
    struct symbols_place place = {0};
    if (symbols != NULL)
        place = symbols_find(symbols, pc);
    return place.start;
}

void time_blocks_init(struct time_blocks *b, const struct time_profile *p, const struct code *code,
                      const struct symbols *symbols)
{
    b->start = xmalloc((2 * p->rows + 1) * sizeof *b->start);
    b->count = 0;
    uint64_t next = 0; /* where the instruction before goes on to */
    for (size_t i = 0; i < p->rows; i++) {
        uint64_t pc = p->row[i].pc;
        struct code_insn in = {.kind = CODE_JUMP};
        bool known = code->describe != NULL && code->describe(code->ctx, pc, &in);
        if (pc != next || function_of(symbols, pc) == pc)
            b->start[b->count++] = pc;
        if (known && in.target != 0)
            b->start[b->count++] = in.target;
        next = known && !code_ends_block(in.kind) ? pc + in.length_bytes : 0;
    }
    qsort(b->start, b->count, sizeof *b->start, time_score_compare_addresses);
}

void time_blocks_fini(struct time_blocks *b) { free(b->start); }

/* The last start that is not above pc. */
static uint64_t time_score_block_of(const struct time_blocks *b, uint64_t pc)
{
    size_t low = 0, high = b->count;
    SEARCH(low, high, mid, b->start[mid] <= pc);
    return low > 0 ? b->start[low - 1] : 0;
}

uint64_t time_key(uint64_t pc, enum time_level level, const struct time_blocks *b, const struct symbols *symbols)
{
    switch (level) {
    case LEVEL_BLOCK:
        return time_score_block_of(b, pc);
    case LEVEL_FUNCTION:
        return function_of(symbols, pc);
    case LEVEL_INSTRUCTION:
    case TIME_LEVEL_COUNT:
        break;
    }
    return pc;
}

ORDER(compare_sums, struct time_sum, RISING(key))

const struct time_sum *time_find_sum(const struct time_sum *sums, size_t count, uint64_t key)
{
    return bsearch(&(struct time_sum){.key = key}, sums, count, sizeof *sums, compare_sums);
}

struct time_sum *time_sums(const struct time_profile *p, enum time_level level, const struct time_blocks *b,
                           const struct symbols *symbols, size_t *count)
{
    struct time_sum *sums = xmalloc((p->rows + 1) * sizeof *sums);
    size_t n = 0;
    for (size_t i = 0; i < p->rows; i++)
        sums[i] = (struct time_sum){time_key(p->row[i].pc, level, b, symbols), time_row_total(&p->row[i])};
    qsort(sums, p->rows, sizeof *sums, compare_sums);
    for (size_t i = 0; i < p->rows; i++) {
        if (n > 0 && sums[n - 1].key == sums[i].key)
            sums[n - 1].time += sums[i].time;
        else
            sums[n++] = sums[i];
    }
    *count = n;
    return sums;
}

double time_error(const struct time_profile *p, const struct time_profile *reference, enum time_level level,
                  const struct time_blocks *b, const struct symbols *symbols)
{
    size_t n, m;
    if (p->time == 0 || reference->time == 0)
        return reference->time != p->time;
    struct time_sum *have = time_sums(p, level, b, symbols, &n), *want = time_sums(reference, level, b, symbols, &m);
    double right = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (have[i].key == want[j].key) {
            double share = (double)have[i].time / (double)p->time,
                   exact = (double)want[j].time / (double)reference->time;
            right += share < exact ? share : exact;
            i++;
            j++;
        } else if (have[i].key < want[j].key) {
            i++;
        } else {
            j++;
        }
    }
    free(have);
    free(want);
    return right < 1 ? 1 - right : 0;
}
