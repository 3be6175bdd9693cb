/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creation of the co-processor, its interfaces to core, host and owner, and simulated time. Simulation is lazy: each
 * call from the core carries a cycle, and the co-processor is advanced to it only if the result depends on that. */
#include "emu/cop.h"

#include <stdlib.h>
#include <string.h>

#include "emu/admission.h"
#include "emu/cop_state.h"
#include "emu/sequencer.h"

const struct cop_config cop_default_config = {
#define COP_PARAM(key, def, min, max, unit, help) .key = (def),
#include "isa/cop_config.def"
};

struct cop *cop_new(const struct cop_config *config)
{
    struct cop *c = xcalloc(1, sizeof *c);
    c->config = *config;
    c->state = BUS_HALTED;
    c->owner.next_clock = UINT64_MAX;
    c->clock_shift = (unsigned)__builtin_ctz(config->clock_divide);
    c->lfsr = 1;
    c->filters.pc.bits2 = config->filter2_bits;
    memset(c->dispatch, NO_DISPATCH, sizeof c->dispatch);
    memset(c->format, NO_FIELD, sizeof c->format);
    memset(c->index_width, 16, sizeof c->index_width);
    c->gate = ISA_INDEXES;
    cam_init(&c->cam, config->cam_entries);
    use_clear(&c->use);
    predecode_word(c, 0);
    for (unsigned i = 1; i < ISA_WORDS; i++) /* all words are 0 */
        c->word[i] = c->word[0];
    predecode_relocate(c);
    buffer_init(&c->buffer, config->buffer_bytes);
    c->admission = (struct admission){.early_drop = config->early_drop, .lfsr = 1};
    admission_fit(&c->admission, c->buffer.slots);
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

/* Advances past the last delivered sample: a bus access takes effect after all delivered samples. */
static void cop_catch_up(struct cop *c)
{
    if (c->admission.queued > 0)
        cop_advance(c, admission_newest(&c->buffer, &c->admission)->delivered);
}

static enum status bus_read(void *ctx, uint32_t address, uint64_t *value)
{
    struct cop *c = ctx;
    cop_catch_up(c);
    enum status st = bus_device_read(c, address, value);
    if (st == ST_OK)
        COP_NOTIFY(c, bus, cop_cycle(c), false, address, *value);
    return st;
}

static enum status bus_write(void *ctx, uint32_t address, uint64_t value)
{
    struct cop *c = ctx;
    cop_catch_up(c);
    enum status st = bus_device_write(c, address, value);
    if (st == ST_OK)
        COP_NOTIFY(c, bus, cop_cycle(c), true, address, value);
    return st;
}

/* A bus access crosses to the co-processor's clock: it takes effect in the first cycle of that clock that starts in
 * the core cycle or later. */
static void bus_advance(void *ctx, uint64_t cycle)
{
    struct cop *c = ctx;
    sequencer_advance(c, own_cycle(c, cycle + c->config.clock_divide - 1));
}

void cop_seed(struct cop *c, uint64_t seed)
{
    enum { APART = 4099 }; /* LFSR steps between consecutive seeds; coprime to the LFSR's period */
    struct bus bus = cop_bus(c);
    bus_put(&bus, BUS_LFSR, seed);
    c->admission.lfsr = lfsr_after(1, (seed - 1) % 0xffff * APART);
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

/* The event filter passes every instruction from this cycle on: calls the clock observer if it is due, advances the
 * co-processor, and sets the event filter to the next cycle in which either is due. */
static void cop_pass_time(struct cop *c, uint64_t cycle)
{
    struct cop_owner *o = &c->owner;
    if (cycle >= o->next_clock)
        o->next_clock = o->clock(o->clock_ctx, cycle);
    if (cycle >= c->lookahead.until) {
        cop_advance(c, cycle);
        lookahead_update(c);
    }
    filters_set_from(&c->filters, c->lookahead.until < o->next_clock ? c->lookahead.until : o->next_clock);
    filters_set_known(&c->filters, c->state == BUS_HALTED);
}

static inline bool accepts(struct cop *c, enum opclass opclass, uint64_t pc)
{
    c->counts.offered++;
    c->counts.eligible += c->filters.opcode.classes >> opclass & 1;
    if (c->state != BUS_HALTED && filters_pass(&c->filters, opclass, pc))
        return true;
    c->counts.filtered++;
    return false;
}

static __attribute__((noinline)) bool accepts_later(struct cop *c, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    cop_pass_time(c, cycle);
    return accepts(c, opclass, pc);
}

static bool sink_accept(void *ctx, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    struct cop *c = ctx;
    return cycle < c->filters.opcode.from ? accepts(c, opclass, pc) : accepts_later(c, opclass, pc, cycle);
}

static void sink_pass_time(void *ctx, uint64_t cycle)
{
    struct cop *c = ctx;
    if (cycle >= c->filters.due.from)
        cop_pass_time(c, cycle);
}

struct sample_sink cop_sink(struct cop *c)
{
    struct sample_sink sink = {.ctx = c,
                               .filter = &c->filters.opcode,
                               .pc_filters = &c->filters.pc,
                               .due = &c->filters.due,
                               .pass_time = sink_pass_time,
                               .accept = sink_accept,
                               .deliver = admission_deliver};
    for (unsigned i = 0; i < ISA_FIELDS; i++)
        if (c->format[i] != NO_FIELD)
            field_set_add(&sink.wanted, c->format[i]);
    return sink;
}

struct cop_config cop_get_config(const struct cop *c) { return c->config; }
enum bus_state cop_state(const struct cop *c) { return c->state; }
unsigned cop_pc(const struct cop *c) { return c->pc; }
uint64_t cop_word_count(const struct cop *c, unsigned word) { return c->word[word].executed; }
