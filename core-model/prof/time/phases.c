/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer `phases`: the Oracle's time in consecutive intervals of the run. An interval has SHORTEST cycles at
 * first; when there are PHASE_INTERVALS of them, each two become one, and the next ones are twice as long. So the
 * memory has a bound, in which each interval has the addresses that it executes.
 *
 * Tokens of several cycles are split where an interval ends. The Oracle attributes drained cycles to the instruction
 * that comes next, so they can be in the interval behind theirs. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "core-model/prof/time/oracle.h"

enum { SHORTEST = 1024 };

/* The time of an address, by the number that the map gives it, in a state. */
struct phase_part {
    uint32_t number, state;
    uint64_t time;
};

struct phase_slice {
    uint64_t cycles, retired, handlers;
    struct phase_part *part; /* in ascending order of number and state */
    size_t parts;
};

struct phases {
    struct observer base;
    struct profiler oracle; /* not attached itself; its map has the time of the current interval */
    uint64_t length;        /* of an interval, in cycles */
    struct phase_slice slice[PHASE_INTERVALS], current;
    unsigned slices;
    bool in_handler;
    struct phase_profile profile; /* valid after finish */
};

ORDER(phase_part_by_place, struct phase_part, RISING(number) RISING(state))

/* Moves the time of the map to the current interval. */
static void phases_take(struct phases *p)
{
    const struct time_map *m = &p->oracle.map;
    struct phase_slice *s = &p->current;
    s->part = xcalloc((size_t)m->index.last * TIME_STATE_COUNT + 1, sizeof *s->part);
    for (uint32_t n = 1; n <= m->index.last; n++)
        for (uint32_t state = 0; state < TIME_STATE_COUNT; state++) {
            if (m->time[state][n] != 0)
                s->part[s->parts++] = (struct phase_part){n, state, m->time[state][n]};
            m->time[state][n] = 0;
        }
    s->part = xrealloc(s->part, (s->parts + 1) * sizeof *s->part);
}

/* Adds the second interval to the first one. */
static void phases_join(struct phase_slice *a, struct phase_slice *b)
{
    size_t kept = 0, all = a->parts + b->parts;
    a->part = xrealloc(a->part, (all + 1) * sizeof *a->part);
    memcpy(a->part + a->parts, b->part, b->parts * sizeof *b->part);
    qsort(a->part, all, sizeof *a->part, phase_part_by_place);
    for (size_t n = 0; n < all; n++) {
        struct phase_part *last = &a->part[kept - (kept > 0)];
        if (kept > 0 && last->number == a->part[n].number && last->state == a->part[n].state)
            last->time += a->part[n].time;
        else
            a->part[kept++] = a->part[n];
    }
    a->parts = kept;
    a->cycles += b->cycles;
    a->retired += b->retired;
    a->handlers += b->handlers;
    free(b->part);
}

/* Ends the current interval. */
static void phases_close(struct phases *p)
{
    phases_take(p);
    p->slice[p->slices++] = p->current;
    p->current = (struct phase_slice){0};
    if (p->slices < PHASE_INTERVALS)
        return;
    for (unsigned n = 0; n < PHASE_INTERVALS / 2; n++) {
        if (n > 0)
            p->slice[n] = p->slice[2 * n];
        phases_join(&p->slice[n], &p->slice[2 * n + 1]);
    }
    p->slices = PHASE_INTERVALS / 2;
    p->length *= 2;
}

static void phases_token(void *ctx, const struct probe_token *t)
{
    struct phases *p = ctx;
    struct probe_token part = *t;
    p->current.handlers += t->handler && !p->in_handler;
    p->in_handler = t->handler;
    p->current.retired += t->committing;
    for (uint64_t left = t->repeat; left > 0; left -= part.repeat, part.cycle += part.repeat) {
        const uint64_t room = p->length - p->current.cycles;
        part.repeat = left < room ? left : room;
        p->oracle.base.probe.token(&p->oracle, &part);
        p->current.cycles += part.repeat;
        if (p->current.cycles == p->length)
            phases_close(p);
    }
}

