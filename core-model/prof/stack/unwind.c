/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How complete call stacks are that hardware and software can record, beside the exact ones of the shadow stack, in
 * every cycle of the run:
 * - control transfer records as a return address stack (RISC-V Smctr and Ssctr 1.0, RASEMU): a call adds a record, a
 *   return removes the youngest one, and a call that finds all records in use replaces the oldest. The kernel saves the
 *   records of each thread, and a signal handler's entry is none;
 * - frame pointers (RISC-V ELF psABI, "Frame pointer convention"): from x8, the saved x8 and return address of each
 *   frame. A function has a frame if its prologue sets x8 to the stack pointer of its call. Each cycle of such a
 *   function counts as one in which its frame is set up.
 * A stack is compared from the youngest call on, up to the first call that is not the exact one. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/status.h"
#include "contract/report.h"
#include "core-model/prof/observer.h"
#include "core-model/prof/stack/shadow_stack.h"

enum { UNWIND_RECORDS = 256, UNWIND_PROLOGUE = 64, UNWIND_STUB = 16 };

static const struct unwind_kind {
    const char *name;
    unsigned records; /* of control transfers; 0: none */
} unwind_kinds[] = {{"CTR", 16}, {"CTR", 32}, {"CTR", 64}, {"CTR", 128}, {"CTR", 256}, {"frame pointers", 0}};
enum { UNWIND_KINDS = sizeof unwind_kinds / sizeof unwind_kinds[0], UNWIND_FRAMES = UNWIND_KINDS - 1 };

/* Sums over cycles. */
struct unwind_sum {
    uint64_t complete, caller; /* in which the stack, or its youngest call, is the exact one */
    double calls;              /* of the exact stack that it has */
};

/* The control transfer records of a thread: numbers of activations, in a ring. */
struct unwind_records {
    uint64_t thread;
    uint64_t call[UNWIND_RECORDS];
    unsigned next;                /* after the youngest */
    unsigned valid[UNWIND_KINDS]; /* of each depth */
    UT_hash_handle hh;
};

struct unwind_function {
    uint64_t entry;
    bool has_frame;
    UT_hash_handle hh;
};

struct unwind {
    struct observer base;
    struct core *core;
    struct call_tree *tree;
    struct call_threads *threads;
    struct call_thread *thread; /* NULL: none runs */
    struct unwind_records *records, *record;
    struct unwind_function *functions;
    struct unwind_sum sum[UNWIND_KINDS];
    uint64_t since, cycles; /* cycle of the last transfer; number of all in which a thread ran */
    double depth;           /* sum of the exact stacks' depths */
    uint64_t deepest;
};

/* ---- frame pointers ---- */

static bool unwind_decode_frame(struct hart *h, uint64_t pc)
{
    int64_t size_bytes = 0; /* that the stack has grown */
    for (unsigned n = 0; n < UNWIND_PROLOGUE; n++) {
        enum rv_trap trap;
        const struct rv_insn *in = rv_fetch(h, pc, &trap);
        const bool jumps = in != NULL && (in->flags & RV_JUMP) != 0 && in->dst == 0;
        if (in == NULL || (jumps && (in->flags & RV_INDIRECT) != 0))
            return false;
        const bool adds = in->op == RV_ADDI && in->src[0] == RV_REG_SP;
        if (adds && in->dst == RV_REG_FP && in->imm > 0 && in->imm == size_bytes)
            return true;
        if (adds && in->dst == RV_REG_SP)
            size_bytes -= in->imm;
        pc += jumps ? (uint64_t)(int64_t)in->imm : in->length_bytes;
    }
    return false;
}

static bool unwind_has_frame(struct unwind *u, uint64_t entry)
{
    struct unwind_function *f;
    HASH_FIND(hh, u->functions, &entry, sizeof entry, f);
    if (f == NULL) {
        f = xcalloc(1, sizeof *f);
        f->entry = entry;
        f->has_frame = unwind_decode_frame(core_hart(u->core), entry);
        HASH_ADD(hh, u->functions, entry, sizeof f->entry, f);
    }
    return f->has_frame;
}

/* Sets the number of calls that a walk finds from the frame of the youngest activation: its own return address, and
 * what the frame has that x8 pointed to at the call. */
