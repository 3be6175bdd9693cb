/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs/value-paper.pasm (co-processor paper, sections 5.1 and appendix A).
 *
 * The program fills slots and interrupts at one of two words. At `full` the slots are copied: they are added to the
 * profile in host memory, sufficiently known loads are masked by PC filter 2, and the arrays are cleared. At
 * `thrash`, if it was reached quickly, the slots are discarded and the current partition of the program is split in 2
 * or 4 by PC filter 1.
 *
 * Finished partitions. Step 6 of the algorithm is "repeat, until all instructions have been masked". The driver sees
 * only samples, so a partition is finished if two conditions hold after a copy: every load in the slots is masked,
 * and at most `finished_share` of the processed samples came from other loads, that is, were ignored or had their
 * slot replaced. The share is 2 %: a program with few frequent loads fills 256 slots with 255 samples each before 256
 * replacements have failed, which leaves 0.4 % unaccounted (0.8 % with half the slots), while rare loads above that
 * share are relevant. When all partitions are finished the profile is complete. The co-processor stays armed, with all
 * masks: it interrupts again if unmasked loads replace its slots, and not otherwise. With the parameter `halt` it
 * halts instead.
 *
 * Next partition. Only an interrupt activates the driver, so the order matters: see value_partition.h. The expected
 * rate of a partition is the samples per cycle of its last visit times the share of loads not masked since.
 *
 * Re-sampling (section 5.1.4: "time-based") is off unless the parameter `resample` is set. The operating system's timer
 * begins a new round: masked loads are unmasked and profiled anew, while loads not yet known continue. No round begins
 * before all partitions were finished in the current one. The paper gives no period. Here it follows from a budget: a
 * round with n handler cycles is followed by the next after n / (allowed share) cycles, see value_budget.h. So a
 * program with few loads, which is cheap to profile, is re-sampled often. The share is `resample`, in thousandths.
 *
 * Checks (value_check.h) are short visits between rounds to masked loads that showed one value. A round costs as much
 * as the whole profile, and loads that change their values more often than rounds occur would be classified as
 * invariant. A check begins at an interrupt, or when all other loads are known; a visit of the first pass is not
 * interrupted for it, because loads would be classified by an incomplete visit.
 *
 * The second pass (value_high.h) is a separate visit between those of the first pass, as soon as enough values are
 * queued or no other work remains. */
#include <stdlib.h>
#include <string.h>

#include "host/driver/driver_ops.h"
#include "host/driver/slots.h"
#include "host/driver/value/value_budget.h"
#include "host/driver/value/value_check.h"
#include "host/driver/value/value_copy.h"
#include "host/driver/value/value_high.h"
#include "host/driver/value/value_loads.h"
#include "host/driver/value/value_mask.h"
#include "host/driver/value/value_partition.h"
#include "host/driver/value/value_places.h"
#include "host/driver/value/value_profile.h"
#include "host/driver/value/value_report.h"
#include "host/driver/value/value_timeline.h"

/* The program interrupts after thrash_factor x slots replacements (A.5). With fewer than fast_factor samples per
 * replacement, more than half of all samples replaced a slot, and half the working set would thrash too: the
 * partition is split in four. With slow_factor or more samples per replacement, at least seven of eight samples
 * replaced no slot: this is not thrashing, and the slots are copied.
 *
 * masked_per_function: n masked loads of a partition hide n / 4096 of those not yet seen. After 256 more (a
 * sixteenth), the driver selects the next hash function, which hides other loads, at a cost of 65 stores.
 *
 * patience_cycles: maximum length of a visit of the second pass and of a check. high_batch: minimum number of queued
 * values for a visit of the second pass while there is other work. */
static const struct {
    unsigned thrash_factor, fast_factor, slow_factor, masked_per_function, patience_cycles, high_batch;
    double finished_share;
} policy = {.thrash_factor = 4,
            .fast_factor = 2,
            .slow_factor = 8,
            .masked_per_function = 256,
            .patience_cycles = 50000,
            .high_batch = 32,
            .finished_share = 0.02};

