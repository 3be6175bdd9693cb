/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replay core: the engine, and the functions of replay.h. */
#include "core-model/record/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the engine ---- */

static void *replay_make(const struct core_config *config, struct guest *guest)
{
    (void)config, (void)guest;
    BUG("a replay is made by replay_core");
}

static void replay_release(void *self) { (void)self; }

static struct engine_parts replay_parts(void *self)
{
    struct core_replay *r = self;
    return (struct engine_parts){
        .guest = r->guest, .port = &r->port, .interrupt = &r->interrupt, .config = &r->start.head.config};
}

static bool needs_exec(const struct probe_port *p)
{
    enum { EXEC = 1 << PROBE_DATA_READY | 1 << PROBE_ISSUED | 1 << PROBE_LOAD_COMPLETED | 1 << PROBE_READY_TO_RETIRE };
    uint32_t stages = p->stages_always | p->stages_gated | p->cycles_always | p->cycles_tagged;
    return (stages & EXEC) != 0 || (p->events_wanted & ~(uint32_t)PROBE_WRONG_PATH) != 0;
}

static void replay_start(void *self)
{
    struct core_replay *r = self;
    r->needs_exec = needs_exec(&r->port);
    r->tokens_only = r->port.stages_wanted == 0 && r->port.tag_bits == 0 && r->port.events_wanted == 0 &&
                     r->port.result_classes == 0;
    r->reads_values = r->start.head.values && !r->tokens_only;
}

static enum rv_trap replay_advance(void *self, uint64_t max_insts, uint64_t until)
{
    struct core_replay *r = self;
    (void)max_insts;
    (void)until;
    while (!r->ended) {
        const struct column_cursor *ops = &r->column[RECORD_OPS];
        if (ops->at == ops->end && !replay_read_block(r))
            continue;
        if (!replay_operate(r))
            return RV_TRAP_STOP;
        replay_end_block(r);
    }
    return RV_TRAP_NONE;
}

static void replay_stop(void *self, enum rv_trap trap)
{
    (void)self;
    (void)trap;
}

static void replay_begin(void *self)
{
    (void)self;
    BUG("a replay cannot begin anew");
}

static struct engine_counts replay_counts(const void *self)
{
    const struct core_replay *r = self;
    return (struct engine_counts){r->stream.now, r->stream.now - r->start.clock, r->retired};
}

static struct core_stats replay_stats(const void *self) { return ((const struct core_replay *)self)->tail.stats; }

static void replay_check(const void *self)
{
    const struct stream *s = &((const struct core_replay *)self)->stream;
    if (s->head > s->issue || s->head > s->mapped || s->mapped > s->tail)
        BUG("cycle %" PRIu64 ": the positions are not in order", s->now);
}

static void replay_print(const void *self, FILE *out)
{
    const struct core_replay *r = self;
    fprintf(out, "cycle %" PRIu64 ", %" PRIu64 " instructions retired, %" PRIu64 " in flight\n", r->stream.now,
            r->retired, r->stream.tail - r->stream.head);
}

static const struct engine replay_engine = {
    .make = replay_make,
    .release = replay_release,
    .parts = replay_parts,
    .start = replay_start,
    .advance = replay_advance,
    .stop = replay_stop,
    .begin = replay_begin,
    .counts = replay_counts,
    .stats = replay_stats,
    .check = replay_check,
    .print = replay_print,
};

/* ---- the recording ---- */

enum status replay_open(struct core_replay **out, FILE *in, const char *name, struct errmsg *err)
{
    struct core_replay *r = xcalloc(1, sizeof *r);
    r->name = name;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        r->column[n].failed = &r->failed;
    enum status st = part_reader_new(&r->parts, in, name, err);
    if (st == ST_OK)
        st = replay_read_head(r, err);
    if (st != ST_OK) {
        replay_close(r);
        return st;
    }
    r->column[RECORD_OPS].at = r->column[RECORD_OPS].end;
    stream_init(&r->stream, &r->start.head.config, r->start.head.values);
    r->stream.now = r->start.clock;
    probe_port_init(&r->port);
    interrupt_init(&r->interrupt);
    *out = r;
    return ST_OK;
}

void replay_close(struct core_replay *r)
{
    facts_free_tail(&r->tail);
    part_reader_free(r->parts);
    probe_port_fini(&r->port);
    stream_fini(&r->stream);
    free(r->start.text);
    free(r->page);
    free(r);
}

const struct record_head *replay_head(const struct core_replay *r) { return &r->start.head; }
const struct record_tail *replay_tail(const struct core_replay *r) { return &r->tail; }
unsigned replay_interrupts(const struct core_replay *r) { return r->interrupt.lines; }

struct core *replay_core(struct core_replay *r, struct guest *guest)
{
    r->guest = guest;
    return core_of_engine(&replay_engine, r);
}

enum status replay_error(const struct core_replay *r, struct errmsg *err)
{
    if (r->status != ST_OK)
        *err = r->error;
    return r->status;
}

enum status replay_restore_code(const struct core_replay *r, struct hart *hart, struct errmsg *err)
{
    for (unsigned n = 0; n < r->pages; n++) {
        const struct code_page *page = &r->page[n];
        uint64_t address = page->number << MEM_PAGE_BITS;
        if (memory_map(&hart->mem, address, MEM_PAGE_BYTES, MEM_R | MEM_X) != ST_OK)
            return fail(err, ST_RANGE, "%s: the page of code at 0x%" PRIx64 " cannot be mapped", r->name, address);
        memcpy(memory_at(&hart->mem, address), page->byte, MEM_PAGE_BYTES);
    }
    return ST_OK;
}