static void unwind_link_frame(struct unwind *u)
{
    size_t depth;
    struct shadow_call *call = shadow_stack_calls(u->thread, &depth), *youngest = &call[depth - 1];
    const struct shadow_call *caller = depth > 1 ? youngest - 1 : NULL;
    const bool has_caller = caller != NULL && youngest->fp == caller->sp && unwind_has_frame(u, caller->entry);
    youngest->walk = has_caller ? caller->walk + 1 : 1;
}

/* ---- control transfer records ---- */

static struct unwind_records *unwind_records_of(struct unwind *u, uint64_t thread)
{
    struct unwind_records *r;
    HASH_FIND(hh, u->records, &thread, sizeof thread, r);
    if (r == NULL) {
        r = xcalloc(1, sizeof *r);
        r->thread = thread;
        HASH_ADD(hh, u->records, thread, sizeof r->thread, r);
    }
    return r;
}

static void unwind_record_call(struct unwind_records *r, uint64_t call)
{
    r->call[r->next++ % UNWIND_RECORDS] = call;
    for (unsigned k = 0; k < UNWIND_FRAMES; k++)
        r->valid[k] += r->valid[k] < unwind_kinds[k].records;
}

/* The largest depth has all records that a smaller one has. */
static void unwind_record_return(struct unwind_records *r)
{
    r->next -= r->valid[UNWIND_FRAMES - 1] != 0;
    for (unsigned k = 0; k < UNWIND_FRAMES; k++)
        r->valid[k] -= r->valid[k] != 0;
}

/* Number of the youngest records that are those of the exact stack. */
static unsigned unwind_records_right(const struct unwind_records *r, const struct shadow_call *call, size_t depth)
{
    const unsigned valid = r->valid[UNWIND_FRAMES - 1];
    unsigned n = 0;
    while (n < valid && n < depth && r->call[(r->next - 1 - n) % UNWIND_RECORDS] == call[depth - 1 - n].number)
        n++;
    return n;
}

/* ---- sums ---- */

static void unwind_add(struct unwind_sum *s, uint64_t cycles, size_t right, size_t depth, bool ends)
{
    s->complete += right == depth && ends ? cycles : 0;
    s->caller += right != 0 || depth == 0 ? cycles : 0;
    s->calls += (double)right * (double)cycles;
}

/* Adds the cycles since the last transfer. */
static void unwind_settle(struct unwind *u)
{
    const uint64_t now = core_cycle(u->core), cycles = now - u->since;
    size_t depth;
    u->since = now;
    if (cycles == 0 || u->thread == NULL)
        return;
    const struct shadow_call *call = shadow_stack_calls(u->thread, &depth);
    const unsigned right = unwind_records_right(u->record, call, depth);
    u->cycles += cycles;
    u->depth += (double)depth * (double)cycles;
    u->deepest = depth > u->deepest ? depth : u->deepest;
    for (unsigned k = 0; k < UNWIND_FRAMES; k++) {
        const unsigned valid = u->record->valid[k];
        unwind_add(&u->sum[k], cycles, right < valid ? right : valid, depth, valid == depth);
    }
    const bool has_frame = depth != 0 && unwind_has_frame(u, call[depth - 1].entry);
    unwind_add(&u->sum[UNWIND_FRAMES], cycles, has_frame ? call[depth - 1].walk : 0, depth, true);
}

/* A jump of a stub in a procedure linkage table goes to the function that was called. */
static void unwind_follow_stub(struct unwind *u, const struct probe_transfer *t)
{
    size_t depth;
    struct shadow_call *call = shadow_stack_calls(u->thread, &depth);
    if (depth != 0 && t->opclass == OPCLASS_IJUMP && t->pc - call[depth - 1].entry < UNWIND_STUB)
        call[depth - 1].entry = t->next_pc;
}

