/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The co-processor as a whole: its making, its sides, and the passing of time. It is advanced lazily: the core's calls carry its cycle,
 * and all that had happened by then happens first. */
#include "emu/cop.h"

#include <stdlib.h>
#include <string.h>

#include "emu/cop_state.h"
#include "emu/admission.h"
#include "emu/filters.h"

const struct cop_config cop_default_config = {
#define COP_PARAM(key, def, min, max, unit, help) .key = (def),
#include "isa/contract/cop_config.def"
#undef COP_PARAM
};

struct cop *cop_new(const struct cop_config *config)
{
    struct cop *c = xcalloc(1, sizeof *c);
    c->config = *config;
    c->state = BUS_HALTED;
    c->owner.next_clock = UINT64_MAX;
    c->clock_shift = (unsigned)__builtin_ctz(config->clock_divide);
    c->lfsr = 1;
    memset(c->dispatch, NO_DISPATCH, sizeof c->dispatch);
    memset(c->format, NO_FIELD, sizeof c->format);
    memset(c->index_width, 16, sizeof c->index_width);
    cam_init(&c->cam, config->cam_entries);
    use_clear(&c->use);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        ready_word(c, i);
    buffer_init(&c->buffer, config->buffer_bytes, config->early_drop);
    return c;
}

void cop_free(struct cop *c)
{
    if (c == NULL)
        return;
    buffer_fini(&c->buffer);
    free(c);
}

void cop_on_interrupt(struct cop *c, void (*fn)(void *ctx, uint64_t cycle), void *ctx)
{
    c->owner.interrupt = fn;
    c->owner.interrupt_ctx = ctx;
}

void cop_on_clock(struct cop *c, uint64_t (*fn)(void *ctx, uint64_t cycle), void *ctx)
{
    c->owner.clock = fn;
    c->owner.clock_ctx = ctx;
    c->owner.next_clock = fn != NULL ? 0 : UINT64_MAX;
    lookahead_invalidate(c);
}

void cop_watch(struct cop *c, const struct cop_watch *w)
{
    c->owner.watched = w != NULL;
    lookahead_invalidate(c);
    c->owner.watch = w != NULL ? *w : (struct cop_watch){0};
}

/* An access comes after all samples that have come. */
static void catch_up(struct cop *c)
{
    const struct buffer *b = &c->buffer;
    if (b->queued > 0)
        cop_advance(c, buffer_last_queued(b)->delivered);
}

static enum status bus_read(void *ctx, uint32_t address, uint64_t *value)
{
    struct cop *c = ctx;
    catch_up(c);
    enum status st = bus_device_read(c, address, value);
    if (st == ST_OK)
        COP_TELL(c, bus, cop_cycle(c), false, address, *value);
    return st;
}

static enum status bus_write(void *ctx, uint32_t address, uint64_t value)
{
    struct cop *c = ctx;
    catch_up(c);
    enum status st = bus_device_write(c, address, value);
    if (st == ST_OK)
        COP_TELL(c, bus, cop_cycle(c), true, address, value);
    return st;
}

/* An access crosses to the co-processor's clock: it happens in the first of its cycles that starts then or later. */
static void bus_advance(void *ctx, uint64_t cycle)
{
    struct cop *c = ctx;
    sequencer_advance(c, own_cycle(c, cycle + c->config.clock_divide - 1));
}

struct bus cop_bus(struct cop *c)
{
    return (struct bus){.ctx = c, .read = bus_read, .write = bus_write, .advance = bus_advance};
}

void cop_advance(struct cop *c, uint64_t cycle) { sequencer_advance(c, own_cycle(c, cycle)); }

uint64_t cop_drain(struct cop *c)
{
    sequencer_drain(c);
    return cop_cycle(c);
}

/* The filter is open to all in this cycle: the clock is looked at, time passes, and the filter is set for some cycles. */
static void pass_time(struct cop *c, uint64_t cycle)
{
    struct cop_owner *o = &c->owner;
    if (cycle >= o->next_clock)
        o->next_clock = o->clock(o->clock_ctx, cycle);
    if (cycle >= c->lookahead.until) {
        cop_advance(c, cycle);
        lookahead_update(c);
    }
    c->filters.opcode.from = c->lookahead.until < o->next_clock ? c->lookahead.until : o->next_clock;
}

static inline bool accepts(struct cop *c, enum opclass opclass, uint64_t pc)
{
    c->counts.offered++;
    if (c->state != BUS_HALTED && filters_pass(&c->filters, opclass, pc))
        return true;
    c->counts.filtered++;
    return false;
}

static __attribute__((noinline)) bool accepts_later(struct cop *c, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    pass_time(c, cycle);
    return accepts(c, opclass, pc);
}

static bool sink_accept(void *ctx, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    struct cop *c = ctx;
    return cycle < c->filters.opcode.from ? accepts(c, opclass, pc) : accepts_later(c, opclass, pc, cycle);
}

/* May the co-processor lag behind a sample that comes in that cycle? */
static inline bool can_lag(const struct cop *c, uint64_t cycle) { return cycle < c->lookahead.until && c->buffer.queued < ADMISSION_QUEUE; }

static void tell_delivered(struct cop *c, const struct record *r)
{
    struct cop_arrival a = {.opclass = (enum opclass)r->opclass, .cycle = r->delivered, .readable = r->readable, .fields = c->buffer.fields,
                            .field = r->field, .queued = c->buffer.count};
    COP_TELL(c, delivered, &a);
}

static __attribute__((noinline)) void deliver_now(struct cop *c, const struct sample *s)
{
    enum cop_drop why;
    cop_advance(c, s->cycle);
    if (admission_decide(c, s->cycle, &why)) {
        struct record *r = buffer_at(&c->buffer, c->buffer.count);
        buffer_store(&c->buffer, r, s);
        admission_enter(c, r);
        tell_delivered(c, r);
        if (c->lookahead.idle != UINT64_MAX)
            lookahead_end_idle(c, s->cycle);
    } else {
        COP_TELL(c, dropped, s, why);
    }
}

static void sink_deliver(void *ctx, const struct sample *s)
{
    struct cop *c = ctx;
    struct buffer *b = &c->buffer;
    if (!can_lag(c, s->cycle)) {
        deliver_now(c, s);
        return;
    }
    if (!admission_is_certain(c) && b->queued == 0 && b->present < b->count) /* perhaps it only seems so full */
        cop_advance(c, s->cycle);
    if (admission_is_certain(c)) {
        struct record *r = buffer_at(b, b->count);
        buffer_store(b, r, s);
        admission_count(c, s->cycle, false);
        admission_enter(c, r);
    } else {
        if (b->queued++ == 0)
            b->first = b->head + b->count;
        buffer_store(b, buffer_last_queued(b), s);
    }
    if (c->lookahead.idle != UINT64_MAX)
        lookahead_end_idle(c, s->cycle);
}

struct sample_sink cop_sink(struct cop *c)
{
    struct sample_sink sink = {.ctx = c, .filter = &c->filters.opcode, .accept = sink_accept, .deliver = sink_deliver};
    for (unsigned i = 0; i < ISA_FIELDS; i++)
        if (c->format[i] != NO_FIELD)
            sink.wanted |= UINT64_C(1) << c->format[i];
    return sink;
}

struct cop_config cop_get_config(const struct cop *c) { return c->config; }
enum bus_state cop_state(const struct cop *c) { return c->state; }
unsigned cop_pc(const struct cop *c) { return c->pc; }
uint64_t cop_word_count(const struct cop *c, unsigned word) { return c->word[word].executed; }
