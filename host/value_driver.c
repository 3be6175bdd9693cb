/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs/value.pasm (co-processor paper, sections 5.1 and appendix A).
 *
 * The program fills slots and stops at one of two words. At `full` the slots are worth copying: they are added to the profile in host
 * memory, loads that are sufficiently known are masked by PC filter 2, and the arrays start anew. At `thrash` they are not, if
 * it came quickly: the partition of the program being profiled is split in 2 or 4 by PC filter 1.
 *
 * When a partition is finished. Step 6 of the algorithm is "repeat, until all instructions have been masked". The driver sees
 * samples only, so it takes a partition as finished when two things hold after a copy: every load in the slots is now masked, and no
 * more than `finished_share` of the samples processed came from anything else. The latter are samples that were ignored or whose
 * slot was replaced. It is 2 %: a program of few hot loads fills 256 slots with 255 samples each before 256 replacements have failed,
 * which leaves 0.4 % unaccounted (0.8 % with half the slots), while rare loads are worth finding above that.
 * When all partitions are finished the profile is complete and the co-processor stays halted.
 *
 * Which is next. Nothing but an interrupt brings the driver back, so the order matters: see value_partition.h. What a visit left to
 * expect is its samples per cycle times the share of them that is not from loads masked since. */
#include <stdlib.h>
#include <string.h>

#include "host/driver_ops.h"
#include "host/slots.h"
#include "host/value_mask.h"
#include "host/value_partition.h"
#include "host/value_profile.h"
#include "host/value_report.h"

/* The program interrupts after thrash_factor x slots replacements (A.5). If that took fewer than fast_factor samples for each, more than
 * half of all samples replaced a slot, and halves of the working set would thrash too: the partition is split in four. If it
 * took slow_factor samples or more, seven of eight samples found their slots or left them alone: that is no thrashing, the replacements
 * have only added up over a long time, and the slots are worth copying.
 *
 * masked_per_function: n masked loads hide n / 4096 of those not yet seen. After 256 more (a sixteenth) the driver takes the
 * next hash function, under which others are hidden, for 65 stores. */
static const struct {
    unsigned thrash_factor, fast_factor, slow_factor, masked_per_function;
    double finished_share;
} policy = {.thrash_factor = 4, .fast_factor = 2, .slow_factor = 8, .masked_per_function = 256, .finished_share = 0.02};

/* Where the program keeps what, found by name in its image. */
struct value_places {
    const struct image_layout *slots;
    unsigned value, hit, miss, total; /* lanes */
    unsigned index_words;             /* bit set of the words of BUS_INDEXES that hold rslot, failed, dropped */
    unsigned thrash_word;
};

struct value_driver {
    const struct driver_env *env;
    struct value_places at;
    struct slot *slots; /* room for all */
    struct value_profile profile;
    struct value_mask mask;
    struct partitions partitions;
    struct value_run run;
    uint64_t filter1;             /* as the co-processor has it */
    unsigned filter1_hash;        /* for the partitions to come */
    unsigned masked_at_change;    /* loads masked when the hash function was chosen */
    uint64_t start_cycle, start_processed; /* of the present visit */
};

static const struct image_layout *find_layout(const struct image *im, const char *name)
{
    for (unsigned i = 0; i < im->layouts; i++)
        if (strcmp(im->layout[i].name, name) == 0)
            return &im->layout[i];
    return NULL;
}

static enum status find_lane(const struct image_layout *l, const char *name, unsigned min_bits, unsigned *lane, struct errmsg *err)
{
    for (unsigned i = 0; i < l->members; i++)
        if (strcmp(l->member[i].name, name) == 0 && isa_lanes[l->member[i].lane].width >= min_bits) {
            *lane = l->member[i].lane;
            return ST_OK;
        }
    return fail(err, ST_FORMAT, "program value: expected member '%s' of at least %u bits in layout %s, found none", name, min_bits, l->name);
}

