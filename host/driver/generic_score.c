/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison of a layout's rows with the exact reference that the layout names (contract/exact.def). */
#include "host/driver/generic_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_scored(const struct program_table *t, unsigned member)
{
    return t->member[member].has_exact && strcmp(t->member[member].unit, t->score.unit) == 0;
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
static bool has_events(const struct program_table *t, const struct program_row *r)
{
    uint64_t n = 0;
    for (unsigned m = 0; m < t->members; m++)
        n |= is_scored(t, m) ? r->number[m].held : 0;
    return n != 0;
}

static void score_exact(struct program_table *t, const struct generic_rows *g, const struct exact_row *exact)
{
    const struct generic_row *found = generic_score_find_row(g, exact);
    struct program_row *row = found != NULL ? &t->row[found->at] : NULL;
    uint64_t events = 0;
    for (unsigned m = 0; m < t->members; m++) {
        if (!t->member[m].has_exact)
            continue;
        uint64_t n = exact->count[g->layout->member[m].exact];
        t->member[m].exact += (double)n;
        events += is_scored(t, m) ? n : 0;
        if (row != NULL)
            row->number[m].exact += (double)n;
    }
    t->score.rows += events != 0;
    t->score.events += events;
    if (row == NULL)
        return;
    t->score.rows_profiled += events != 0 && has_events(t, row);
    t->score.events_profiled += has_events(t, row) ? events : 0;
}

/* The minimum of the shares part / all and exact / exact_all; 0 if either total is 0. */
static double smaller_share(double part, double all, double exact, double exact_all)
{
    return all == 0 || exact_all == 0 ? 0 : fmin(part / all, exact / exact_all);
}

/* Without events neither in the profile nor in the reference nothing is misplaced. */
static double generic_score_error_of(double agreement, double estimated, double exact)
{
    return estimated == 0 && exact == 0 ? 0 : fmax(0, 1 - agreement);
}

/* Adds the agreement of a row with the reference, the minima of both shares, per count to `each`, and over all scored
 * events, of which `events` are estimated, to `all`. Sets the error of the row. */
static void score_row(struct program_table *t, struct program_row *r, double events, double each[], double *all)
{
    double estimated = 0, exact = 0;
    for (unsigned m = 0; m < t->members; m++) {
        const struct program_number *n = &r->number[m];
        if (!t->member[m].has_exact)
            continue;
        each[m] += smaller_share(n->estimate, t->member[m].estimated, n->exact, t->member[m].exact);
        if (!is_scored(t, m))
            continue;
        *all += smaller_share(n->estimate, events, n->exact, (double)t->score.events);
        t->score.events_seen += n->held;
        estimated += n->estimate;
        exact += n->exact;
    }
    t->score.rows_false += estimated != 0 && exact == 0;
    if (exact != 0)
        r->error = (estimated - exact) / exact;
}

static void score_agreement(struct program_table *t, const struct generic_rows *g)
{
    double events = 0, all = 0, each[PROGRAM_MEMBERS] = {0};
    for (const struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        for (unsigned m = 0; m < t->members; m++)
            events += is_scored(t, m) ? t->row[r->at].number[m].estimate : 0;
    for (const struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        score_row(t, &t->row[r->at], events, each, &all);
    t->score.error = generic_score_error_of(all, events, (double)t->score.events);
    for (unsigned m = 0; m < t->members; m++)
        if (t->member[m].has_exact)
            t->member[m].error = generic_score_error_of(each[m], t->member[m].estimated, t->member[m].exact);
}

void generic_score_fill(struct program_table *t, const struct generic_rows *g, const struct exact_source *exact)
{
    struct exact_row *rows;
    size_t n = exact->rows(exact->ctx, &rows);
    for (size_t i = 0; i < n; i++)
        score_exact(t, g, &rows[i]);
    free(rows);
    score_agreement(t, g);
}