static void unwind_transfer(void *ctx, const struct probe_transfer *t)
{
    struct unwind *u = ctx;
    size_t depth;
    unwind_settle(u);
    if (u->thread == NULL)
        return;
    shadow_stack_transfer(u->threads, u->thread, t);
    unwind_follow_stub(u, t);
    if (t->opclass == OPCLASS_RET || t->opclass == OPCLASS_SWAP)
        unwind_record_return(u->record);
    if (t->opclass == OPCLASS_CALL || t->opclass == OPCLASS_ICALL || t->opclass == OPCLASS_SWAP) {
        const struct shadow_call *call = shadow_stack_calls(u->thread, &depth);
        unwind_record_call(u->record, call[depth - 1].number);
        unwind_link_frame(u);
    }
}

static void unwind_kernel(void *ctx, const struct probe_kernel *k)
{
    struct unwind *u = ctx;
    unwind_settle(u);
    u->thread = k->thread != 0 ? shadow_stack_thread(u->threads, k->thread) : NULL;
    if (u->thread == NULL)
        return;
    u->record = unwind_records_of(u, k->thread);
    shadow_stack_enter_handlers(u->threads, u->thread, k);
}

/* ---- report ---- */

static void unwind_columns(struct report_table *t, const struct unwind *u, unsigned k)
{
    const struct unwind_sum *s = &u->sum[k];
    const double cycles = (double)u->cycles;
    REPORT_COLUMN(t, TEXT, unwind_kinds[k].name, .member = "method", .title = "method");
    REPORT_COLUMN_IF(t, unwind_kinds[k].records != 0, COUNT, unwind_kinds[k].records, .member = "records",
                     .title = "records", .unit = "records");
    REPORT_COLUMN(t, SHARE, (double)s->complete / cycles, .member = "complete", .title = "complete %", .decimals = 2);
    REPORT_COLUMN(t, SHARE, (double)s->caller / cycles, .member = "caller", .title = "caller %", .decimals = 2);
    REPORT_COLUMN(t, SHARE, s->calls / u->depth, .member = "calls", .title = "calls %", .decimals = 2);
}

static void unwind_report(const struct observer *o, struct report *r)
{
    const struct unwind *u = (const struct unwind *)o;
    struct report *e = report_section(r, "unwind");
    report_note(e, "Call stacks by method, beside the exact ones");
    report_count(e, "cycles", "cycles", u->cycles, "cycles");
    report_real(e, "mean_depth", "mean depth", u->depth / (double)u->cycles, 1, "calls");
    report_count(e, "greatest_depth", "greatest depth", u->deepest, "calls");
    struct report_table *t = report_table(e, "methods", "Stacks by method, {rows}");
    report_whole(t);
    unwind_columns(t, u, 0);
    for (unsigned k = 0; k < UNWIND_KINDS; k++) {
        report_row(t);
        unwind_columns(t, u, k);
    }
}

/* ---- life ---- */

static void unwind_attach(struct observer *o, struct core *core)
{
    struct unwind *u = (struct unwind *)o;
    u->core = core;
    u->since = core_cycle(core);
}

static void unwind_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct unwind *u = (struct unwind *)o;
    (void)cycles;
    (void)hart;
    if (u->core != NULL)
        unwind_settle(u);
}

static struct observer *unwind_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct unwind *u = xcalloc(1, sizeof *u);
    (void)setup;
    u->base.kind = kind;
    u->base.probe.ctx = u;
    u->base.probe.transfer = unwind_transfer;
    u->base.probe.kernel = unwind_kernel;
    u->tree = call_tree_new(1, 0); /* contexts are not asked for */
    u->threads = call_threads_new(u->tree);
    return &u->base;
}

static void unwind_release(struct observer *o)
{
    struct unwind *u = (struct unwind *)o;
    struct unwind_records *r, *next_record;
    struct unwind_function *f, *next_function;
    HASH_ITER (hh, u->records, r, next_record) {
        HASH_DEL(u->records, r);
        free(r);
    }
    HASH_ITER (hh, u->functions, f, next_function) {
        HASH_DEL(u->functions, f);
        free(f);
    }
    call_threads_free(u->threads);
    call_tree_free(u->tree);
    free(u);
}

const struct observer_kind observer_unwind = {
    .name = "unwind",
    .help = "completeness of the call stacks that control transfer records and frame pointers give",
    .create = unwind_create,
    .attach = unwind_attach,
    .finish = unwind_finish,
    .report = unwind_report,
    .release = unwind_release,
};
