/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs/value.pasm: a value profile of all loads in turn, without partitions, within a budget.
 *
 * A visit ends at an interrupt, when loads find no slot to replace, or by the timer. Then the slots are copied. A load
 * with enough samples is masked by PC filter 2, so that the next visits see others: twice as many if its active values
 * explain less than half of them, since it may have further values. The mask also hides loads that hash to its bits;
 * each visit has another hash function, which hides others. When many loads are masked, or when a visit finds only few
 * loads, all are unmasked. A program whose loads have room in the slots has no masks, and is seen all the time.
 *
 * Cost. The handlers of simple sampling take a certain number of cycles for each load that the program executes,
 * whatever the program. The parameter `budget` is such a number, for 1,024 loads. Above the budget the chance by which
 * loads are admitted falls steeply, so that visits take longer; well below it, as in programs with fewer loads than
 * slots, visits are shorter.
 *
 * Pauses, an option, with masks in all programs. A round is the time between two unmaskings of all loads. If it has
 * changed the estimates by less than the parameter `settled`, all loads stay masked, for a time that doubles with each
 * such round. In a pause no load gets a slot, and no handler runs, except when 8 samples of unmasked loads have been
 * admitted: the next visit is of these.
 *
 * Estimate. Consecutive samples of a load depend on each other, so a slot with n samples counts as the square root of
 * n. While the slots have room for all loads, it counts in proportion to n: all visits are equally long then, and a
 * load has more samples in those in which it executes more often. The shares of a load's values are those under which
 * the counts of all its slots are the likeliest (value_set_solve). */
#include <math.h>
#include <stdlib.h>

#include "host/driver/driver_ops.h"
#include "host/driver/value/value_copy.h"
#include "host/driver/value/value_loads.h"
#include "host/driver/value/value_mask.h"
#include "host/driver/value/value_report.h"
#include "host/driver/value/value_timeline.h"

/* enough: sum of the weights of its slots' samples (without room for all loads, of the roots of their numbers) with
 * which a load is masked. explained: share of them, as hits, below which that takes `unexplained` times as many.
 *
 * masked_most, least_used: all loads are unmasked when so many are masked for each 4,096 bits of PC filter 2 (1,000
 * hide 22 % of the others), or after a visit that the timer ended with fewer slots in use.
 *
 * fitting, known_most: a visit has room for all loads if the timer has ended it, if it has used at most this share of
 * the slots, masked loads included, and if at most so many loads for each slot have been seen in all. In a program of
 * more loads a phase of few would cost the masks of all others.
 *
 * visit_cycles: length of a visit that no interrupt ends. It is halved while handlers take less than cheap_share of
 * the budget, and grows with the cost above the budget, up to `longest` times.
 *
 * pause_cycles: length of the first pause.
 *
 * steepness: the chance is divided by (cost / budget) to this power. */
static const struct {
    double enough, explained, unexplained;
    unsigned masked_most, least_used, known_most, visit_cycles, pause_cycles;
    double fitting, cheap_share, longest, steepness;
} policy = {.enough = 3,
            .explained = 0.5,
            .unexplained = 2,
            .masked_most = 1000,
            .least_used = 32,
            .visit_cycles = 700000,
            .pause_cycles = 1000000,
            .fitting = 0.75,
            .known_most = 2,
            .cheap_share = 0.5,
            .longest = 1.25,
            .steepness = 6};

struct value_driver {
    const struct driver_env *env;
    const struct image_layout *layout;
    struct value_lanes lane;
    unsigned rslot, admit, few; /* numbers of the index and of the constant registers */
    uint64_t budget, settled;   /* parameters */
    uint64_t admitted;          /* present value of the constant */
    struct slot_copy *slots;    /* room for all slots */
    struct value_profile profile;
    struct value_mask mask[PCHASH_COUNT]; /* of the masked loads, for each hash function */
    unsigned function;                    /* the one in use */
    struct value_mask_table table;
    struct value_run run;
    struct value_timeline timeline;
    bool begun;                         /* the cycle in which the run has begun is known */
    uint64_t start_cycle, visit_cycles; /* of the current visit: its start, and its maximum length */
    double changed, judged; /* in this round: sum over judged loads of samples times the square of the change
                               of the share of their most frequent value, and of samples */
    uint64_t run_start;     /* cycle in which the run has begun */
    uint64_t crowded_end;   /* cycle in which the last visit without room for all loads has ended; or run_start */
    bool paused;
    uint64_t pause_cycles, pause_end; /* of the last pause: its length, 0 without one, and the cycle of its end */
};

static enum status value_driver_find_places(struct value_driver *d, const struct image *im, struct errmsg *err)
{
    enum status st = value_find_lanes(im, &d->layout, &d->lane, err);
    if (st == ST_OK)
        st = value_find_index(im, "rslot", &d->rslot, err);
    if (st == ST_OK)
        st = value_find_const(im, "admit", &d->admit, err);
    if (st == ST_OK)
        st = value_find_const(im, "few", &d->few, err);
    if (st == ST_OK)
        st = driver_find_param(im, "budget", 20, 1000000, &d->budget, err);
    if (st == ST_OK)
        st = driver_find_param(im, "settled", 0, 1000, &d->settled, err);
    return st;
}

