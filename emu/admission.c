/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Admission to the sample buffer.
 *
 * Retirement in a loop is periodic, and so is the service of its samples. With tail drop alone the same instructions of
 * the loop find the buffer full each time, so the admitted samples are not a random selection. Early drop admits at
 * random from half occupancy on, with a probability that falls linearly to zero at full occupancy. The occupancy
 * settles where the admitted rate equals the service rate, and the buffer is seldom full. In hardware it costs an LFSR
 * and a comparator. A program can keep the samples of some classes from it: those of calls and returns, from which it
 * knows the stack. Its other samples are expendable, so the fields on dropped samples count those of kept classes. */
#include "emu/admission.h"

#include <string.h>

#include "emu/lfsr.h"
#include "emu/sequencer.h"

void admission_fit(struct admission *a, unsigned slots)
{
    a->certain = a->gated ? 0 : slots - (a->early_drop && slots > 1 ? slots / 2 - 1 : 0);
    admission_clear(a);
    a->lost = 0;
}

/* Random early drop of a sample whose admission is not certain while the buffer has a free slot. Each decision takes
 * one step of the LFSR. */
static bool drops_early(struct admission *a, const struct buffer *b, enum opclass opclass)
{
    if (a->gated || (a->kept >> opclass & 1) != 0)
        return false;
    unsigned half = b->slots / 2, room = b->slots - b->count;
    a->lfsr = lfsr_step(a->lfsr);
    return (a->lfsr & 0xff) * half >= room << 8;
}

static inline void count_delivery(struct cop *c, uint64_t cycle, bool dropped)
{
    uint64_t start = c->counts.first_cycle
                     << c->clock_shift; /* may exceed the sample's cycle by less than one co-processor cycle */
    c->counts.delivered++;
    use_delivered(&c->use, cycle > start ? cycle - start : 0, dropped);
}

/* A sample has come to the closed gate, which counts it. */
static inline void pass_gate(struct cop *c)
{
    uint64_t *left = &c->operand[SLOT_INDEX + c->gate];
    *left -= *left != 0;
    c->admission.closed = *left != 0;
}

/* Returns whether the sample delivered in core cycle `cycle`, which the co-processor has reached, is admitted. Sets
 * *cause if the sample is dropped. */
static inline bool decide(struct cop *c, uint64_t cycle, enum opclass opclass, enum cop_drop *cause)
{
    const struct buffer *b = &c->buffer;
    bool halted = c->state == BUS_HALTED, closed = c->admission.closed, full = b->count == b->slots;
    bool admitted = !halted && !closed &&
                    (b->count < c->admission.certain || (!full && !drops_early(&c->admission, b, opclass)));
    count_delivery(c, cycle, !admitted);
    if (admitted)
        return true;
    *cause = halted ? COP_DROP_HALTED : closed ? COP_DROP_GATE : full ? COP_DROP_FULL : COP_DROP_EARLY;
    if (*cause == COP_DROP_GATE)
        pass_gate(c);
    c->counts.dropped[*cause]++;
    c->admission.lost += c->admission.kept == 0 || (c->admission.kept >> opclass & 1) != 0;
    return false;
}

/* Returns whether a sample delivered now is admitted whatever the pending work of the co-processor. */
static inline bool is_certain(const struct cop *c)
{
    return c->admission.queued == 0 && c->buffer.count < c->admission.certain && c->state != BUS_HALTED;
}

/* Appends the record to the buffer and schedules its transfer on the sample path. */
static inline void admission_enter(struct cop *c, struct record *r)
{
    struct buffer *b = &c->buffer;
    uint64_t start = b->path_free > r->delivered ? b->path_free : r->delivered;
    b->path_free = start + b->beats;
    r->readable = start + b->beats + c->config.path_cycles;
    c->use.occupancy -= r->delivered;
    buffer_store_lost(b, r, c->admission.lost);
    c->admission.lost = 0;
    b->count++;
}

/* Moves a record to an earlier place of the ring. Records are short, so a few fields are copied without a call. */
static inline void admission_move(struct record *to, const struct record *from, unsigned fields)
{
    enum { AT_ONCE = 4 };
    to->delivered = from->delivered;
    to->opclass = from->opclass;
    memcpy(to->field, from->field, AT_ONCE * sizeof to->field[0]);
    if (fields > AT_ONCE)
        memcpy(&to->field[AT_ONCE], &from->field[AT_ONCE], (fields - AT_ONCE) * sizeof to->field[0]);
}

static inline void decide_record(struct cop *c, struct record *r)
{
    struct buffer *b = &c->buffer;
    struct record *place = buffer_at(b, b->count);
    enum cop_drop cause;
    c->admission.first++;
    c->admission.queued--;
    if (!decide(c, r->delivered, (enum opclass)r->opclass, &cause))
        return;
    if (place != r) /* samples queued before it were dropped */
        admission_move(place, r, b->fields);
    admission_enter(c, place);
}

