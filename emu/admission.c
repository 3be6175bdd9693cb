/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Admission to the sample buffer.
 *
 * Retirement in a loop is periodic, and so is the service of its samples. With tail drop alone the same instructions
 * of the loop find the buffer full each time, so the samples that remain are no random choice. Early drop admits at
 * random from half occupancy on, with a chance that falls linearly to zero at full occupancy. The occupancy settles
 * where the admitted rate equals the service rate, and the buffer is seldom full. In hardware it costs an LFSR and a
 * comparator. */
#include "emu/admission.h"

#include <string.h>

#include "emu/lfsr.h"
#include "emu/sequencer.h"

void admission_fit(struct admission *a, unsigned slots)
{
    a->certain = slots - (a->early_drop && slots > 1 ? slots / 2 - 1 : 0);
    admission_clear(a);
    a->lost = 0;
}

/* Early drop's decision on a sample that is not certain to be admitted and finds room. Each decision is one step of
 * the LFSR. */
static bool drops_early(struct admission *a, const struct buffer *b)
{
    unsigned half = b->slots / 2, room = b->slots - b->count;
    a->lfsr = lfsr_step(a->lfsr);
    return (a->lfsr & 0xff) * half >= room << 8;
}

static inline void count_delivery(struct cop *c, uint64_t cycle, bool dropped)
{
    uint64_t start = c->counts.first_cycle << c->clock_shift; /* can be some core cycles ahead of the sample */
    c->counts.delivered++;
    use_delivered(&c->use, cycle > start ? cycle - start : 0, dropped);
}

/* Decides on a sample delivered in that core cycle, which the co-processor has reached. If it is dropped, `cause` is
 * set. */
static inline bool decide(struct cop *c, uint64_t cycle, enum cop_drop *cause)
{
    const struct buffer *b = &c->buffer;
    bool halted = c->state == BUS_HALTED, full = b->count == b->slots;
    bool admitted = !halted && (b->count < c->admission.certain || (!full && !drops_early(&c->admission, b)));
    count_delivery(c, cycle, !admitted);
    if (admitted)
        return true;
    *cause = halted ? COP_DROP_HALTED : full ? COP_DROP_FULL : COP_DROP_EARLY;
    c->counts.dropped[*cause]++;
    c->admission.lost++;
    return false;
}

/* Is a sample that is delivered now admitted, even if the co-processor lags behind? */
static inline bool is_certain(const struct cop *c)
{
    return c->admission.queued == 0 && c->buffer.count < c->admission.certain && c->state != BUS_HALTED;
}

/* The record behind the last of the buffer sets out on the path. */
static inline void enter(struct cop *c, struct record *r)
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

void admission_decide_oldest(struct cop *c)
{
    struct buffer *b = &c->buffer;
    struct record *r = admission_oldest(b, &c->admission), *place = buffer_at(b, b->count);
    enum cop_drop cause;
    c->admission.first++;
    c->admission.queued--;
    if (!decide(c, r->delivered, &cause))
        return;
    if (place != r) /* samples before it have been dropped */
        memcpy(place, r, offsetof(struct record, field) + b->fields * sizeof r->field[0]);
    enter(c, place);
}

static void tell_delivered(struct cop *c, const struct record *r)
{
    struct cop_arrival a = {.opclass = (enum opclass)r->opclass,
                            .cycle = r->delivered,
                            .readable = r->readable,
                            .fields = c->buffer.fields,
                            .field = r->field,
                            .queued = c->buffer.count};
    COP_TELL(c, delivered, &a);
}

static inline void end_idle(struct cop *c, uint64_t cycle)
{
    if (c->lookahead.idle != UINT64_MAX)
        lookahead_end_idle(c, cycle);
}

/* Advances the co-processor to the sample's cycle, and decides. */
static __attribute__((noinline)) void deliver_in_step(struct cop *c, const struct sample *s)
{
    enum cop_drop cause;
    sequencer_advance(c, own_cycle(c, s->cycle));
    if (decide(c, s->cycle, &cause)) {
        struct record *r = buffer_at(&c->buffer, c->buffer.count);
        buffer_store(&c->buffer, r, s);
        enter(c, r);
        tell_delivered(c, r);
        end_idle(c, s->cycle);
    } else {
        COP_TELL(c, dropped, s, cause);
    }
}

/* May the co-processor lag behind a sample that is delivered in that core cycle? */
static inline bool can_lag(const struct cop *c, uint64_t cycle)
{
    return cycle < c->lookahead.until && c->admission.queued < ADMISSION_QUEUE;
}

/* Is a sample that is delivered in that core cycle admitted once the co-processor has reached the cycle? Pending
 * work may have emptied the buffer. Where there is none, or samples are in the queue, the co-processor is not
 * advanced. */
static inline bool becomes_certain(struct cop *c, uint64_t cycle)
{
    if (c->admission.queued > 0 || c->buffer.present == c->buffer.count)
        return false;
    sequencer_advance(c, own_cycle(c, cycle));
    return is_certain(c);
}

/* Processes the sample at once: its words take no time. While the co-processor waits for the host, it stays in the
 * buffer. */
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

void admission_deliver(void *cop, const struct sample *s)
{
    struct cop *c = cop;
    struct buffer *b = &c->buffer;
    if (c->config.ideal) {
        deliver_ideally(c, s);
        return;
    }
    if (!can_lag(c, s->cycle)) {
        deliver_in_step(c, s);
        return;
    }
    if (is_certain(c) || becomes_certain(c, s->cycle)) {
        struct record *r = buffer_at(b, b->count);
        buffer_store(b, r, s);
        count_delivery(c, s->cycle, false);
        enter(c, r);
    } else {
        if (c->admission.queued++ == 0)
            c->admission.first = b->head + b->count;
        buffer_store(b, admission_newest(b, &c->admission), s);
    }
    end_idle(c, s->cycle);
}