/* The program's layouts, members and entries, found by name in its image. */
struct value_places {
    const struct image_layout *slots;
    struct value_lanes lane;
    unsigned index_words; /* bit set of the words of BUS_INDEXES that hold rslot, failed, dropped */
    unsigned rslot;       /* number of the index register */
    unsigned thrash_word;
    int high_word; /* entry of the second pass; -1: the program has none */
    unsigned lows_row;
};

/* Kind of the current visit. */
enum visit { VISIT_LOADS, VISIT_HIGHS, VISIT_CHECK, VISIT_NONE };

struct paper_driver {
    const struct driver_env *env;
    struct value_places at;
    struct slot_copy *slots; /* room for all slots */
    struct value_profile profile;
    struct value_mask_table table;
    struct partitions partitions;
    struct value_mask mask; /* of all partitions, unless each has its own */
    struct value_confidence confidence;
    struct value_run run;
    struct value_timeline timeline;
    struct value_high high;
    struct value_check check;
    struct value_budget budget;
    enum visit visit;
    bool split;                            /* partitions are split if they thrash */
    bool own_masks;                        /* each partition has a mask of its own */
    bool halts;                            /* the co-processor halts when the profile is complete */
    bool round_complete;                   /* all partitions have been finished in this round */
    bool rechecks;                         /* checks are made */
    uint64_t filter1;                      /* the co-processor's current value */
    bool high_entry;                       /* the dispatch table selects the second pass */
    unsigned filter1_hash;                 /* for future partitions */
    uint64_t start_cycle, start_processed; /* of the current visit */
};

static enum status value_paper_driver_find_places(struct value_places *at, const struct image *im, struct errmsg *err)
{
    static const char *const counters[] = {"rslot", "failed", "dropped"};
    enum status st = value_find_lanes(im, &at->slots, &at->lane, err);
    for (unsigned c = 0; st == ST_OK && c < sizeof counters / sizeof counters[0]; c++) {
        unsigned i;
        st = value_find_index(im, counters[c], &i, err);
        at->index_words |= 1u << (i / 4);
        if (c == 0)
            at->rslot = i;
    }
    if (st != ST_OK)
        return st;
    int full = image_find_label(im, "full"), thrash = image_find_label(im, "thrash");
    if (full < 0 || thrash < 0)
        return fail(err, ST_FORMAT, "program value_paper: expected the labels 'full' and 'thrash', found no '%s'",
                    full < 0 ? "full" : "thrash");
    at->thrash_word = (unsigned)thrash;
    at->high_word = image_find_label(im, "high");
    for (unsigned b = 0; at->high_word >= 0 && b < ISA_BASES; b++)
        if (strcmp(im->base_name[b], "lows") == 0)
            at->lows_row = im->base[b];
    if (at->high_word >= 0 && at->lows_row == 0)
        return fail(err, ST_FORMAT,
                    "program value_paper: expected a base register named 'lows' beside the label 'high', found none");
    return ST_OK;
}

/* The program's parameters; without them the profile is as in the paper, but for checks, which need rounds. */
struct value_params {
    uint64_t resample, split, recheck, masks, halt, confident, visit;
};

static enum status find_params(struct value_params *p, const struct image *im, struct errmsg *err)
{
    const struct {
        const char *name;
        uint64_t without, most;
        uint64_t *to;
    } params[] = {
        {"resample", 0, 1000, &p->resample}, {"split", 1, 1, &p->split}, {"recheck", 1, 1, &p->recheck},
        {"masks", 1, 1, &p->masks},          {"halt", 0, 1, &p->halt},   {"confident", 16, 65535, &p->confident},
        {"visit", 1, 65535, &p->visit}};
    enum status st = ST_OK;
    for (unsigned i = 0; st == ST_OK && i < sizeof params / sizeof params[0]; i++)
        st = driver_find_param(im, params[i].name, params[i].without, params[i].most, params[i].to, err);
    return st;
}