static enum status find_layout_places(struct value_places *at, const struct image *im, struct errmsg *err)
{
    at->slots = find_layout(im, "slots");
    if (at->slots == NULL || at->slots->key != FORMAT_PC)
        return fail(err, ST_FORMAT, "program value: expected a layout 'slots' with a key of format pc, found %s",
                    at->slots == NULL ? "no such layout" : "another key");
    enum status st = find_lane(at->slots, "value", 32, &at->value, err);
    if (st == ST_OK)
        st = find_lane(at->slots, "hit", 8, &at->hit, err);
    if (st == ST_OK)
        st = find_lane(at->slots, "miss", 8, &at->miss, err);
    if (st == ST_OK)
        st = find_lane(at->slots, "total", 16, &at->total, err);
    return st;
}

static enum status find_places(struct value_places *at, const struct image *im, struct errmsg *err)
{
    static const char *const counters[] = {"rslot", "failed", "dropped"};
    enum status st = find_layout_places(at, im, err);
    if (st != ST_OK)
        return st;
    for (unsigned c = 0; c < sizeof counters / sizeof counters[0]; c++) {
        unsigned i = 0;
        while (i < ISA_INDEXES && strcmp(im->index_name[i], counters[c]) != 0)
            i++;
        if (i == ISA_INDEXES)
            return fail(err, ST_FORMAT, "program value: expected an index register named '%s', found none", counters[c]);
        at->index_words |= 1u << (i / 4);
    }
    int full = image_find_label(im, "full"), thrash = image_find_label(im, "thrash");
    if (full < 0 || thrash < 0)
        return fail(err, ST_FORMAT, "program value: expected the labels 'full' and 'thrash', found no '%s'", full < 0 ? "full" : "thrash");
    at->thrash_word = (unsigned)thrash;
    return ST_OK;
}

static enum status value_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    const struct image *im = env->image;
    struct value_places at = {0};
    enum status st = find_places(&at, im, err);
    if (st != ST_OK)
        return st;
    struct value_driver *d = xcalloc(1, sizeof *d);
    d->env = env;
    d->at = at;
    d->slots = xcalloc(at.slots->count, sizeof *d->slots);
    value_profile_init(&d->profile);
    value_mask_init(&d->mask, im->filter2_hash);
    partitions_init(&d->partitions, im->filter1_mask, im->filter1_match);
    d->filter1 = im->filter1_mask | (uint64_t)im->filter1_match << 16 | (uint64_t)im->filter1_hash << 32;
    /* Where the program does not filter, any function will do: the wide fold makes parts of equal size, while the low bits
     * of addresses alone are always 0 in code without compressed instructions. */
    d->filter1_hash = im->filter1_mask == 0 ? PCHASH_COUNT - 1 : im->filter1_hash;
    *self = d;
    return ST_OK;
}

static void value_destroy(void *self)
{
    struct value_driver *d = self;
    value_profile_fini(&d->profile);
    partitions_fini(&d->partitions);
    free(d->slots);
    free(d);
}

/* Adds the slots to the profile: those with samples, also if they were turned off since. */
static void copy_slots(struct value_driver *d)
{
    const struct value_places *at = &d->at;
    unsigned n = slots_read(d->env->bus, d->env->image, at->slots, SLOT_USED_BY_ROW, d->slots), known = value_profile_count(&d->profile);
    uint64_t records = d->run.records;
    for (unsigned i = 0; i < n; i++) {
        const struct slot *s = &d->slots[i];
        uint64_t total = slot_lane(s->row, at->total);
        if (total == 0)
            continue;
        value_profile_add(&d->profile, s->key, (uint32_t)slot_lane(s->row, at->value), slot_lane(s->row, at->hit),
                          slot_lane(s->row, at->miss), total);
        d->run.records++;
    }
    host_clock_work(d->env->clock, HOST_ROW, at->slots->count);
    host_clock_work(d->env->clock, HOST_UPDATE, d->run.records - records);
    host_clock_work(d->env->clock, HOST_INSERT, value_profile_count(&d->profile) - known);
}

/* Masks what is sufficiently known. Returns how many samples of this visit belong to masked loads; *open counts the other loads. */
static uint64_t mask_known(struct value_driver *d, unsigned *open)
{
    uint64_t settled = 0;
    *open = 0;
    for (struct value_load *l = d->profile.seen; l != NULL; l = l->next_seen) {
        host_clock_work(d->env->clock, HOST_JUDGE, 1);
        if (!l->masked && value_load_judge(l, &value_confidence_default)) {
            l->masked = true;
            d->profile.masked++;
            value_mask_set(&d->mask, l->pc32);
        }
        if (l->masked)
            settled += l->visit_total;
        else
            ++*open;
    }
    return settled;
}