static enum status value_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    struct value_driver *d = xcalloc(1, sizeof *d);
    enum status st = value_driver_find_places(d, env->image, err);
    if (st != ST_OK) {
        free(d);
        return st;
    }
    d->env = env;
    d->admitted = env->image->constant[d->admit];
    d->slots = xcalloc(d->layout->count, sizeof *d->slots);
    value_profile_init(&d->profile);
    d->profile.damped = true;
    for (unsigned f = 0; f < PCHASH_COUNT; f++)
        value_mask_init(&d->mask[f], env->bus, f);
    d->function = env->image->filter2_hash % PCHASH_COUNT;
    d->table = (struct value_mask_table){.bus = env->bus, .written = d->mask[d->function]};
    d->visit_cycles = policy.visit_cycles / 2;
    *self = d;
    return ST_OK;
}

static void value_destroy(void *self)
{
    struct value_driver *d = self;
    value_profile_fini(&d->profile);
    value_timeline_fini(&d->timeline);
    free(d->slots);
    free(d);
}

/* Returns the number of slots with samples. */
static unsigned value_driver_copy_slots(struct value_driver *d)
{
    unsigned taken = value_slots_taken(d->env, d->layout, d->rslot);
    unsigned used = value_copy_slots(d->env, d->layout, taken, &d->lane, d->slots, &d->profile);
    d->run.records += used;
    return used;
}

static void count_change(struct value_driver *d, struct value_load *l)
{
    const struct value_tally *best = value_set_best(&l->round);
    double change = best->likely - l->best_share, samples = (double)l->visit_total;
    d->changed += samples * change * change;
    d->judged += samples;
    l->best_share = best->likely;
}

/* After a visit: whether the slots have room for all loads. That is so if all visits of the latter half of the
 * run have had it. */
static bool loads_fit(struct value_driver *d, unsigned used, bool timed, uint64_t cycle)
{
    if (!timed || d->settled != 0 || d->admitted != d->env->image->constant[d->admit] ||
        used + d->profile.masked > policy.fitting * d->layout->count ||
        value_profile_count(&d->profile) > policy.known_most * d->layout->count) {
        d->crowded_end = cycle;
        return false;
    }
    return cycle - d->crowded_end >= d->crowded_end - d->run_start;
}

static bool is_enough(const struct value_set *round)
{
    double hits = 0;
    for (unsigned v = 0; v < round->count; v++)
        hits += round->list[v].hits;
    return round->total >= policy.enough * (hits < policy.explained * round->total ? policy.unexplained : 1);
}

static void mask_load(struct value_driver *d, struct value_load *l, uint64_t cycle)
{
    l->masked = true;
    if (l->masked_cycle == 0)
        l->masked_cycle = cycle;
    d->profile.masked++;
    for (unsigned f = 0; f < PCHASH_COUNT; f++)
        value_mask_set(&d->mask[f], l->pc32);
    host_clock_work(d->env->clock, HOST_ROW, PCHASH_COUNT);
}

/* Estimates the loads of this visit, and masks those with enough samples. */
static void value_driver_judge(struct value_driver *d, uint64_t cycle)
{
    for (struct value_load *l = d->profile.seen; l != NULL; l = l->next_seen) {
        host_clock_work(d->env->clock, HOST_JUDGE, 1);
        value_set_solve(&l->round);
        count_change(d, l);
        if (!d->profile.all_fit && !l->masked && is_enough(&l->round))
            mask_load(d, l, cycle);
    }
    value_profile_end_visit(&d->profile, cycle - d->start_cycle);
}

static void value_driver_next_round(struct value_driver *d)
{
    for (struct value_load *l = d->profile.loads; l != NULL; l = l->hh.next)
        l->masked = false;
    d->profile.masked = 0;
    for (unsigned f = 0; f < PCHASH_COUNT; f++)
        value_mask_clear(&d->mask[f]);
    d->run.rounds++;
    d->changed = d->judged = 0;
}

/* In a pause no slot has so few samples that it is replaced. */
static void set_paused(struct value_driver *d, bool paused)
{
    if (paused != d->paused)
        bus_put(d->env->bus, BUS_CONSTS + 8 * d->few, paused ? 0 : d->env->image->constant[d->few]);
    d->paused = paused;
}

/* Ends a round that finds no more loads: the next one begins, or a pause. A pause that unmasked loads have interrupted
 * goes on. */
static void end_round(struct value_driver *d, uint64_t cycle)
{
    double settled = (double)d->settled / 1000;
    if (cycle >= d->pause_end) {
        if (d->changed >= settled * settled * d->judged) {
            d->pause_cycles = 0;
            value_driver_next_round(d);
            return;
        }
        d->pause_cycles = d->pause_cycles != 0 ? 2 * d->pause_cycles : policy.pause_cycles;
        d->pause_end = cycle + d->pause_cycles;
    }
    set_paused(d, true);
}