static void take_params(struct paper_driver *d, const struct value_params *p)
{
    value_budget_init(&d->budget, d->env->clock, (unsigned)p->resample, d->mask.size / 64);
    d->split = p->split != 0;
    d->rechecks = p->recheck != 0;
    d->own_masks = p->masks != 0;
    d->halts = p->halt != 0;
    d->confidence = value_confidence_default;
    d->confidence.confident_samples = (unsigned)p->confident;
    d->confidence.visit_samples = (unsigned)p->visit;
}

static enum status paper_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    const struct image *im = env->image;
    struct value_places at = {0};
    struct value_params params;
    enum status st = value_paper_driver_find_places(&at, im, err);
    if (st == ST_OK)
        st = find_params(&params, im, err);
    if (st != ST_OK)
        return st;
    struct paper_driver *d = xcalloc(1, sizeof *d);
    d->env = env;
    d->at = at;
    d->slots = xcalloc(at.slots->count, sizeof *d->slots);
    value_mask_init(&d->mask, env->bus, im->filter2_hash % PCHASH_COUNT);
    take_params(d, &params);
    value_high_init(&d->high, env->bus, env->clock, im->base[at.slots->base], at.lows_row, at.slots->count / 2);
    value_profile_init(&d->profile);
    d->table = (struct value_mask_table){.bus = env->bus, .written = d->mask};
    partitions_init(&d->partitions, im->filter1_mask, im->filter1_match, &d->mask);
    d->filter1 = im->filter1_mask | (uint64_t)im->filter1_match << 16 | (uint64_t)im->filter1_hash << 32;
    /* If the program does not filter, the wide fold is used: it makes parts of equal size, while the low bits of
     * addresses are always 0 in code without compressed instructions. */
    d->filter1_hash = im->filter1_mask == 0 ? PCHASH_COUNT - 1 : im->filter1_hash;
    *self = d;
    return ST_OK;
}

static void paper_destroy(void *self)
{
    struct paper_driver *d = self;
    value_profile_fini(&d->profile);
    value_timeline_fini(&d->timeline);
    value_high_fini(&d->high);
    partitions_fini(&d->partitions);
    free(d->slots);
    free(d);
}

/* Adds the slots with samples to the profile. In a check few slots are in use. */
static void value_paper_driver_copy_slots(struct paper_driver *d)
{
    const struct image_layout *slots = d->at.slots;
    unsigned taken = d->visit == VISIT_CHECK ? value_slots_taken(d->env, slots, d->at.rslot) : slots->count;
    d->run.records += value_copy_slots(d->env, slots, taken, &d->at.lane, d->slots, &d->profile);
}

/* The mask of the current partition. */
static struct value_mask *current_mask(struct paper_driver *d)
{
    return d->own_masks ? &partitions_current(&d->partitions)->known : &d->mask;
}

/* Masks the sufficiently known loads. Returns the number of samples of this visit from masked loads; *open counts the
 * other loads. */
static uint64_t mask_known(struct paper_driver *d, uint64_t cycle, unsigned *open)
{
    struct value_mask *known = current_mask(d);
    uint64_t settled = 0;
    *open = 0;
    for (struct value_load *l = d->profile.seen; l != NULL; l = l->next_seen) {
        host_clock_work(d->env->clock, HOST_JUDGE, 1);
        if (!l->masked && value_load_judge(l, &d->confidence)) {
            l->masked = true;
            if (l->masked_cycle == 0)
                l->masked_cycle = cycle;
            d->profile.masked++;
            value_mask_set(known, l->pc32);
            if (d->at.high_word >= 0)
                value_high_consider(&d->high, l);
            value_check_consider(&d->check, l);
        }
        if (l->masked)
            settled += l->visit_total;
        else
            ++*open;
    }
    return settled;
}

/* Fills the empty masks of partitions that are new or have another hash function with their masked loads. */
static void mask_again(struct paper_driver *d)
{
    unsigned updates = 0;
    for (const struct value_load *l = d->profile.loads; l != NULL; l = l->hh.next) {
        struct partition *part = l->masked ? partitions_of(&d->partitions, pchash_filter1(d->filter1_hash, l->pc32))
                                           : NULL;
        if (part != NULL && part->refill) {
            value_mask_set(&part->known, l->pc32);
            updates++;
        }
    }
    partitions_refilled(&d->partitions);
    host_clock_work(d->env->clock, HOST_UPDATE, updates);
}

