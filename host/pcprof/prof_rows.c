/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values by address, summed by procedure, image or line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/pcprof/prof.h"

struct row_list {
    struct prof_row *row;
    size_t count, room;
};

/* What distinguishes rows of one image. Code without a symbol is one row, as is code without a line. */
static uint64_t key_of(const struct prof *p, uint32_t image, uint64_t address)
{
    const struct profile_image *i = profile_image(p->profile, image);
    const struct profile_symbol *s;
    const struct profile_line *l;
    switch (p->by) {
    case PROF_BY_PROCEDURE:
        s = profile_find_symbol(i, address);
        return s != NULL ? s->start : UINT64_MAX;
    case PROF_BY_LINE:
        l = profile_find_line(i, address);
        return l != NULL ? (uint64_t)l->file << 32 | l->line : UINT64_MAX;
    case PROF_BY_INSTRUCTION:
        return address;
    default:
        return 0;
    }
}

/* Appends a row with one value. Neighbouring addresses usually have one key: their values go to one row at once. */
static void append(struct row_list *l, const struct prof_row *key, unsigned column, bool exact, double value)
{
    struct prof_row *last = l->count > 0 ? &l->row[l->count - 1] : NULL;
    if (last == NULL || last->image != key->image || last->key != key->key) {
        if (l->count == l->room) {
            l->room = 2 * l->room + 64;
            l->row = xrealloc(l->row, l->room * sizeof *l->row);
        }
        last = &l->row[l->count++];
        *last = *key;
    }
    *(exact ? &last->exact[column] : &last->value[column]) += value;
}

static void append_event(const struct prof *p, struct row_list *l, unsigned column, bool exact)
{
    uint32_t event = exact ? p->column[column].exact : p->column[column].event;
    if (event == PROFILE_NO_EVENT)
        return;
    const struct profile_event *e = profile_event(p->profile, event);
    size_t count;
    const struct profile_sample *s = profile_samples(p->profile, event, &count);
    for (size_t n = 0; n < count; n++)
        append(l,
               &(struct prof_row){
                   .image = s[n].image, .key = key_of(p, s[n].image, s[n].address), .address = s[n].address},
               column, exact, s[n].value * e->scale);
    if (e->unplaced != 0)
        append(l, &(struct prof_row){.image = PROF_UNKNOWN}, column, exact, e->unplaced * e->scale);
}

static int by_key(const void *a, const void *b)
{
    const struct prof_row *x = a, *y = b;
    if (x->image != y->image)
        return x->image < y->image ? -1 : 1;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

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
static void merge(struct row_list *l)
{
    size_t kept = 0;
    qsort(l->row, l->count, sizeof *l->row, by_key);
    for (size_t n = 1; n < l->count; n++) {
        struct prof_row *last = &l->row[kept], *next = &l->row[n];
        if (last->image != next->image || last->key != next->key) {
            l->row[++kept] = *next;
            continue;
        }
        for (unsigned c = 0; c < PROF_COLUMNS; c++) {
            last->value[c] += next->value[c];
            last->exact[c] += next->exact[c];
        }
    }
    l->count = kept + 1;
}

/* The share of the estimate in wrong rows: half the sum of the differences between the shares. */
static void compare(struct prof_column *c, unsigned column, const struct prof_row *row, size_t count)
{
    double different = 0;
    for (size_t n = 0; n < count; n++) {
        c->estimate += row[n].value[column];
        c->exact_sum += row[n].exact[column];
    }
    for (size_t n = 0; n < count; n++)
        different += fabs(row[n].value[column] / c->estimate - row[n].exact[column] / c->exact_sum);
    c->misplaced = c->exact != PROFILE_NO_EVENT && c->estimate > 0 && c->exact_sum > 0 ? different / 2 : (double)NAN;
}

struct prof_row *prof_rows(struct prof *p, size_t *count)
{
    struct row_list l = {0};
    for (unsigned c = 0; c < p->columns; c++) {
        append_event(p, &l, c, false);
        append_event(p, &l, c, true);
    }
    if (l.count > 0) {
        merge(&l);
        qsort(l.row, l.count, sizeof *l.row, by_value);
    }
    for (unsigned c = 0; c < p->columns; c++)
        compare(&p->column[c], c, l.row, l.count);
    *count = l.count;
    return l.row;
}
