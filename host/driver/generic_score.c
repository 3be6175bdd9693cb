/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/driver/generic_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "isa/sample.h"

bool generic_is_counted(const struct image_layout *l, unsigned member)
{
    return l->exact != EXACT_NONE && l->member[member].format == FORMAT_COUNT && l->member[member].exact != EXACT_NONE;
}

bool generic_is_event(const struct image_layout *l, unsigned member)
{
    return generic_is_counted(l, member) && exact_is_event((enum exact_reference)l->exact, l->member[member].exact);
}

/* The first member whose count has the unit of the reference's first count; else the first one with an exact count;
 * else IMAGE_MEMBERS. */
static unsigned first_scored(const struct image_layout *l)
{
    unsigned first = IMAGE_MEMBERS;
    for (unsigned m = 0; m < l->members; m++) {
        if (generic_is_event(l, m))
            return m;
        if (first == IMAGE_MEMBERS && generic_is_counted(l, m))
            first = m;
    }
    return first;
}

static const char *generic_score_unit_of(const struct image_layout *l, unsigned member)
{
    return exact_kinds[l->exact].count[l->member[member].exact].unit;
}

const char *generic_scored_unit(const struct image_layout *l)
{
    unsigned first = first_scored(l);
    return first != IMAGE_MEMBERS ? generic_score_unit_of(l, first) : NULL;
}

bool generic_is_scored(const struct image_layout *l, unsigned member)
{
    return generic_is_counted(l, member) && strcmp(generic_score_unit_of(l, member), generic_scored_unit(l)) == 0;
}

double generic_estimate(double period, const struct image_layout *l, const struct generic_row *r, unsigned member)
{
    double parts = generic_is_event(l, member) ? l->parts : 1;
    return period * r->scaled[member] / parts;
}

/* The profile's row that corresponds to a row of the reference; NULL: there is none. */
static struct generic_row *generic_score_find_row(const struct generic_rows *g, const struct exact_row *exact)
{
    const struct image_layout *l = g->layout;
    struct generic_identity identity = {0};
    if (l->key != FORMAT_NONE)
        identity.key = slot_format_held(slot_format_of_key(l->key), exact->key[l->key_exact], IMAGE_KEY_BITS);
    for (unsigned m = 0; m < l->members; m++)
        if (slot_format_is_identity(l->member[m].format))
            identity.member[m] = slot_format_held(l->member[m].format, exact->key[l->member[m].exact],
                                                  isa_lanes[l->member[m].lane].width);
    return generic_rows_find(g, &identity);
}

/* Whether the profile's row has scored events. */
static bool has_events(const struct image_layout *l, const struct generic_row *r)
{
    uint64_t n = 0;
    for (unsigned m = 0; m < l->members; m++)
        n |= generic_is_scored(l, m) ? r->member[m] : 0;
    return n != 0;
}

static void score_exact(struct generic_score *s, const struct generic_rows *g, const struct exact_row *exact)
{
    const struct image_layout *l = g->layout;
    struct generic_row *row = generic_score_find_row(g, exact);
    uint64_t events = 0;
    for (unsigned m = 0; m < l->members; m++) {
        if (!generic_is_counted(l, m))
            continue;
        uint64_t n = exact->count[l->member[m].exact];
        s->count[m].exact += n;
        events += generic_is_scored(l, m) ? n : 0;
        if (row != NULL)
            row->exact[m] += n;
    }
    s->rows += events != 0;
    s->events += events;
    if (row == NULL)
        return;
    s->rows_profiled += events != 0 && has_events(l, row);
    s->events_profiled += has_events(l, row) ? events : 0;
}

/* The minimum of the shares part / all and exact / exact_all; 0 if either total is 0. */
static double smaller_share(double part, double all, double exact, double exact_all)
{
    return all == 0 || exact_all == 0 ? 0 : fmin(part / all, exact / exact_all);
}

/* Without events neither in the profile nor in the reference nothing is misplaced. */
static double generic_score_error_of(double agreement, double estimated, uint64_t exact)
{
    return estimated == 0 && exact == 0 ? 0 : fmax(0, 1 - agreement);
}

/* Agreement of the profile with the reference, over all scored events and per count: sums of the minimum of both
 * shares. */
static void score_agreement(struct generic_score *s, const struct generic_rows *g, double events)
{
    const struct image_layout *l = g->layout;
    double all = 0, each[IMAGE_MEMBERS] = {0};
    for (const struct generic_row *r = g->rows; r != NULL; r = r->hh.next) {
        uint64_t exact = 0;
        double estimated = 0;
        for (unsigned m = 0; m < l->members; m++) {
            if (!generic_is_counted(l, m))
                continue;
            double n = generic_estimate(s->period, l, r, m), o = (double)r->exact[m];
            each[m] += smaller_share(n, s->count[m].estimated, o, (double)s->count[m].exact);
            if (!generic_is_scored(l, m))
                continue;
            all += smaller_share(n, events, o, (double)s->events);
            estimated += n;
            exact += r->exact[m];
        }
        s->rows_false += estimated != 0 && exact == 0;
    }
    s->error = generic_score_error_of(all, events, s->events);
    for (unsigned m = 0; m < l->members; m++)
        s->count[m].error = generic_score_error_of(each[m], s->count[m].estimated, s->count[m].exact);
}

void generic_score_init(struct generic_score *s, struct generic_rows *g, const struct exact_source *exact,
                        double period)
{
    const struct image_layout *l = g->layout;
    struct exact_row *rows;
    double events = 0;
    *s = (struct generic_score){.period = period};
    for (struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        for (unsigned m = 0; m < l->members; m++) {
            r->exact[m] = 0;
            if (!generic_is_counted(l, m))
                continue;
            s->count[m].estimated += generic_estimate(s->period, l, r, m);
            events += generic_is_scored(l, m) ? generic_estimate(s->period, l, r, m) : 0;
        }
    size_t n = exact->rows(exact->ctx, &rows);
    for (size_t i = 0; i < n; i++)
        score_exact(s, g, &rows[i]);
    free(rows);
    score_agreement(s, g, events);
}