static void change_hash(struct paper_driver *d, struct partition *part)
{
    value_mask_next_function(&part->known);
    part->refill = true;
    mask_again(d);
    part->hidden_from = part->known.set;
    d->run.hash_changes++;
}

static double samples_per_cycle(const struct paper_driver *d, double samples, uint64_t cycle)
{
    return cycle > d->start_cycle ? samples / (double)(cycle - d->start_cycle) : samples;
}

static void serve_copy(struct paper_driver *d, uint64_t samples, uint64_t cycle)
{
    unsigned open;
    value_paper_driver_copy_slots(d);
    uint64_t settled = mask_known(d, cycle, &open);
    value_profile_end_visit(&d->profile, cycle - d->start_cycle);
    struct partition *part = partitions_current(&d->partitions);
    if (d->own_masks && part->known.set - part->hidden_from >= policy.masked_per_function)
        change_hash(d, part);
    double left = samples > settled ? (double)(samples - settled) : 0;
    partitions_leave(&d->partitions, samples_per_cycle(d, left, cycle));
    if (open == 0 && left <= policy.finished_share * (double)samples)
        partitions_finish(&d->partitions);
}

static void serve_thrash(struct paper_driver *d, uint64_t samples, uint64_t cycle)
{
    uint64_t replacements = (uint64_t)policy.thrash_factor * d->at.slots->count;
    d->run.thrash++;
    if (samples >= policy.slow_factor * replacements) {
        serve_copy(d, samples, cycle);
        return;
    }
    bool is_split = d->split && partitions_split(&d->partitions, samples < policy.fast_factor * replacements ? 4 : 2);
    if (is_split && d->own_masks)
        mask_again(d);
    else if (!is_split)
        partitions_leave(&d->partitions, samples_per_cycle(d, (double)samples, cycle));
}

static void serve_highs(struct paper_driver *d)
{
    d->run.records += value_high_collect(&d->high, &d->at.lane);
    d->run.high_visits++;
}

/* Ends a check. Loads with another value are queued for the second pass. */
static void serve_check(struct paper_driver *d, uint64_t cycle)
{
    d->profile.checking = true;
    value_paper_driver_copy_slots(d);
    d->profile.checking = false;
    for (struct value_load *l = d->profile.seen; l != NULL; l = l->next_seen)
        if (l->masked && d->at.high_word >= 0)
            value_high_consider(&d->high, l);
    value_profile_end_visit(&d->profile, cycle - d->start_cycle);
    d->run.checks++;
    value_budget_end_check(&d->budget, cycle);
}

/* Sets the entry for samples of loads: that of the second pass if `high`, otherwise the program's own. */
static void set_entry(struct paper_driver *d, bool high)
{
    const struct image *im = d->env->image;
    if (high == d->high_entry)
        return;
    uint64_t word[(OPCLASS_COUNT + 7) / 8] = {0};
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        word[c / 8] |= (uint64_t)(high && im->entry[c] != IMAGE_NO_ENTRY ? (unsigned)d->at.high_word : im->entry[c])
                       << 8 * (c % 8);
    for (unsigned w = 0; w < sizeof word / sizeof word[0]; w++)
        bus_put(d->env->bus, BUS_DISPATCH + 8 * w, word[w]);
    d->high_entry = high;
}

/* Clears the arrays and counters, with a few stores besides those of the mask (section 3.5) and of the initial array
 * contents. Samples in the buffer that passed another filter are dropped. */