static struct observer *phases_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct phases *p = xcalloc(1, sizeof *p);
    (void)setup;
    p->base.kind = kind;
    p->base.probe.ctx = p;
    p->base.probe.token = phases_token;
    p->base.probe.token_outline = true;
    p->length = SHORTEST;
    time_map_init(&p->oracle.map);
    oracle_start(&p->oracle);
    return &p->base;
}

/* ---- the profile ---- */

static const struct rv_insn *phases_find_insn(struct hart *hart, uint64_t pc)
{
    enum rv_trap trap;
    return hart != NULL ? rv_fetch(hart, pc, &trap) : NULL;
}

static uint64_t phases_add_categories(uint64_t sum[TIME_CATEGORY_COUNT], const uint64_t state[TIME_STATE_COUNT],
                                      const struct rv_insn *in)
{
    uint64_t category[TIME_CATEGORY_COUNT] = {0}, all = 0;
    time_categorise(category, state, in);
    for (unsigned c = 0; c < TIME_CATEGORY_COUNT; c++) {
        sum[c] += category[c];
        all += category[c];
    }
    return all;
}

ORDER(phase_row_by_pc, struct phase_row, RISING(pc))

static struct phase_interval phases_describe(const struct phases *p, const struct phase_slice *s, uint64_t from,
                                             struct hart *hart)
{
    struct phase_interval i = {.from = from, .cycles = s->cycles, .retired = s->retired, .handlers = s->handlers};
    struct phase_row *row = xcalloc(s->parts + 1, sizeof *row);
    for (size_t n = 0; n < s->parts;) {
        const uint32_t number = s->part[n].number;
        uint64_t state[TIME_STATE_COUNT] = {0};
        for (; n < s->parts && s->part[n].number == number; n++)
            state[s->part[n].state] = s->part[n].time;
        const uint64_t pc = p->oracle.map.pc[number];
        const struct rv_insn *in = state[STATE_STALLED] != 0 ? phases_find_insn(hart, pc) : NULL;
        row[i.rows++] = (struct phase_row){pc, phases_add_categories(i.time, state, in)};
    }
    qsort(row, i.rows, sizeof *row, phase_row_by_pc);
    i.row = row;
    return i;
}

static void phases_free_profile(struct phases *p)
{
    for (size_t n = 0; n < p->profile.intervals; n++)
        free((void *)p->profile.interval[n].row);
    free((void *)p->profile.interval);
}

/* A run that ends with drained cycles has them in its last interval. */
static void phases_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct phases *p = (struct phases *)o;
    uint64_t from = 0;
    (void)cycles;
    p->oracle.finish(&p->oracle);
    if (p->current.cycles > 0)
        phases_close(p);
    phases_free_profile(p);
    struct phase_interval *interval = xcalloc(p->slices + 1, sizeof *interval);
    for (unsigned n = 0; n < p->slices; n++) {
        interval[n] = phases_describe(p, &p->slice[n], from, hart);
        from += p->slice[n].cycles;
    }
    p->profile = (struct phase_profile){
        .label = o->label != NULL ? o->label : o->kind->name, .harts = 1, .interval = interval, .intervals = p->slices};
}

static const struct phase_profile *phases_profile(const struct observer *o)
{
    return &((const struct phases *)o)->profile;
}

static void phases_release(struct observer *o)
{
    struct phases *p = (struct phases *)o;
    phases_free_profile(p);
    for (unsigned n = 0; n < p->slices; n++)
        free(p->slice[n].part);
    time_map_fini(&p->oracle.map);
    free(p->oracle.state);
    free(p);
}

const struct observer_kind observer_phases = {
    .name = "phases",
    .help = "exact: the time line of the run, cycles by category and function in at most 64 intervals",
    .create = phases_create,
    .finish = phases_finish,
    .phases = phases_profile,
    .release = phases_release,
};