static void change_hash_if_crowded(struct value_driver *d)
{
    if (d->profile.masked - d->masked_at_change < policy.masked_per_function)
        return;
    value_mask_next_function(&d->mask);
    for (const struct value_load *l = d->profile.loads; l != NULL; l = l->hh.next)
        if (l->masked)
            value_mask_set(&d->mask, l->pc32);
    host_clock_work(d->env->clock, HOST_UPDATE, d->profile.masked);
    d->masked_at_change = d->profile.masked;
    d->run.hash_changes++;
}

static double samples_per_cycle(const struct value_driver *d, double samples, uint64_t cycle)
{
    return cycle > d->start_cycle ? samples / (double)(cycle - d->start_cycle) : samples;
}

static void serve_copy(struct value_driver *d, uint64_t samples, uint64_t cycle)
{
    unsigned open;
    copy_slots(d);
    uint64_t settled = mask_known(d, &open);
    value_profile_end_visit(&d->profile);
    change_hash_if_crowded(d);
    double left = samples > settled ? (double)(samples - settled) : 0;
    if (open == 0 && left <= policy.finished_share * (double)samples)
        partitions_finish(&d->partitions);
    else
        partitions_leave(&d->partitions, samples_per_cycle(d, left, cycle));
}

static void serve_thrash(struct value_driver *d, uint64_t samples, uint64_t cycle)
{
    uint64_t replacements = (uint64_t)policy.thrash_factor * d->at.slots->count;
    if (samples >= policy.slow_factor * replacements)
        serve_copy(d, samples, cycle);
    else if (!partitions_split(&d->partitions, samples < policy.fast_factor * replacements ? 4 : 2))
        partitions_leave(&d->partitions, samples_per_cycle(d, (double)samples, cycle));
}

/* Arrays and counters start anew, for the current partition: a handful of stores beside those of the mask (section 3.5). Samples
 * in the buffer that another partition sent are dropped. */
static void restart(struct value_driver *d, uint64_t samples)
{
    const struct bus *bus = d->env->bus;
    const struct partition *p = partitions_current(&d->partitions);
    uint64_t filter1 = d->filter1, command = BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART;
    if (d->partitions.splits != 0)
        filter1 = p->mask | (uint64_t)p->match << 16 | (uint64_t)d->filter1_hash << 32;
    value_mask_flush(&d->mask, bus);
    if (filter1 != d->filter1) {
        bus_put(bus, BUS_FILTER1, filter1);
        d->filter1 = filter1;
        command |= BUS_DROP_SAMPLES;
    }
    for (unsigned w = 0; w < ISA_INDEXES / 4; w++)
        if (d->at.index_words >> w & 1)
            bus_put(bus, BUS_INDEXES + 8 * w, 0);
    d->start_processed += samples;
    bus_put(bus, BUS_COMMAND, command);
    d->start_cycle = d->env->clock->cycle;
}

static void value_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct value_driver *d = self;
    uint64_t samples = bus_get(d->env->bus, BUS_PROCESSED) - d->start_processed;
    if (word == d->at.thrash_word) {
        d->run.thrash++;
        serve_thrash(d, samples, cycle);
    } else {
        d->run.full++;
        serve_copy(d, samples, cycle);
    }
    if (partitions_next(&d->partitions)) {
        restart(d, samples);
        return;
    }
    d->run.complete = true;
    d->run.complete_cycle = cycle;
    bus_put(d->env->bus, BUS_COMMAND, BUS_HALT | BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_DROP_SAMPLES);
}

static void value_finish(void *self, uint64_t cycle)
{
    struct value_driver *d = self;
    (void)cycle;
    if (d->run.complete)
        return;
    copy_slots(d);
    value_profile_end_visit(&d->profile);
}

static void value_driver_report(void *self, struct report *r)
{
    struct value_driver *d = self;
    value_report(r, d->env, &d->profile, &d->run, &d->partitions);
}

const struct driver_ops value_driver_ops = {
    .program = "value",
    .create = value_create,
    .destroy = value_destroy,
    .interrupt = value_interrupt,
    .finish = value_finish,
    .report = value_driver_report,
};
