/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples, edges and stacks of a selection. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "host/store/load.h"

/* The rows of a table: `places` are the columns before the value. */
struct rows {
    const char *table, *places;
};
static const struct rows samples = {"sample", "image, address"}, procedures = {"procedure_sample", "image, start"},
                         edges = {"edge", "from_image, from_address, to_image, to_address"},
                         stacks = {"stack", "frame"};

static const struct rows *sample_rows(const struct store_loader *l)
{
    return l->parts & STORE_PROCEDURES && l->selection->epoch == NULL ? &procedures : &samples;
}

/* The rows of an event: its places, value and, of mixed ones, estimate; a place can have several. The caller frees the
 * statement. */
static struct statement rows_of(struct store_loader *l, const struct store_loader_event *e, const struct rows *r)
{
    char *sql = l->selection->epoch != NULL
                    ? xasprintf("SELECT %s, value, estimate FROM epoch_%s WHERE epoch_event = ?1", r->places, r->table)
                    : xasprintf("SELECT %s, value, %s FROM selected "
                                "JOIN series ON series.run = selected.run AND series.event = ?1 "
                                "JOIN %s ON %s.series = series.id",
                                r->places, e->mixed ? "value * scale" : "NULL", r->table, r->table);
    struct statement q = loader_statement(l, sql);
    free(sql);
    statement_bind_int(&q, 1, l->selection->epoch != NULL ? e->epoch_event : e->event);
    return q;
}

static double store_load_values_value_of(struct store_loader *l, const struct statement *q, int column,
                                         const struct store_loader_event *e)
{
    double value = e->mixed ? statement_real(q, column + 1) / e->scale : statement_real(q, column);
    if (!(fabs(value) < LOADER_LIMIT))
        loader_refuse(l, "%s: event %s: expected values below %g, found %g", l->store->path,
                      profile_event(l->profile, e->number)->name, LOADER_LIMIT, value);
    return value;
}

void loader_mean_scale(struct store_loader *l, struct store_loader_event *e)
{
    double value = 0, estimate = 0;
    struct statement q = rows_of(l, e, sample_rows(l));
    while (loader_row(l, &q)) {
        value += statement_real(&q, 2);
        estimate += statement_real(&q, 3);
    }
    loader_end(l, &q);
    if (value > 0 && estimate > 0)
        e->scale = estimate / value;
    if (!(e->scale > 0 && e->scale < LOADER_LIMIT)) /* no sample has a value: that of any scale is 0 */
        e->scale = 1;
}

static void load_samples(struct store_loader *l, const struct store_loader_event *e)
{
    struct statement q = rows_of(l, e, sample_rows(l));
    while (loader_row(l, &q))
        profile_add_sample(l->profile, e->number,
                           (struct profile_sample){.image = loader_image(l, statement_int(&q, 0)),
                                                   .address = (uint64_t)statement_int(&q, 1),
                                                   .value = store_load_values_value_of(l, &q, 2, e)});
    loader_end(l, &q);
}

static void load_edges(struct store_loader *l, const struct store_loader_event *e)
{
    struct statement q = rows_of(l, e, &edges);
    while (loader_row(l, &q))
        profile_add_edge(l->profile, e->number,
                         (struct profile_edge){.from_image = loader_image(l, statement_int(&q, 0)),
                                               .from = (uint64_t)statement_int(&q, 1),
                                               .to_image = loader_image(l, statement_int(&q, 2)),
                                               .to = (uint64_t)statement_int(&q, 3),
                                               .value = store_load_values_value_of(l, &q, 4, e)});
    loader_end(l, &q);
}

/* An index register of the co-processor has 16 bits, so no call path of callstack.pc has more. */
enum { MAX_FRAMES = 1 << 16 };

/* Reads the frames from an innermost one outwards into *frame, which grows to *room; returns their number. */
static size_t load_frames(struct store_loader *l, struct statement *q, int64_t id, struct profile_frame **frame,
                          size_t *room)
{
    size_t depth = 0;
    while (id != 0) {
        statement_bind_int(q, 1, id);
        if (depth == MAX_FRAMES || !loader_row(l, q)) {
            loader_refuse(l,
                          depth == MAX_FRAMES
                              ? "%s: expected call paths of at most 65536 frames, found frame %" PRId64
                              : "%s: expected call paths of frames in table frame, found frame %" PRId64,
                          l->store->path, id);
            break;
        }
        if (depth == *room) {
            *room = 2 * *room + 64;
            *frame = xrealloc(*frame, *room * sizeof **frame);
        }
        (*frame)[depth++] = (struct profile_frame){.image = loader_image(l, statement_int(q, 1)),
                                                   .address = (uint64_t)statement_int(q, 2)};
        int64_t parent = statement_int(q, 0);
        if (parent >= id)
            loader_refuse(l, "%s: expected the caller of frame %" PRId64 " to have a lower number, found %" PRId64,
                          l->store->path, id, parent);
        id = parent < id ? parent : 0;
        sqlite3_reset(q->stmt);
    }
    return depth;
}

static void load_stacks(struct store_loader *l, const struct store_loader_event *e)
{
    struct profile_frame *frame = NULL;
    size_t room = 0;
    struct statement q = rows_of(l, e, &stacks),
                     frames = loader_statement(l, "SELECT parent, image, address FROM frame WHERE id = ?1");
    while (loader_row(l, &q)) {
        size_t depth = load_frames(l, &frames, statement_int(&q, 0), &frame, &room);
        profile_add_stack(
            l->profile, e->number,
            &(struct profile_stack){.frame = frame, .depth = depth, .value = store_load_values_value_of(l, &q, 1, e)});
    }
    free(frame);
    loader_end(l, &q);
    loader_end(l, &frames);
}

void loader_load_values(struct store_loader *l)
{
    for (size_t n = 0; n < l->events && l->code == SQLITE_OK; n++) {
        load_samples(l, &l->event[n]);
        if (l->parts & STORE_EDGES)
            load_edges(l, &l->event[n]);
        if (l->parts & STORE_STACKS)
            load_stacks(l, &l->event[n]);
    }
}
