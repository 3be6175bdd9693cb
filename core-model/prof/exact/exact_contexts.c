/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact reference `contexts`: events by calling context (co-processor paper, section 4, call stack monitoring). The
 * stack of calls follows from the calls, returns and stack pointers of the true path.
 *
 * A normal return goes to the return address of the youngest call. Any other return, such as that of longjmp or into a
 * C++ exception handler, leaves all functions called at its stack pointer or below. A linked jump or co-routine swap at
 * the stack pointer of its function's call is a tail call in a stub, e.g. of the procedure linkage table: the function
 * is replaced. Other tail calls are ordinary jumps and keep the context. The functions that were active when the
 * observation began have context 0 together, as nothing is known of their calls: a return from one leads to it, too.
 *
 * For comparison, the hardware's view of the same stack is modelled: Control Transfer Records of the RISC-V extension
 * Smctr. */
#include "contract/context.h"
#include "core-model/prof/exact/exact_counter.h"

#include <stdlib.h>

#include "base/status.h"

enum { FIRST_CAPACITY = 64, CTR_MOST = 32 };

/* An activation of a function. */
struct activation {
    uint64_t call;               /* number of the call, from 1 on */
    uint64_t sp, return_address; /* stack pointer and return address at the call */
    uint32_t context;
};

/* Control Transfer Records as a call stack (RASEMU): a call writes a record, over the oldest one if all are in use; a
 * return discards the youngest. A swap replaces the youngest. */
struct call_records {
    unsigned depth, used;
    uint64_t at;             /* records written minus records discarded */
    uint64_t call[CTR_MOST]; /* number of the call, by `at` modulo the depth */
};

struct contexts {
    struct exact_counter counter;
    struct activation *active; /* youngest last */
    size_t depth, capacity;
    uint64_t calls;
    struct call_records ctr16, ctr32;
};

static void record_call(struct call_records *c, uint64_t call)
{
    c->call[c->at++ % c->depth] = call;
    c->used += c->used < c->depth;
}

static void discard_record(struct call_records *c)
{
    if (c->used == 0)
        return;
    c->used--;
    c->at--;
}

/* Returns whether the records hold exactly the active functions. */
static bool has_context(const struct contexts *x, const struct call_records *c)
{
    bool has = c->used == x->depth;
    for (unsigned i = 1; has && i <= c->used; i++)
        has = c->call[(c->at - i) % c->depth] == x->active[x->depth - i].call;
    return has;
}

static uint32_t context_at(const struct contexts *x, size_t depth)
{
    return depth != 0 ? x->active[depth - 1].context : 0;
}

static void exact_contexts_enter(struct contexts *x, struct activation a, uint64_t function)
{
    if (x->depth == x->capacity) {
        x->capacity = x->capacity != 0 ? 2 * x->capacity : FIRST_CAPACITY;
        x->active = xrealloc(x->active, x->capacity * sizeof *x->active);
    }
    a.context = context_child(context_at(x, x->depth), sample_pc32(function));
    x->active[x->depth++] = a;
}

static void call(struct contexts *x, uint64_t sp, uint64_t return_address, uint64_t function)
{
    x->calls++;
    exact_contexts_enter(x, (struct activation){.call = x->calls, .sp = sp, .return_address = return_address},
                         function);
    record_call(&x->ctr16, x->calls);
    record_call(&x->ctr32, x->calls);
}

static void return_to(struct contexts *x, uint64_t sp, uint64_t address)
{
    discard_record(&x->ctr16);
    discard_record(&x->ctr32);
    if (x->depth != 0 && x->active[x->depth - 1].return_address == address) {
        x->depth--;
        return;
    }
    while (x->depth != 0 && x->active[x->depth - 1].sp <= sp)
        x->depth--;
}

static void relink(struct contexts *x, uint64_t sp, uint64_t function)
{
    if (x->depth == 0 || x->active[x->depth - 1].sp != sp)
        return;
    struct activation stub = x->active[--x->depth];
    exact_contexts_enter(x, stub, function);
}

static void exact_contexts_count(struct contexts *x, unsigned kind, bool happened)
{
    if (!happened)
        return;
    struct exact_row *row = exact_table_at(&x->counter.table, context_at(x, x->depth), 0, 0);
    row->count[kind]++;
    row->count[EXACT_CONTEXTS_CTR16] += has_context(x, &x->ctr16);
    row->count[EXACT_CONTEXTS_CTR32] += has_context(x, &x->ctr32);
}

static void exact_contexts_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct contexts *x = ctx;
    uint64_t next = in->outcome->next_pc;
    (void)cycle;
    switch (in->insn->opclass) {
    case OPCLASS_CALL:
    case OPCLASS_ICALL:
        call(x, in->sp, in->pc + in->insn->length_bytes, next);
        break;
    case OPCLASS_RET:
        return_to(x, in->sp, next);
        break;
    case OPCLASS_SWAP:
    case OPCLASS_LJUMP:
        relink(x, in->sp, next);
        break;
    case OPCLASS_BRANCH:
    case OPCLASS_IJUMP:
        exact_contexts_count(x, EXACT_CONTEXTS_MISPREDICTED, (in->events & PROBE_MISPREDICTED) != 0);
        break;
    default:
        exact_contexts_count(x, EXACT_CONTEXTS_MISSED, (in->events & PROBE_DCACHE_MISS) != 0);
    }
}

static void exact_contexts_release(struct observer *o)
{
    free(((struct contexts *)o)->active);
    exact_counter_release(o);
}

const struct observer_kind observer_exact_contexts = {
    .name = "exact-contexts",
    .release = exact_contexts_release,
};

static struct observer *exact_contexts_create(const struct exact_setup *setup)
{
    struct contexts *x = exact_counter_new(sizeof *x, &observer_exact_contexts, setup->classes, exact_contexts_retired);
    x->counter.base.probe.extras = PROBE_EXTRA_sp;
    x->ctr16.depth = 16;
    x->ctr32.depth = CTR_MOST;
    return &x->counter.base;
}

const struct exact_ops exact_contexts_ops = {.create = exact_contexts_create, .rows = exact_counter_rows};
