/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging of slots by identity. */
#include "host/driver/generic_rows.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"

/* The members, as bits, of which a word tests whether the lane is full: such a program has the slots read before a
 * count is lost. */
static unsigned tested_members(const struct image *im, const struct image_layout *l)
{
    unsigned tested = 0;
    for (unsigned w = 0; w < im->words; w++) {
        struct uop u;
        isa_decode(im->word[w], &u);
        for (unsigned m = 0; m < l->members; m++)
            if ((u.data == DATA_INC || u.data == DATA_ADD) && u.base == l->base && u.lane == l->member[m].lane &&
                u.cond == COND_FULL)
                tested |= 1u << m;
    }
    return tested;
}

static bool has_span(const struct image_layout *l)
{
    for (unsigned m = 0; m < l->members; m++)
        if (l->member[m].format == FORMAT_SPAN)
            return true;
    return false;
}

static bool any_has_span(const struct image *im)
{
    for (unsigned i = 0; i < im->layouts; i++)
        if (has_span(&im->layout[i]))
            return true;
    return false;
}

void generic_rows_init(struct generic_rows *g, const struct image *im, const struct image_layout *layout)
{
    *g = (struct generic_rows){.layout = layout,
                               .by_slot = layout->key == FORMAT_NONE,
                               .tested = tested_members(im, layout),
                               .events = IMAGE_MEMBERS,
                               .span = IMAGE_MEMBERS,
                               .window = image_window(im)};
    g->is_corrected = g->window != 0 && (has_span(layout) || !any_has_span(im));
    for (unsigned m = layout->members; m-- > 0;) {
        if (slot_format_is_identity(layout->member[m].format))
            g->by_slot = false;
        if (layout->member[m].format == FORMAT_COUNT)
            g->events = m;
        if (layout->member[m].format == FORMAT_SPAN)
            g->span = m;
    }
}

void generic_rows_fini(struct generic_rows *g)
{
    struct generic_row *r, *next;
    HASH_ITER (hh, g->rows, r, next) {
        HASH_DEL(g->rows, r);
        free(r);
    }
}

/* Merges two values of a member; `b` was read later. */
static uint64_t driver_generic_rows_merge(unsigned format, uint64_t a, uint64_t b)
{
    switch (slot_format_merge(format)) {
    case MERGE_ADD:
        return a + b;
    case MERGE_LARGER:
        return a > b ? a : b;
    case MERGE_SMALLER:
        return a < b ? a : b;
    case MERGE_IDENTITY: /* both are equal */
    case MERGE_LAST:
        break;
    }
    return b;
}

static void generic_rows_add_row(struct generic_rows *g, const struct generic_row *row)
{
    const struct image_layout *l = g->layout;
    struct generic_row *found = generic_rows_find(g, &row->identity);
    if (found == NULL) {
        found = xmalloc(sizeof *found);
        *found = *row;
        HASH_ADD(hh, g->rows, identity, sizeof found->identity, found);
        return;
    }
    for (unsigned m = 0; m < l->members; m++) {
        found->member[m] = driver_generic_rows_merge(l->member[m].format, found->member[m], row->member[m]);
        found->scaled[m] += row->scaled[m];
        found->square[m] += row->square[m];
    }
}

void generic_rows_merge(struct generic_rows *g, const struct generic_rows *other)
{
    for (const struct generic_row *r = other->rows; r != NULL; r = r->hh.next)
        generic_rows_add_row(g, r);
    g->saturated += other->saturated;
}

static bool is_saturated(const struct generic_rows *g, unsigned member, uint64_t held)
{
    const struct image_layout *l = g->layout;
    return slot_format_is_counter(l->member[member].format) && !(g->tested >> member & 1) &&
           held == UINT64_MAX >> (64 - isa_lanes[l->member[member].lane].width);
}