void admission_decide_oldest(struct cop *c) { decide_record(c, admission_oldest(&c->buffer, &c->admission)); }

void admission_decide_until(struct cop *c, uint64_t cycle)
{
    while (c->admission.queued > 0) {
        struct record *r = admission_oldest(&c->buffer, &c->admission);
        if (own_cycle(c, r->delivered) > cycle)
            return;
        decide_record(c, r);
        c->buffer.present = c->buffer.count;
    }
}

static void notify_delivered(struct cop *c, const struct record *r)
{
    struct cop_arrival a = {.opclass = (enum opclass)r->opclass,
                            .cycle = r->delivered,
                            .readable = r->readable,
                            .fields = c->buffer.fields,
                            .field = r->field,
                            .queued = c->buffer.count};
    COP_NOTIFY(c, delivered, &a);
}

static inline void end_idle(struct cop *c, uint64_t cycle)
{
    if (c->lookahead.idle != UINT64_MAX)
        lookahead_end_idle(c, cycle);
}

/* Advances the co-processor to the sample's cycle, then admits or drops the sample. */
static __attribute__((noinline)) void deliver_in_step(struct cop *c, const struct sample *s)
{
    enum cop_drop cause;
    sequencer_advance(c, own_cycle(c, s->cycle));
    if (decide(c, s->cycle, s->opclass, &cause)) {
        struct record *r = buffer_at(&c->buffer, c->buffer.count);
        buffer_store(&c->buffer, r, s);
        admission_enter(c, r);
        notify_delivered(c, r);
        end_idle(c, s->cycle);
    } else {
        COP_NOTIFY(c, dropped, s, cause);
    }
}

/* Returns whether the co-processor may lag behind a sample delivered in core cycle `cycle`. */
static inline bool can_lag(const struct cop *c, uint64_t cycle)
{
    return cycle < c->lookahead.until && c->admission.queued < ADMISSION_QUEUE;
}

/* Admits a sample that is certain to be. */
static inline void admit(struct cop *c, const struct sample *s)
{
    struct record *r = buffer_at(&c->buffer, c->buffer.count);
    buffer_store(&c->buffer, r, s);
    count_delivery(c, s->cycle, false);
    admission_enter(c, r);
    end_idle(c, s->cycle);
}

/* Appends the sample to the admission queue. */
static inline void enqueue(struct cop *c, const struct sample *s)
{
    const struct buffer *b = &c->buffer;
    if (c->admission.queued++ == 0)
        c->admission.first = b->head + b->count;
    buffer_store(b, admission_newest(b, &c->admission), s);
    end_idle(c, s->cycle);
}

/* Advances the co-processor to the sample's cycle, because pending work may have freed slots. */
static __attribute__((noinline)) void deliver_after_work(struct cop *c, const struct sample *s)
{
    sequencer_advance(c, own_cycle(c, s->cycle));
    if (is_certain(c))
        admit(c, s);
    else
        enqueue(c, s);
}

/* Ideal co-processor: a sample is processed in its delivery cycle, because words take no time. While the co-processor
 * is halted for the host, samples stay in the buffer. */
static __attribute__((noinline)) void deliver_ideally(struct cop *c, const struct sample *s)
{
    deliver_in_step(c, s);
    for (unsigned i = 0; i < c->buffer.count; i++)
        buffer_at(&c->buffer, i)->readable = s->cycle;
    c->buffer.path_free = s->cycle;
    uint64_t now = c->time;
    sequencer_drain(c);
    c->time = now;
}

void admission_follow_gate(struct cop *c)
{
    struct admission *a = &c->admission;
    struct buffer *b = &c->buffer;
    a->closed = a->gated && c->operand[SLOT_INDEX + c->gate] != 0;
    if (!a->closed)
        return;
    c->counts.dropped[COP_DROP_GATE] += b->count;
    a->lost += b->count;
    c->use.occupancy += b->count * cop_cycle(c);
    b->count = b->present = 0;
}

/* A sample at the closed gate: the co-processor is idle, so it is not advanced. */
static void deliver_to_gate(struct cop *c, const struct sample *s)
{
    enum cop_drop cause;
    decide(c, s->cycle, s->opclass, &cause);
    COP_NOTIFY(c, dropped, s, cause);
}

/* Without pending work, or with samples in the admission queue, the co-processor is not advanced. */
void admission_deliver(void *cop, const struct sample *s)
{
    struct cop *c = cop;
    if (c->admission.closed && c->admission.queued == 0)
        deliver_to_gate(c, s);
    else if (c->config.ideal)
        deliver_ideally(c, s);
    else if (!can_lag(c, s->cycle))
        deliver_in_step(c, s);
    else if (is_certain(c))
        admit(c, s);
    else if (c->admission.queued > 0 || c->buffer.present == c->buffer.count)
        enqueue(c, s);
    else
        deliver_after_work(c, s);
}