static void restart(struct paper_driver *d, enum visit visit, const struct value_mask *mask, uint64_t filter1)
{
    const struct bus *bus = d->env->bus;
    uint64_t command = BUS_RESTART, clear = BUS_INVALIDATE_ALL | BUS_CLEAR_ALL;
    if (mask == NULL) { /* VISIT_HIGHS */
        bus_put(bus, BUS_COMMAND, clear);
        value_high_fill(&d->high, &d->table);
    } else {
        value_mask_write(mask, &d->table);
        command |= clear;
    }
    if (filter1 != d->filter1 || visit != d->visit) {
        if (filter1 != d->filter1)
            bus_put(bus, BUS_FILTER1, filter1);
        d->filter1 = filter1;
        command |= BUS_DROP_SAMPLES;
    }
    set_entry(d, visit == VISIT_HIGHS);
    for (unsigned w = 0; w < ISA_INDEXES / 4; w++)
        if (d->at.index_words >> w & 1)
            bus_put(bus, BUS_INDEXES + 8 * w, 0);
    d->visit = visit;
    bus_put(bus, BUS_COMMAND, command);
    d->start_cycle = d->profile.visit_start = d->env->clock->cycle;
}

static uint64_t open_filter1(const struct image *im)
{
    return im->filter1_mask | (uint64_t)im->filter1_match << 16 | (uint64_t)im->filter1_hash << 32;
}

static uint64_t partition_filter1(const struct paper_driver *d)
{
    const struct partition *p = partitions_current(&d->partitions);
    if (d->partitions.splits == 0)
        return open_filter1(d->env->image);
    return p->mask | (uint64_t)p->match << 16 | (uint64_t)d->filter1_hash << 32;
}

/* Core cycle from which the next check may begin. */
static uint64_t check_due(const struct paper_driver *d)
{
    return d->rechecks && d->check.first != NULL ? value_budget_check_due(&d->budget) : UINT64_MAX;
}

/* Starts a check; false: no loads to check. */
static bool start_check(struct paper_driver *d)
{
    struct value_mask mask = d->table.written;
    value_mask_all(&mask);
    unsigned chosen = value_check_choose(&d->check, &mask, d->at.slots->count);
    host_clock_work(d->env->clock, HOST_JUDGE, chosen);
    if (chosen != 0)
        restart(d, VISIT_CHECK, &mask, open_filter1(d->env->image));
    return chosen != 0;
}

/* All partitions are finished. The co-processor halts, or the partitions stay under observation with their masks. */
static void value_paper_driver_complete(struct paper_driver *d, uint64_t cycle)
{
    if (!d->run.complete)
        d->run.complete_cycle = cycle;
    d->run.complete = d->round_complete = true;
    if (!d->halts) {
        partitions_resume(&d->partitions);
        return;
    }
    d->visit = VISIT_NONE;
    bus_put(d->env->bus, BUS_COMMAND, BUS_HALT | BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_DROP_SAMPLES);
}

/* Starts the next visit: a check if it is due; the second pass, but not twice in succession while there is other
 * work; or the first pass, unless all loads are known and the co-processor halts. */
static void visit_next(struct paper_driver *d, uint64_t cycle, bool check)
{
    bool others = d->partitions.open > 0;
    if (check && start_check(d))
        return;
    if (d->high.queued >= (others ? policy.high_batch : 1) && !(others && d->visit == VISIT_HIGHS)) {
        value_high_choose(&d->high);
        restart(d, VISIT_HIGHS, NULL, open_filter1(d->env->image));
        return;
    }
    if (!others)
        value_paper_driver_complete(d, cycle);
    if (partitions_next(&d->partitions))
        restart(d, VISIT_LOADS, current_mask(d), partition_filter1(d));
}

/* Begins a new round: clears all masks and reopens all partitions. The current visit continues. */
static void value_paper_driver_next_round(struct paper_driver *d, uint64_t cycle)
{
    host_clock_work(d->env->clock, HOST_UPDATE, d->profile.masked);
    value_profile_next_round(&d->profile, cycle);
    value_mask_clear(&d->mask);
    partitions_reopen(&d->partitions);
    d->round_complete = false;
    value_budget_begin_round(&d->budget);
    d->run.rounds++;
}

/* Samples processed since the last call. */
static uint64_t new_samples(struct paper_driver *d)
{
    uint64_t processed = bus_get(d->env->bus, BUS_PROCESSED), samples = processed - d->start_processed;
    d->start_processed = processed;
    return samples;
}

