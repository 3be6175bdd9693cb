/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/block_vectors.h"

#include <inttypes.h>
#include <string.h>

void block_vectors_begin(struct options *o)
{
    if (o->bbv != NULL)
        o->core = CORE_FUNCTIONAL;
}

void block_vectors_start(struct block_vectors *v, const struct options *o, struct target *t, FILE *out)
{
    if (o->bbv == NULL)
        return;
    v->out = out;
    v->interval = o->interval;
    v->blocks = rv_blocks_new();
    rv_count_blocks(&t->guest.hart, v->blocks);
    fprintf(out, "# basic-block vectors of pcemu: interval %" PRIu64 "\n", v->interval);
}

/* Writes the digits of a number before `end`; returns the first one. */
static char *put_digits(char *end, uint64_t number)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    return end;
}

struct vector_line {
    FILE *out;
    bool has_entries;
};

static void block_vectors_write_entry(void *ctx, uint32_t number, uint64_t insns)
{
    enum { NUMBERS = 2, DIGITS = 20, SIGNS = 3 };
    struct vector_line *line = ctx;
    char text[NUMBERS * DIGITS + SIGNS], *const end = text + sizeof text, *at = put_digits(end, insns);
    *--at = ':';
    at = put_digits(at, (uint64_t)number + 1);
    *--at = ':';
    if (line->has_entries)
        *--at = ' ';
    line->has_entries = true;
    fwrite_unlocked(at, 1, (size_t)(end - at), line->out);
}

static void block_vectors_write(struct block_vectors *v, struct target *t)
{
    struct vector_line line = {.out = v->out};
    fputc('T', v->out);
    rv_blocks_read(&t->guest.hart, block_vectors_write_entry, &line);
    fputc('\n', v->out);
    if (!t->guest.process->exited) {
        const struct rv_block_place end = rv_blocks_place(&t->guest.hart);
        fprintf(v->out, "# end 0x%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", end.pc, end.execution, end.executed);
    }
    v->written = t->guest.hart.instret;
}

enum rv_trap block_vectors_run(struct block_vectors *v, struct target *t, uint64_t insts)
{
    const uint64_t *done = &t->guest.hart.instret;
    const uint64_t end = insts > UINT64_MAX - *done ? UINT64_MAX : *done + insts;
    enum rv_trap trap = RV_TRAP_LIMIT;
    while (trap == RV_TRAP_LIMIT && *done < end) {
        const uint64_t next = v->written + v->interval;
        trap = guest_run(&t->guest, (next < end ? next : end) - *done);
        if (*done == next)
            block_vectors_write(v, t);
    }
    return trap;
}

void block_vectors_end(struct block_vectors *v, struct target *t)
{
    if (v->out == NULL)
        return;
    if (t->guest.hart.instret != v->written)
        block_vectors_write(v, t);
    for (uint32_t number = 0; number < rv_blocks_count(v->blocks); number++) {
        const struct rv_block b = rv_blocks_get(v->blocks, number);
        if (b.executions != 0)
            fprintf(v->out, "# block %" PRIu64 " 0x%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", (uint64_t)number + 1, b.pc,
                    b.insns, b.executions);
    }
}

void block_vectors_release(struct block_vectors *v) { rv_blocks_free(v->blocks); }
