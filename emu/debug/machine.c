/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One co-processor of the debugger, live or of the past: its position, its inputs, its watch callbacks. Both use the
 * same callbacks, so reverse execution finds every event of forward execution. */
#include <string.h>

#include "emu/debug/debugger.h"

struct moment machine_at(const struct machine *m) { return (struct moment){m->words, m->inputs, m->phase}; }

struct formula_scope machine_scope(struct machine *m)
{
    const struct debug_services *s = &m->d->s;
    return (struct formula_scope){.cop = m->cop,
                                  .image = m->d->image,
                                  .position = m->words,
                                  .samples = m->samples,
                                  .ctx = s->ctx,
                                  .guest_register = s->guest_register,
                                  .guest_symbol = s->guest_symbol,
                                  .guest_variable = s->guest_variable,
                                  .guest_memory = s->guest_memory,
                                  .meant_symbol = s->meant_symbol};
}

/* ---- for the history ---- */

static uint64_t machine_count_of(const struct cop *c, enum bus_address counter)
{
    struct cop_place place = {counter, 0};
    uint64_t v = 0;
    if (cop_peek(c, &place, &v) != ST_OK)
        BUG("the counter at 0x%x cannot be read", (unsigned)counter);
    return v;
}

void machine_counts(const struct machine *m, struct history_input *in)
{
    in->offered = machine_count_of(m->cop, BUS_OFFERED);
    in->filtered = machine_count_of(m->cop, BUS_FILTERED);
    in->eligible = machine_count_of(m->cop, BUS_ELIGIBLE);
}

void machine_record(struct machine *m, struct history_input *in)
{
    machine_counts(m, in);
    history_add(&m->d->history, in);
}

struct snapshot machine_snapshot(const struct machine *m)
{
    return (struct snapshot){.cop = cop_clone(m->cop),
                             .at = machine_at(m),
                             .samples = m->samples,
                             .fresh = m->fresh,
                             .cursor = m->live ? m->d->history.end : m->cursor};
}

void machine_keep(struct machine *m)
{
    struct moment at = machine_at(m);
    if (!history_snapshot_due(&m->d->history, &at))
        return;
    struct snapshot s = machine_snapshot(m);
    history_keep(&m->d->history, &s);
}

/* ---- the watch callbacks ---- */

void machine_event(struct machine *m, enum event e, enum history_phase phase)
{
    m->event = e;
    m->phase = phase;
    m->see(m, e);
    m->by_word = false;
}

static void on_before(void *ctx, uint64_t cycle)
{
    struct machine *m = ctx;
    (void)cycle;
    m->phase = PHASE_WORD;
    if (m->live)
        machine_keep(m);
    machine_event(m, EVENT_WORD, PHASE_WORD);
}

static void on_after(void *ctx, const struct cop_step *step)
{
    struct machine *m = ctx;
    m->words++;
    m->fresh = false;
    m->by_word = m->knows_last = true;
    m->last = *step;
    m->last_uop = *step->uop;
    m->last.uop = &m->last_uop;
}

static void machine_on_dispatched(void *ctx, uint64_t cycle, enum opclass opclass)
{
    struct machine *m = ctx;
    (void)cycle;
    (void)opclass;
    m->samples++;
    m->fresh = true;
}

static void machine_on_done(void *ctx, uint64_t cycle)
{
    (void)cycle;
    machine_event(ctx, EVENT_DONE, PHASE_DONE);
}

static void on_halt(void *ctx, uint64_t cycle)
{
    (void)cycle;
    machine_event(ctx, EVENT_INTERRUPT, PHASE_HALT);
}

static void on_fault(void *ctx, uint64_t cycle)
{
    (void)cycle;
    machine_event(ctx, EVENT_FAULT, PHASE_HALT);
}

static void machine_take_sample(struct machine *m, struct history_input *in, enum event e)
{
    in->kind = INPUT_SAMPLE;
    if (m->live)
        machine_record(m, in);
    m->inputs++;
    machine_event(m, e, PHASE_INPUT);
}

static void machine_on_delivered(void *ctx, const struct cop_arrival *a)
{
    struct history_input in = {.cycle = a->cycle, .opclass = a->opclass, .fields = a->fields};
    memcpy(in.field, a->field, a->fields * sizeof in.field[0]);
    machine_take_sample(ctx, &in, EVENT_INPUT);
}

/* The sample field at a position of the record; FIELD_COUNT or more: none. */
static unsigned field_at(const struct cop *c, unsigned position)
{
    const struct cop_place place = {BUS_FORMAT, position};
    uint64_t field;
    return cop_peek(c, &place, &field) == ST_OK ? (unsigned)field : FIELD_COUNT;
}

static void machine_on_dropped(void *ctx, const struct sample *s, enum cop_drop drop)
{
    struct machine *m = ctx;
    struct history_input in = {.cycle = s->cycle, .opclass = s->opclass};
    (void)drop;
    for (unsigned field; in.fields < ISA_FIELDS && (field = field_at(m->cop, in.fields)) < FIELD_COUNT; in.fields++)
        in.field[in.fields] = s->field[field];
    machine_take_sample(m, &in, EVENT_DROP);
}

/* Called for the live co-processor only. */
static void machine_on_bus(void *ctx, uint64_t cycle, bool write, uint32_t address, uint64_t value)
{
    struct machine *m = ctx;
    if (!write)
        return;
    struct history_input in = {
        .kind = INPUT_WRITE, .cycle = cycle, .place = {(enum bus_address)address, 0}, .value = value};
    machine_record(m, &in);
    m->inputs++;
}

void machine_watch(struct machine *m)
{
    struct cop_watch w = {.ctx = m,
                          .before = on_before,
                          .after = on_after,
                          .delivered = machine_on_delivered,
                          .dropped = machine_on_dropped,
                          .dispatched = machine_on_dispatched,
                          .done = machine_on_done,
                          .stopped = on_fault};
    if (m->live)
        w.bus = machine_on_bus;
    else
        w.interrupt = on_halt;
    cop_watch(m->cop, &w);
}

/* ---- applying recorded inputs ---- */

static void machine_deliver(struct machine *m, const struct history_input *in)
{
    struct sample s = {.opclass = in->opclass, .cycle = in->cycle};
    struct sample_sink sink = cop_sink(m->cop);
    for (unsigned i = 0, field; i < in->fields && (field = field_at(m->cop, i)) < FIELD_COUNT; i++)
        s.field[field] = in->field[i];
    sink.deliver(sink.ctx, &s);
}

enum status machine_apply(struct machine *m, const struct history_input *in)
{
    struct bus bus = cop_bus(m->cop);
    enum status st = ST_OK;
    cop_set_offered(m->cop, in->offered, in->filtered, in->eligible);
    switch (in->kind) {
    case INPUT_SAMPLE:
        machine_deliver(m, in);
        break;
    case INPUT_WRITE:
        st = bus.write(bus.ctx, in->place.region, in->value);
        break;
    case INPUT_POKE:
        st = cop_poke(m->cop, &in->place, in->value);
        break;
    case INPUT_PC:
        st = cop_set_pc(m->cop, (unsigned)in->value) ? ST_OK : ST_RANGE;
        break;
    }
    if (in->kind != INPUT_SAMPLE && st == ST_OK) {
        m->inputs++;
        m->by_word = false;
    }
    return st;
}
