/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of several events by address, side by side, by merging their sorted lists. */
#include "host/export/rows.h"

#include <stdbool.h>
#include <stdlib.h>

/* Position in the samples of an event. */
struct export_cursor {
    const struct profile_sample *sample;
    size_t count, at;
    struct profile_sample *innermost; /* samples made of stacks, or NULL */
};

static bool is_before(const struct profile_sample *a, const struct profile_sample *b)
{
    return a->image != b->image ? a->image < b->image : a->address < b->address;
}

/* The first sample of all cursors; NULL at the end. */
static const struct profile_sample *first(const struct export_cursor *cursor, size_t count)
{
    const struct profile_sample *found = NULL;
    for (size_t n = 0; n < count; n++) {
        const struct export_cursor *c = &cursor[n];
        if (c->at < c->count && (found == NULL || is_before(&c->sample[c->at], found)))
            found = &c->sample[c->at];
    }
    return found;
}

/* Takes the row of the first sample's place; returns whether a value is not zero. */
static bool take(const struct profile *p, const struct export_events *events, struct export_cursor *cursor,
                 const struct profile_sample *place, uint64_t *value)
{
    bool any = false;
    for (size_t n = 0; n < events->count; n++) {
        struct export_cursor *c = &cursor[n];
        double sum = 0;
        while (c->at < c->count && !is_before(place, &c->sample[c->at]))
            sum += c->sample[c->at++].value;
        value[n] = export_number(p, events->event[n], sum);
        any = any || value[n] > 0;
    }
    return any;
}

static int compare(const void *a, const void *b) { return is_before(a, b) ? -1 : is_before(b, a); }

/* The stacks of an event without samples, as samples of their innermost frames. */
static void take_innermost(struct export_cursor *c, const struct profile *p, uint32_t event)
{
    size_t stacks;
    const struct profile_stack *stack = profile_stacks(p, event, &stacks);
    c->innermost = xcalloc(stacks + 1, sizeof *c->innermost);
    c->sample = c->innermost;
    for (size_t n = 0; n < stacks; n++)
        if (stack[n].depth > 0)
            c->innermost[c->count++] = (struct profile_sample){stack[n].frame[0].image, stack[n].frame[0].address,
                                                               stack[n].value};
    qsort(c->innermost, c->count, sizeof *c->innermost, compare);
}

void export_rows_make(struct export_rows *rows, const struct profile *p, const struct export_events *events)
{
    struct export_cursor *cursor = xcalloc(events->count + 1, sizeof *cursor);
    const struct profile_sample *place;
    size_t room = 0;
    for (size_t n = 0; n < events->count; n++) {
        cursor[n].sample = profile_samples(p, events->event[n], &cursor[n].count);
        if (cursor[n].count == 0)
            take_innermost(&cursor[n], p, events->event[n]);
        room += cursor[n].count;
    }
    *rows = (struct export_rows){.row = xcalloc(room + 1, sizeof *rows->row),
                                 .values = xcalloc((room + 1) * (events->count + 1), sizeof *rows->values)};
    while ((place = first(cursor, events->count)) != NULL) {
        struct export_row r = {place->image, place->address, &rows->values[rows->count * events->count]};
        if (take(p, events, cursor, place, r.value))
            rows->row[rows->count++] = r;
    }
    for (size_t n = 0; n < events->count; n++)
        free(cursor[n].innermost);
    free(cursor);
}

void export_rows_free(struct export_rows *rows)
{
    free(rows->row);
    free(rows->values);
}