/* Attributes the cycles charged since the end of the last visit to the current visit. */
static void count_begun(struct paper_driver *d)
{
    value_budget_count(&d->budget, d->visit == VISIT_CHECK ? BUDGET_CHECK : BUDGET_ROUND);
}

static void paper_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct paper_driver *d = self;
    uint64_t samples = new_samples(d);
    bool check = cycle >= check_due(d);
    if (d->visit == VISIT_HIGHS) {
        serve_highs(d);
    } else if (d->visit == VISIT_CHECK) {
        serve_check(d, cycle);
    } else if (word == d->at.thrash_word) {
        serve_thrash(d, samples, cycle);
    } else {
        d->run.full++;
        serve_copy(d, samples, cycle);
    }
    value_budget_count(&d->budget, BUDGET_ROUND);
    visit_next(d, cycle, check);
    count_begun(d);
    value_timeline_add(&d->timeline, &d->profile, &d->env->clock->account, cycle, false);
}

/* Core cycle in which the next round begins: never before this one is complete. */
static uint64_t round_due(const struct paper_driver *d)
{
    if (!d->round_complete)
        return UINT64_MAX;
    return value_budget_round_due(&d->budget, d->profile.round_start);
}

static uint64_t paper_due(const void *self)
{
    const struct paper_driver *d = self;
    if (d->visit == VISIT_HIGHS || d->visit == VISIT_CHECK)
        return d->start_cycle + policy.patience_cycles;
    uint64_t round = round_due(d), check = d->visit == VISIT_NONE ? check_due(d) : UINT64_MAX;
    return round < check ? round : check;
}

/* Ends a visit of the second pass or a check after its maximum length. */
static void end_visit(struct paper_driver *d, uint64_t cycle)
{
    bus_put(d->env->bus, BUS_COMMAND, BUS_HALT);
    (void)new_samples(d);
    if (d->visit == VISIT_CHECK) {
        serve_check(d, cycle);
    } else {
        serve_highs(d);
        value_budget_count(&d->budget, BUDGET_ROUND);
    }
    visit_next(d, cycle, false);
    count_begun(d);
}

static void paper_timer(void *self, uint64_t cycle)
{
    struct paper_driver *d = self;
    bool check = cycle >= check_due(d);
    d->run.timers++;
    if (d->visit == VISIT_HIGHS || d->visit == VISIT_CHECK) {
        end_visit(d, cycle);
        return;
    }
    if (cycle >= round_due(d))
        value_paper_driver_next_round(d, cycle);
    if (d->visit == VISIT_NONE)
        visit_next(d, cycle, check);
    else
        value_mask_write(current_mask(d), &d->table);
    count_begun(d);
}

static void paper_finish(void *self, uint64_t cycle)
{
    struct paper_driver *d = self;
    if (d->visit == VISIT_HIGHS)
        value_high_collect(&d->high, &d->at.lane);
    if (d->visit == VISIT_LOADS || d->visit == VISIT_CHECK) {
        d->profile.checking = d->visit == VISIT_CHECK;
        value_paper_driver_copy_slots(d);
        value_profile_end_visit(&d->profile, cycle - d->start_cycle);
    }
    value_profile_close(&d->profile, cycle);
    value_timeline_add(&d->timeline, &d->profile, &d->env->clock->account, cycle, true);
}

static void paper_driver_profile(void *self, struct program_profile *p)
{
    value_loads_fill(p, &((const struct paper_driver *)self)->profile);
}

static void paper_driver_report(void *self, const struct program_profile *p, struct report *r)
{
    struct paper_driver *d = self;
    d->run.mask_writes = d->table.writes;
    value_report(r, p, d->env, &d->profile, &d->run, &d->partitions, &d->timeline);
}

const struct driver_ops value_paper_driver_ops = {
    .program = "value_paper",
    .create = paper_create,
    .destroy = paper_destroy,
    .interrupt = paper_interrupt,
    .due = paper_due,
    .timer = paper_timer,
    .finish = paper_finish,
    .profile = paper_driver_profile,
    .report = paper_driver_report,
};
