/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The samples of several events side by side, by merging their sorted lists. */
#include "host/export/rows.h"

#include <stdbool.h>
#include <stdlib.h>

/* Position in the samples of an event. */
struct export_cursor {
    const struct profile_sample *sample;
    size_t count, at;
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
        value[n] = 0;
        if (c->at == c->count || is_before(place, &c->sample[c->at]))
            continue;
        value[n] = export_number(p, events->event[n], c->sample[c->at++].value);
        any = any || value[n] > 0;
    }
    return any;
}

void export_rows_make(struct export_rows *rows, const struct profile *p, const struct export_events *events)
{
    struct export_cursor *cursor = xcalloc(events->count + 1, sizeof *cursor);
    const struct profile_sample *place;
    size_t room = 0;
    for (size_t n = 0; n < events->count; n++) {
        cursor[n].sample = profile_samples(p, events->event[n], &cursor[n].count);
        room += cursor[n].count;
    }
    *rows = (struct export_rows){.row = xcalloc(room + 1, sizeof *rows->row),
                                 .values = xcalloc((room + 1) * (events->count + 1), sizeof *rows->values)};
    while ((place = first(cursor, events->count)) != NULL) {
        struct export_row r = {place->image, place->address, &rows->values[rows->count * events->count]};
        if (take(p, events, cursor, place, r.value))
            rows->row[rows->count++] = r;
    }
    free(cursor);
}

void export_rows_free(struct export_rows *rows)
{
    free(rows->row);
    free(rows->values);
}