void generic_rows_add(struct generic_rows *g, const struct slot_copy *s, double stands_for)
{
    const struct image_layout *l = g->layout;
    struct generic_row row = {.identity = {.slot = g->by_slot ? s->index : 0, .key = s->key}};
    if (l->key == FORMAT_PCX)
        row.identity.key = slot_pcx_apart(s->key, isa_lane_of(s->row, l->member[0].lane),
                                          isa_lanes[l->member[0].lane].width);
    for (unsigned m = 0; m < l->members; m++) {
        row.member[m] = isa_lane_of(s->row, l->member[m].lane);
        row.scaled[m] = slot_format_is_counter(l->member[m].format) ? stands_for * (double)row.member[m] : 0;
        row.square[m] = stands_for * row.scaled[m];
        row.identity.member[m] = slot_format_is_identity(l->member[m].format) ? row.member[m] : 0;
        g->saturated += is_saturated(g, m, row.member[m]);
    }
    generic_rows_add_row(g, &row);
}

struct generic_row *generic_rows_find(const struct generic_rows *g, const struct generic_identity *identity)
{
    struct generic_row *found;
    /* All bytes of an identity are written. */
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
    HASH_FIND(hh, g->rows, identity, sizeof *identity, found);
    return found;
}

unsigned generic_rows_count(const struct generic_rows *g) { return HASH_COUNT(g->rows); }

double generic_rows_correction(const struct generic_rows *g, const struct generic_row *r)
{
    double distance = 1;
    if (!g->is_corrected || g->events == IMAGE_MEMBERS)
        return 1;
    if (g->span != IMAGE_MEMBERS && r->member[g->events] != 0)
        distance = (double)r->member[g->span] / (double)r->member[g->events];
    return g->window / (g->window - fmin(distance, g->window - 1));
}

struct generic_rows_ranked {
    double largest; /* largest estimate of the row; without counting members, its largest member */
    struct generic_row *row;
};

static bool has_counts(const struct image_layout *l)
{
    for (unsigned m = 0; m < l->members; m++)
        if (slot_format_is_counter(l->member[m].format))
            return true;
    return false;
}

static double largest(const struct generic_rows *g, const struct generic_row *r, bool counts)
{
    const struct image_layout *l = g->layout;
    const double correction = generic_rows_correction(g, r);
    double n = 0;
    for (unsigned m = 0; m < l->members; m++) {
        enum slot_merge merged = slot_format_merge(l->member[m].format);
        if (counts && merged == MERGE_ADD)
            n = fmax(n, correction * r->scaled[m]);
        else if (!counts && (merged == MERGE_LARGER || merged == MERGE_SMALLER))
            n = fmax(n, (double)r->member[m]);
    }
    return n;
}

static int compare_identities(const struct generic_identity *x, const struct generic_identity *y)
{
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    for (unsigned m = 0; m < IMAGE_MEMBERS; m++)
        if (x->member[m] != y->member[m])
            return x->member[m] < y->member[m] ? -1 : 1;
    return 0;
}

static int generic_rows_compare_ranked(const void *a, const void *b)
{
    const struct generic_rows_ranked *x = a, *y = b;
    if (x->largest != y->largest)
        return x->largest > y->largest ? -1 : 1;
    return compare_identities(&x->row->identity, &y->row->identity);
}

void generic_rows_rank(struct generic_rows *g)
{
    unsigned n = generic_rows_count(g), i = 0;
    bool counts = has_counts(g->layout);
    struct generic_rows_ranked *ranked = xcalloc(n, sizeof *ranked);
    for (struct generic_row *r = g->rows; r != NULL; r = r->hh.next)
        ranked[i++] = (struct generic_rows_ranked){.largest = largest(g, r, counts), .row = r};
    if (n != 0)
        qsort(ranked, n, sizeof *ranked, generic_rows_compare_ranked);
    for (i = 0; i < n; i++)
        ranked[i].row->at = i;
    free(ranked);
}
