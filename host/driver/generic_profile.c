/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/generic_profile.h"

#include <math.h>

_Static_assert((int)IMAGE_LAYOUTS <= (int)PROGRAM_TABLES && (int)IMAGE_MEMBERS <= (int)PROGRAM_MEMBERS,
               "programprof.h: less room than an image has layouts or members");

/* The unit of the count of the reference to which a member corresponds; NULL: to none. */
static const char *generic_profile_unit_of(const struct image_layout *l, unsigned member)
{
    bool is_counted = l->exact != EXACT_NONE && slot_format_is_counter(l->member[member].format) &&
                      l->member[member].exact != EXACT_NONE;
    return is_counted ? exact_kinds[l->exact].count[l->member[member].exact].unit : NULL;
}

/* Whether the member counts the events that are sampled: those of the reference's first count. */
static bool is_event(const struct image_layout *l, unsigned member)
{
    return generic_profile_unit_of(l, member) != NULL &&
           exact_is_event((enum exact_reference)l->exact, l->member[member].exact);
}

/* The unit of the scored counts; NULL: the layout has no exact count. */
static const char *scored_unit(const struct image_layout *l)
{
    const char *first = NULL;
    for (unsigned m = 0; m < l->members; m++) {
        const char *unit = generic_profile_unit_of(l, m);
        if (is_event(l, m))
            return unit;
        first = first == NULL ? unit : first;
    }
    return first;
}

/* Counts that only the driver has scaled for drops have no interval: drops occur in bursts, so an instruction's share
 * of them is unknown. */
static void generic_profile_declare(struct program_table *t, const struct image_layout *l)
{
    bool is_known = t->score.reference != NULL,
         has_intervals = scored_unit(l) != NULL && t->is_scaled &&
                         (t->scale.counts_dropped || t->scale.period != 1 || t->scale.selects_singly);
    t->members = l->members;
    for (unsigned m = 0; m < l->members; m++) {
        const char *unit = generic_profile_unit_of(l, m);
        t->member[m] = (struct program_member){.name = l->member[m].name,
                                               .unit = unit,
                                               .format = l->member[m].format,
                                               .has_estimate = slot_format_is_counter(l->member[m].format),
                                               .has_interval = has_intervals && is_event(l, m),
                                               .has_exact = is_known && unit != NULL};
        t->member[m].exact = t->member[m].has_exact ? 0 : (double)NAN;
    }
}

/* Each of N events is delivered with probability 1 / period and then admitted with probability q. If an admitted
 * event counts `period` / q, the sum has the variance N (period / q - 1). If it counts by its weight, `period` times
 * a geometric variable with mean 1 / q, the variance is N (2 period / q - period - 1). A program that selects single
 * samples has another q between each two reads of its slots: the mean of 1 / q is weighted by the events. */
static struct interval interval_of(const struct program_scale *s, double estimate, double scaled, double square)
{
    double scale = s->counts_dropped ? 2 * s->thinned - s->period : s->thinned;
    if (s->selects_singly && scaled > 0)
        scale = s->period * square / scaled;
    return interval_of_thinned_found(estimate / scale, scale);
}

static struct program_number number_of(const struct program_table *t, const struct generic_rows *g,
                                       const struct generic_row *r, unsigned m)
{
    const struct image_layout *l = g->layout;
    const struct program_member *member = &t->member[m];
    struct program_number n = {
        .held = slot_format_value(member->format, r->member[m], isa_lanes[l->member[m].lane].width),
        .estimate = (double)NAN,
        .exact = member->has_exact ? 0 : (double)NAN};
    if (member->has_estimate)
        n.estimate = t->scale.period * generic_rows_correction(g, r) * r->scaled[m] / (is_event(l, m) ? l->parts : 1);
    if (member->has_interval)
        n.interval = interval_of(&t->scale, n.estimate, r->scaled[m], r->square[m]);
    return n;
}

static void fill_row(struct program_table *t, const struct generic_rows *g, const struct generic_row *r)
{
    const struct image_layout *l = g->layout;
    struct program_row *row = &t->row[r->at];
    row->key = l->key != FORMAT_NONE ? slot_format_value(t->key, r->identity.key, IMAGE_KEY_BITS) : r->identity.slot;
    for (unsigned m = 0; m < l->members; m++) {
        row->number[m] = number_of(t, g, r, m);
        t->member[m].estimated += t->member[m].has_estimate ? row->number[m].estimate : 0;
    }
}

void generic_profile_fill(struct program_table *t, struct generic_rows *g, const struct exact_source *exact,
                          struct program_scale scale)
{
    const struct image_layout *l = g->layout;
    *t = (struct program_table){.name = l->name,
                                .key = (uint8_t)slot_format_of_key(l->key),
                                .by_slot = g->by_slot,
                                .is_scaled = scale.thinned != 1 || l->parts != 1 || g->is_corrected,
                                .window = g->is_corrected ? g->window : 0,
                                .scale = scale,
                                .saturated = g->saturated};
    if (exact != NULL && scored_unit(l) != NULL)
        t->score = (struct program_score){.reference = &exact_kinds[l->exact], .unit = scored_unit(l)};
    generic_profile_declare(t, l);
    generic_rows_rank(g);
    program_table_make_rows(t, generic_rows_count(g));
    for (const struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        fill_row(t, g, r);
    if (t->score.reference != NULL)
        generic_score_fill(t, g, exact);
}