/* The number of loads that have retired, masked ones included. The filters count instructions on wrong paths too; of
 * those that they have passed, the samples have retired. */
static double retired_loads(const struct bus *bus)
{
    double passed = (double)(bus_get(bus, BUS_OFFERED) - bus_get(bus, BUS_FILTERED));
    return passed > 0 ? (double)bus_get(bus, BUS_ELIGIBLE) * (double)bus_get(bus, BUS_DELIVERED) / passed : 0;
}

/* Adjusts chance and length of visits to the cost so far. */
static void keep_budget(struct value_driver *d)
{
    const struct image *im = d->env->image;
    double loads = retired_loads(d->env->bus), budget = (double)d->budget / 1024 * loads,
           cost = (double)d->env->clock->charged, admit = (double)im->constant[d->admit];
    if (cost > budget)
        admit *= pow(budget / cost, policy.steepness);
    uint64_t chance = admit > 1 ? (uint64_t)admit + 1 : 2; /* the program admits smaller numbers, of which 1 is the
                                                              smallest */
    if (chance > im->constant[d->admit])
        chance = im->constant[d->admit];
    if (chance != d->admitted)
        bus_put(d->env->bus, BUS_CONSTS + 8 * d->admit, chance);
    d->admitted = chance;
    d->visit_cycles = policy.visit_cycles;
    if (cost < policy.cheap_share * budget)
        d->visit_cycles /= 2;
    else if (cost > budget)
        d->visit_cycles = (uint64_t)(policy.visit_cycles * fmin(cost / budget, policy.longest));
}

/* Begins the next round, or a pause, if it is time. `few`: the visit has found few loads. */
static void unmask(struct value_driver *d, uint64_t cycle, bool few, bool pause_over)
{
    uint64_t masked = (uint64_t)d->profile.masked * 4096 / d->mask[0].size;
    if (d->profile.all_fit ? d->profile.masked != 0 : masked >= policy.masked_most || pause_over)
        value_driver_next_round(d);
    else if (few && !d->profile.all_fit)
        end_round(d, cycle);
}

static void value_driver_serve(struct value_driver *d, uint64_t cycle, bool timed)
{
    const struct bus *bus = d->env->bus;
    unsigned used = value_driver_copy_slots(d);
    d->profile.all_fit = loads_fit(d, used, timed, cycle);
    value_driver_judge(d, cycle);
    bool pause_over = d->paused && timed;
    set_paused(d, false);
    unmask(d, cycle, timed && used < policy.least_used, pause_over);
    keep_budget(d);
    d->function = (d->function + 1) % PCHASH_COUNT;
    value_mask_write(&d->mask[d->function], &d->table);
    bus_put(bus, BUS_INDEXES + 8 * (d->rslot / 4), 0);
    bus_put(bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
    d->begun = true;
    d->start_cycle = d->profile.visit_start = d->env->clock->cycle;
    value_timeline_add(&d->timeline, &d->profile, &d->env->clock->account, cycle, false);
}

static void value_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct value_driver *d = self;
    (void)word;
    d->run.full++;
    value_driver_serve(d, cycle, false);
}

static uint64_t value_due(const void *self)
{
    const struct value_driver *d = self;
    if (d->paused)
        return d->pause_end;
    return d->begun ? d->start_cycle + d->visit_cycles : 0;
}

static void value_timer(void *self, uint64_t cycle)
{
    struct value_driver *d = self;
    d->run.timers++;
    if (!d->begun) { /* the run can begin late, after a warm-up */
        d->begun = true;
        d->run_start = d->crowded_end = d->start_cycle = d->profile.visit_start = cycle;
        return;
    }
    bus_put(d->env->bus, BUS_COMMAND, BUS_HALT);
    value_driver_serve(d, cycle, true);
}

static void value_finish(void *self, uint64_t cycle)
{
    struct value_driver *d = self;
    (void)value_driver_copy_slots(d);
    value_driver_judge(d, cycle);
    value_timeline_add(&d->timeline, &d->profile, &d->env->clock->account, cycle, true);
}

static void value_driver_profile(void *self, struct program_profile *p)
{
    value_loads_fill(p, &((const struct value_driver *)self)->profile);
}

static void value_driver_report(void *self, const struct program_profile *p, struct report *r)
{
    struct value_driver *d = self;
    d->run.mask_writes = d->table.writes;
    value_report(r, p, d->env, &d->profile, &d->run, NULL, &d->timeline);
}

const struct driver_ops value_driver_ops = {
    .program = "value",
    .of_shares = true,
    .create = value_create,
    .destroy = value_destroy,
    .interrupt = value_interrupt,
    .due = value_due,
    .timer = value_timer,
    .finish = value_finish,
    .profile = value_driver_profile,
    .report = value_driver_report,
};
