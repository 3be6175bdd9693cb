/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values by address, summed by procedure, image or line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "tools/pcprof/gain.h"
#include "tools/pcprof/prof.h"

struct row_list {
    struct prof_row *row;
    size_t count, room;
};

/* The rows of one image that a key stands for: those of the addresses [start, end), and maybe others. */
struct key_range {
    uint32_t image;
    uint64_t start, end, key, procedure;
};

/* Limits the range to the procedure of its address. */
static void limit_to_procedure(struct key_range *r, const struct profile_symbol *s)
{
    r->procedure = s != NULL ? s->start : UINT64_MAX;
    if (s != NULL && s->start + s->size_bytes < r->end)
        r->end = s->start + s->size_bytes;
}

/* Key that distinguishes rows of one image. Code without a symbol is one row, as is code without a line. */
static struct key_range prof_rows_key_of(const struct prof *p, uint32_t image, uint64_t address)
{
    const struct profile_image *i = profile_image(p->profile, image);
    struct key_range r = {.image = image, .start = address, .end = address + 1, .key = UINT64_MAX};
    const struct profile_symbol *s;
    const struct profile_line *l;
    switch (p->by) {
    case PROF_BY_PROCEDURE:
        s = profile_find_symbol(i, address);
        if (s != NULL) {
            r.key = s->start;
            r.end = s->start + s->size_bytes;
        }
        break;
    case PROF_BY_LINE:
        l = profile_find_line(i, address);
        if (l != NULL)
            r.key = (uint64_t)l->file << 32 | l->line;
        if (l != NULL && l + 1 < i->line + i->lines)
            r.end = l[1].start;
        limit_to_procedure(&r, profile_find_symbol(i, address));
        break;
    case PROF_BY_INSTRUCTION:
        r.key = address;
        break;
    default:
        r.key = 0;
        r.end = UINT64_MAX;
    }
    return r;
}

void prof_join(const struct prof_column *c, double *sum, double value)
{
    *sum = c->is_gain ? fmax(*sum, value) : *sum + value;
}

double prof_sum(const struct prof *p, unsigned column, uint32_t image, uint64_t start, uint64_t end)
{
    const struct prof_column *c = &p->column[column];
    const double scale = profile_event(p->profile, c->event)->scale;
    double largest = 0;
    if (!c->is_gain)
        return profile_sum(p->profile, c->event, image, start, end) * scale;
    for (uint64_t at = start; (at = profile_next_address(p->profile, c->event, image, at, end)) < end; at++)
        largest = fmax(largest, profile_sum(p->profile, c->event, image, at, at + 1));
    return largest * scale;
}

/* Samples are in the order of their addresses, so most have the key of the one before. Numbers of samples are added,
 * not estimates, because their sums are exact. */
static double each_sample(const struct prof *p, const struct prof_column *c, uint32_t event, prof_see *see, void *ctx)
{
    double scale = profile_event(p->profile, event)->scale, all = 0;
    struct key_range range = {.image = PROF_UNKNOWN};
    size_t count;
    const struct profile_sample *s = profile_samples(p->profile, event, &count), *end = s + count;
    while (s < end) {
        if (s->image != range.image || s->address < range.start || s->address >= range.end)
            range = prof_rows_key_of(p, s->image, s->address);
        struct prof_row row = {
            .image = s->image, .key = range.key, .address = s->address, .procedure = range.procedure};
        double sum = 0;
        do
            prof_join(c, &sum, s->value);
        while (++s < end && s->image == range.image && s->address < range.end);
        see(ctx, &row, sum * scale);
        prof_join(c, &all, sum);
    }
    return all * scale;
}

double prof_each(const struct prof *p, unsigned column, bool exact, prof_see *see, void *ctx)
{
    uint32_t event = exact ? p->column[column].exact : p->column[column].event;
    if (event == PROFILE_NO_EVENT)
        return 0;
    const struct profile_event *e = profile_event(p->profile, event);
    double all = each_sample(p, &p->column[column], event, see, ctx);
    if (e->unplaced != 0)
        see(ctx, &(struct prof_row){.image = PROF_UNKNOWN}, e->unplaced * e->scale);
    return all + e->unplaced * e->scale;
}

/* Rows with the values of a column, to be merged. */
struct appending {
    struct row_list *list;
    unsigned column;
    bool exact;
};

static void prof_rows_append(void *ctx, const struct prof_row *key, double value)
{
    const struct appending *a = ctx;
    struct row_list *l = a->list;
    if (l->count == l->room) {
        l->room = 2 * l->room + 64;
        l->row = xrealloc(l->row, l->room * sizeof *l->row);
    }
    struct prof_row *added = &l->row[l->count++];
    *added = *key;
    *(a->exact ? &added->exact[a->column] : &added->value[a->column]) = value;
}

ORDER(by_key, struct prof_row, RISING(image) RISING(key) RISING(address))

/* By the estimates of the first column, which decide; then by those of the others. */
static int by_value(const void *a, const void *b)
{
    const struct prof_row *x = a, *y = b;
    for (unsigned c = 0; c < PROF_COLUMNS; c++)
        if (x->value[c] != y->value[c])
            return x->value[c] > y->value[c] ? -1 : 1;
    return by_key(a, b);
}

/* Adds the rows of one key; the first has the lowest address. */
static void prof_rows_merge(const struct prof *p, struct row_list *l)
{
    size_t kept = 0;
    qsort(l->row, l->count, sizeof *l->row, by_key);
    for (size_t n = 1; n < l->count; n++) {
        struct prof_row *last = &l->row[kept], *next = &l->row[n];
        if (last->image != next->image || last->key != next->key) {
            l->row[++kept] = *next;
            continue;
        }
        last->is_mixed |= last->procedure != next->procedure;
        for (unsigned c = 0; c < p->columns; c++) {
            prof_join(&p->column[c], &last->value[c], next->value[c]);
            prof_join(&p->column[c], &last->exact[c], next->exact[c]);
        }
    }
    l->count = kept + 1;
}

/* The share of the estimate in wrong rows: half the sum of the differences between the shares. */
static void prof_rows_compare(struct prof_column *c, unsigned column, const struct prof_row *row, size_t count)
{
    double different = 0;
    for (size_t n = 0; n < count; n++)
        different += fabs(row[n].value[column] / c->estimate - row[n].exact[column] / c->exact_sum);
    const bool has_shares = !c->is_gain && c->exact != PROFILE_NO_EVENT && c->estimate > 0 && c->exact_sum > 0;
    c->misplaced = has_shares ? different / 2 : (double)NAN;
}

struct prof_row *prof_rows(struct prof *p, size_t *count)
{
    struct row_list l = {0};
    for (unsigned c = 0; c < p->columns; c++) {
        p->column[c].is_gain = pcprof_gain_is_event(profile_event(p->profile, p->column[c].event));
        p->column[c].estimate = prof_each(p, c, false, prof_rows_append, &(struct appending){&l, c, false});
        p->column[c].exact_sum = prof_each(p, c, true, prof_rows_append, &(struct appending){&l, c, true});
    }
    if (l.count > 0) {
        prof_rows_merge(p, &l);
        qsort(l.row, l.count, sizeof *l.row, by_value);
    }
    for (unsigned c = 0; c < p->columns; c++)
        prof_rows_compare(&p->column[c], c, l.row, l.count);
    *count = l.count;
    return l.row;
}
