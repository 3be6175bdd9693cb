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
                         edges = {"edge", "from_image, from_address, to_image, to_address"};

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

/* An index register of the co-processor has 16 bits, so no call path of callstack.pc has more; those of calls have
 * fewer.
 */
enum { MAX_FRAMES = 1 << 16 };
static const char too_deep[] = "%s: expected call paths of at most 65536 frames, found frame %" PRId64;

/* A frame of the store that the profile does not have yet. */
struct store_frame {
    int64_t row;
    struct profile_place at;
};

/* Reads a row of the table of frames. Returns its caller; 0 after an error, too. */
static int64_t load_frame(struct store_loader *l, struct statement *q, size_t depth, struct store_frame *f)
{
    statement_bind_int(q, 1, f->row);
    if (depth == MAX_FRAMES || !loader_row(l, q)) {
        loader_refuse(l,
                      depth == MAX_FRAMES ? too_deep
                                          : "%s: expected call paths of frames in table frame, found frame %" PRId64,
                      l->store->path, f->row);
        return 0;
    }
    f->at = (struct profile_place){loader_image(l, statement_int(q, 1)), (uint64_t)statement_int(q, 2)};
    const int64_t caller = statement_int(q, 0);
    if (caller >= f->row)
        loader_refuse(l, "%s: expected the caller of frame %" PRId64 " to have a lower number, found %" PRId64,
                      l->store->path, f->row, caller);
    sqlite3_reset(q->stmt);
    return caller < f->row ? caller : 0;
}

/* The frame of the profile for a row, which is added with its callers at its first use. */
static uint32_t load_frames(struct store_loader *l, struct statement *q, int64_t row)
{
    struct store_frame *missing = NULL;
    const struct store_loader_number *known = NULL;
    size_t count = 0;
    while (row != 0 && (known = loader_find_number(l->frame, row)) == NULL) {
        missing = xgrow(missing, count, sizeof *missing);
        missing[count] = (struct store_frame){.row = row};
        row = load_frame(l, q, count, &missing[count]);
        count++;
    }
    uint32_t frame = known != NULL ? known->number : 0;
    while (count > 0 && l->code == SQLITE_OK) {
        count--;
        frame = loader_add_number(&l->frame, missing[count].row,
                                  profile_add_frame(l->profile, frame, missing[count].at));
        if (profile_frame(l->profile, frame)->depth > MAX_FRAMES)
            loader_refuse(l, too_deep, l->store->path, missing[count].row);
    }
    free(missing);
    return frame;
}

/* The stacks of an event: call, image, address, value and estimate. A stack can have several rows. */
static struct statement load_rows_of_stacks(struct store_loader *l, const struct store_loader_event *e)
{
    struct statement q = loader_statement(
        l, l->selection->epoch != NULL
               ? "SELECT frame, image, address, value, value * scale FROM epoch_event JOIN run USING (epoch) "
                 "JOIN series ON series.run = run.id AND series.event = epoch_event.event "
                 "JOIN stack ON stack.series = series.id WHERE epoch_event.id = ?1"
               : "SELECT frame, image, address, value, value * scale FROM selected "
                 "JOIN series ON series.run = selected.run AND series.event = ?1 "
                 "JOIN stack ON stack.series = series.id");
    statement_bind_int(&q, 1, l->selection->epoch != NULL ? e->epoch_event : e->event);
    return q;
}

static void load_stacks(struct store_loader *l, const struct store_loader_event *e)
{
    struct statement q = load_rows_of_stacks(l, e),
                     frames = loader_statement(l, "SELECT parent, image, address FROM frame WHERE id = ?1");
    while (loader_row(l, &q)) {
        uint32_t frame = load_frames(l, &frames, statement_int(&q, 0));
        const int64_t image = statement_int(&q, 1);
        if (image != 0)
            frame = profile_add_frame(l->profile, frame,
                                      (struct profile_place){loader_image(l, image), (uint64_t)statement_int(&q, 2)});
        profile_add_stack(l->profile, e->number,
                          (struct profile_stack){frame, store_load_values_value_of(l, &q, 3, e)});
    }
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
