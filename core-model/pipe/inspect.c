/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the state of the out-of-order core. Entry point: ooo_print. */
#include "core-model/pipe/pipe.h"

#include <inttypes.h>

enum { TEXT = 128, WAIT = 96 };

/* The oldest instruction in flight that will write the physical register, or NULL. */
static const struct slot *producer(const struct ooo *c, uint16_t reg)
{
    for (uint64_t p = c->head; p < c->rob_tail; p++)
        if (c->slot[p & c->ring_mask].dst == reg)
            return &c->slot[p & c->ring_mask];
    return NULL;
}

static bool inspect_lacks_operand(const struct ooo *c, const struct slot *s, char text[WAIT])
{
    for (int k = 0; k < 3; k++) {
        if (s->src[k] == NIL || c->reg_ready[s->src[k]])
            continue;
        const struct slot *from = producer(c, s->src[k]);
        snprintf(text, WAIT, "%s of #%" PRIu64, rv_reg_name(s->insn->src[k]), from != NULL ? from->seq : 0);
        return true;
    }
    return false;
}

static void describe_load(const struct ooo *c, const struct slot *s, uint32_t i, char text[WAIT])
{
    static const char *const from[] = {"the L1 cache", "the L2 cache", "the last-level cache", "memory"};
    if (s->flags & SLOT_RETRY)
        snprintf(text, WAIT, "a retry of store queue and cache in cycle %" PRIu64, c->due[i]);
    else if (s->list >= WHEEL_CYCLES && s->list < SOON)
        snprintf(text, WAIT, "an older store's datum");
    else
        snprintf(text, WAIT, "its datum from %s, in cycle %" PRIu64, from[s->level], c->due[i]);
}

/* Describes what an instruction in the ROB waits for. */
static void inspect_describe_wait(const struct ooo *c, uint64_t position, char text[WAIT])
{
    uint32_t i = (uint32_t)position & c->ring_mask;
    const struct slot *s = &c->slot[i];
    if (s->flags & SLOT_DONE)
        snprintf(text, WAIT, position == c->head ? "commit, in the next cycle" : "those before it to retire");
    else if (s->trap != RV_TRAP_NONE || s->flags & (SLOT_DEFERRED | SLOT_REPLAY))
        snprintf(text, WAIT, position == c->head ? "the pipeline after it to be empty" : "being the oldest");
    else if (inspect_lacks_operand(c, s, text))
        return;
    else if (s->flags & SLOT_QUEUED)
        snprintf(text, WAIT, "a port or a function unit");
    else if (s->insn->unit == RV_UNIT_LOAD)
        describe_load(c, s, i, text);
    else
        snprintf(text, WAIT, "its result, in cycle %" PRIu64, c->due[i]);
}

static void inspect_print_slot(const struct ooo *c, uint64_t position, FILE *out)
{
    const struct slot *s = &c->slot[position & c->ring_mask];
    char text[TEXT], wait[WAIT];
    (void)rv_print_flat(text, sizeof text, s->insn, s->pc);
    if (position >= c->rob_tail)
        snprintf(wait, sizeof wait, "being renamed, from cycle %" PRIu64 " on", s->dispatch_cycle);
    else
        inspect_describe_wait(c, position, wait);
    fprintf(out, "  #%-10" PRIu64 " 0x%-10" PRIx64 " %-30s %s%s\n", s->seq, s->pc, text, wait,
            position > c->front.wrong ? "; wrong path" : "");
}

static void print_occupancy(const struct ooo *c, FILE *out)
{
    static const char *const names[] = {[QUEUE_MEM] = "memory", [QUEUE_INT] = "integer", [QUEUE_FP] = "floating-point"};
    const struct core_config *g = &c->cfg;
    fprintf(out, "cycle %" PRIu64 ", %" PRIu64 " instructions retired\n", c->now, c->retired);
    fprintf(out,
            "reorder buffer %" PRIu64 " of %u, fetch buffer %" PRIu64
            " of %u, load queue %u of %u, store queue %u of %u, branches %u of %u\n",
            c->rob_tail - c->head, g->rob_entries, c->fetch_tail - c->rob_tail, g->fetch_buffer, c->loads,
            g->load_queue, c->store_tail - c->store_head, g->store_queue, c->unresolved, g->max_branches);
    fputs("issue queues:", out);
    for (int q = 0; q < QUEUE_COUNT; q++)
        fprintf(out, "%s %s %u of %u", q > 0 ? "," : "", names[q], c->queue_used[q], c->queue_size[q]);
    fprintf(out, "; registers free: %u integer, %u floating-point\n", c->free_count[0], c->free_count[1]);
}

/* Reason why the ROB is empty. */
static const char *empty_text(const struct ooo *c)
{
    static const char *const causes[] = {
        [EMPTY_FRONTEND] = "instructions from the front end",
        [EMPTY_MISPREDICT] = "the correct path after a misprediction",
        [EMPTY_FLUSH] = "instructions after a flush",
        [EMPTY_EXCEPTION] = "instructions after an exception",
        [EMPTY_HANDLER] = "an interrupt's handler to end",
    };
    return causes[c->empty];
}

void ooo_print(const void *self, FILE *out)
{
    const struct ooo *c = self;
    char wait[WAIT];
    print_occupancy(c, out);
    if (c->head == c->rob_tail) {
        fprintf(out, "the reorder buffer is empty and waits for %s\n", empty_text(c));
    } else {
        inspect_describe_wait(c, c->head, wait);
        fprintf(out, "the oldest waits for %s\n", wait);
    }
    for (uint64_t p = c->head; p < c->fetch_tail; p++)
        inspect_print_slot(c, p, out);
}
