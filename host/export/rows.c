/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of several events by address, side by side, by merging their sorted lists. */
#include "host/export/rows.h"

#include <stdlib.h>

#include "base/order.h"
#include "host/export/frame.h"
#include "host/export/unknown.h"

/* Position in the samples of an event. */
struct export_cursor {
    const struct profile_sample *sample;
    size_t count, at;
    struct profile_sample *innermost; /* samples made of stacks, or NULL */
    struct export_rounding rounding;
    bool by_function;
};

/* Key common to the values of a row. */
struct export_key {
    uint32_t image;
    uint64_t address;
    bool is_function;
};

static bool export_rows_is_before(const struct export_key *a, const struct export_key *b)
{
    if (a->image != b->image)
        return a->image < b->image;
    return a->address != b->address ? a->address < b->address : a->is_function < b->is_function;
}

static struct export_key export_rows_key_of(const struct export_cursor *c)
{
    return (struct export_key){c->sample[c->at].image, c->sample[c->at].address, c->by_function};
}

/* Finds the first place of all cursors; returns false at the end. */
static bool first(const struct export_cursor *cursor, size_t count, struct export_key *found)
{
    bool any = false;
    for (size_t n = 0; n < count; n++) {
        if (cursor[n].at == cursor[n].count)
            continue;
        struct export_key key = export_rows_key_of(&cursor[n]);
        if (!any || export_rows_is_before(&key, found))
            *found = key;
        any = true;
    }
    return any;
}

/* Returns whether the next sample of a cursor is at a place, which is not behind it. */
static bool export_rows_is_at(const struct export_cursor *c, const struct export_key *place)
{
    if (c->at == c->count)
        return false;
    struct export_key key = export_rows_key_of(c);
    return !export_rows_is_before(place, &key);
}

/* Takes the row of the first place; returns whether a value is not zero. */
static bool export_rows_take(const struct profile *p, const struct export_events *events, struct export_cursor *cursor,
                             const struct export_key *place, uint64_t *value)
{
    bool any = false;
    for (size_t n = 0; n < events->count; n++) {
        struct export_cursor *c = &cursor[n];
        double sum = 0;
        while (export_rows_is_at(c, place))
            sum += c->sample[c->at++].value;
        value[n] = export_round(&c->rounding, p, events->event[n], sum);
        any = any || value[n] > 0;
    }
    return any;
}

ORDER(export_rows_compare, struct profile_sample, RISING(image) RISING(address))

/* The stacks of an event without samples, as samples of their innermost frames. */
static void take_innermost(struct export_cursor *c, const struct profile *p, uint32_t event)
{
    size_t stacks;
    const struct profile_stack *stack = profile_stacks(p, event, &stacks);
    c->innermost = xcalloc(stacks + 1, sizeof *c->innermost);
    c->sample = c->innermost;
    for (size_t n = 0; n < stacks; n++) {
        const uint32_t frame = stack[n].frame;
        const struct profile_place at = frame != 0 ? profile_frame(p, frame)->at : export_unknown_place(p);
        c->innermost[c->count++] = (struct profile_sample){at.image, at.address, stack[n].value};
    }
    qsort(c->innermost, c->count, sizeof *c->innermost, export_rows_compare);
}

void export_rows_make(struct export_rows *rows, const struct profile *p, const struct export_events *events)
{
    struct export_cursor *cursor = xcalloc(events->count + 1, sizeof *cursor);
    struct export_key place;
    size_t room = 0;
    for (size_t n = 0; n < events->count; n++) {
        cursor[n].by_function = export_is_by_function(p, events->event[n]);
        cursor[n].sample = profile_samples(p, events->event[n], &cursor[n].count);
        if (cursor[n].count == 0)
            take_innermost(&cursor[n], p, events->event[n]);
        room += cursor[n].count;
    }
    *rows = (struct export_rows){.row = xcalloc(room + 1, sizeof *rows->row),
                                 .values = xcalloc((room + 1) * (events->count + 1), sizeof *rows->values)};
    while (first(cursor, events->count, &place)) {
        struct export_row r = {place.image, place.is_function, place.address,
                               &rows->values[rows->count * events->count]};
        if (export_rows_take(p, events, cursor, &place, r.value))
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
