/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of a run. Each is a row of the run and is added to a row of its epoch; samples are also summed by
 * procedure.
 */
#include <stdlib.h>

#include "base/order.h"
#include "host/store/write.h"

/* The insertion of a row of the run and of that of the epoch. Parameters: 1 the series or the event of the epoch, then
 * the columns of the place, the value and, of the epoch, the estimate. */
struct value_rows {
    struct statement run, sum;
    int places; /* columns of a place */
};

static void bind_place(struct value_rows *p, int column, int64_t n)
{
    statement_bind_int(&p->run, 1 + column, n);
    statement_bind_int(&p->sum, 1 + column, n);
}

static void store_write_values_add(struct value_rows *p, const struct writer_series *s, double value)
{
    if (p->run.code != SQLITE_OK || p->sum.code != SQLITE_OK) /* the transaction may be over */
        return;
    statement_bind_int(&p->run, 1, s->series);
    statement_bind_real(&p->run, p->places + 2, value);
    statement_run(&p->run);
    if (p->run.code != SQLITE_OK)
        return;
    statement_bind_int(&p->sum, 1, s->epoch_event);
    statement_bind_real(&p->sum, p->places + 2, value);
    statement_bind_real(&p->sum, p->places + 3, value * s->scale);
    statement_run(&p->sum);
}

static struct value_rows pair_new(struct writer *w, const char *run, const char *sum, int places)
{
    return (struct value_rows){.run = writer_statement(w, run), .sum = writer_statement(w, sum), .places = places};
}

static void pair_end(struct writer *w, struct value_rows *p)
{
    writer_end(w, &p->run);
    writer_end(w, &p->sum);
}

static void store_write_values_add_samples(struct writer *w, const struct profile *p, uint32_t event,
                                           const struct writer_series *s)
{
    size_t count;
    const struct profile_sample *sample = profile_samples(p, event, &count);
    struct value_rows q = pair_new(
        w, "INSERT INTO sample (series, image, address, value) VALUES (?1, ?2, ?3, ?4)",
        "INSERT INTO epoch_sample (epoch_event, image, address, value, estimate) VALUES (?1, ?2, ?3, ?4, ?5) "
        "ON CONFLICT DO UPDATE SET value = value + excluded.value, estimate = estimate + excluded.estimate",
        2);
    for (size_t n = 0; n < count; n++) {
        bind_place(&q, 1, w->image[sample[n].image]);
        bind_place(&q, 2, (int64_t)sample[n].address);
        store_write_values_add(&q, s, sample[n].value);
    }
    pair_end(w, &q);
    store_forget_procedure(w->store);
    struct statement sum = writer_statement(w, STORE_SUM_PROCEDURES("series = ?1"));
    statement_bind_int(&sum, 1, s->series);
    statement_run(&sum);
    writer_end(w, &sum);
}

static void store_write_values_add_edges(struct writer *w, const struct profile *p, uint32_t event,
                                         const struct writer_series *s)
{
    size_t count;
    const struct profile_edge *edge = profile_edges(p, event, &count);
    struct value_rows q = pair_new(
        w,
        "INSERT INTO edge (series, from_image, from_address, to_image, to_address, value) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        "INSERT INTO epoch_edge (epoch_event, from_image, from_address, to_image, to_address, value, estimate) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) "
        "ON CONFLICT DO UPDATE SET value = value + excluded.value, estimate = estimate + excluded.estimate",
        4);
    for (size_t n = 0; n < count; n++) {
        bind_place(&q, 1, w->image[edge[n].from_image]);
        bind_place(&q, 2, (int64_t)edge[n].from);
        bind_place(&q, 3, w->image[edge[n].to_image]);
        bind_place(&q, 4, (int64_t)edge[n].to);
        store_write_values_add(&q, s, edge[n].value);
    }
    pair_end(w, &q);
}

/* The number of the frame with this caller. */
static int64_t find_frame(struct statement *select, struct statement *insert, const struct writer *w, int64_t parent,
                          struct profile_place at)
{
    struct statement *const q[] = {select, insert};
    int64_t id = -1;
    for (int step = 0; step < 2 && id < 0; step++) {
        statement_bind_int(q[step], 1, parent);
        statement_bind_int(q[step], 2, w->image[at.image]);
        statement_bind_int(q[step], 3, (int64_t)at.address);
        if (statement_row(q[step])) {
            id = statement_int(q[step], 0);
            sqlite3_reset(q[step]->stmt);
        } else if (q[step]->code != SQLITE_OK) {
            break;
        }
    }
    return id;
}

/* The frames of the store. */
struct store_calls {
    struct statement select, insert;
    struct profile_path path;
};

static struct store_calls store_write_values_begin_calls(const struct writer *w)
{
    return (struct store_calls){
        .select = writer_statement(w, "SELECT id FROM frame WHERE parent = ?1 AND image = ?2 AND address = ?3"),
        .insert = writer_statement(w, "INSERT INTO frame (parent, image, address) VALUES (?1, ?2, ?3) RETURNING id")};
}

static void store_write_values_end_calls(struct writer *w, struct store_calls *c)
{
    writer_end(w, &c->select);
    writer_end(w, &c->insert);
    free(c->path.frame);
}

/* The number in the store of a call; 0: none. Negative: an error. */
static int64_t store_write_values_call(struct store_calls *c, const struct writer *w, const struct profile *p,
                                       uint32_t call)
{
    int64_t frame = w->frame[call];
    if (call == 0 || frame != 0)
        return frame;
    profile_path_read(&c->path, p, call);
    for (size_t n = c->path.depth; n > 0 && frame >= 0; n--) {
        int64_t *known = &w->frame[c->path.frame[n - 1]];
        if (*known == 0)
            *known = find_frame(&c->select, &c->insert, w, frame, profile_frame(p, c->path.frame[n - 1])->at);
        frame = *known;
    }
    return frame;
}

/* A row of the table of stacks. */
struct store_stack {
    int64_t call, image, address;
    double value;
};

ORDER(store_write_values_compare, struct store_stack, RISING(call) RISING(image) RISING(address))

/* The stacks of an event in the order of the table, in which its rows are appended. Sets their number; NULL: an error.
 */
static struct store_stack *store_write_values_stacks(struct writer *w, const struct profile *p, uint32_t event,
                                                     size_t *count)
{
    const struct profile_stack *stack = profile_stacks(p, event, count);
    struct store_calls calls = store_write_values_begin_calls(w);
    struct store_stack *row = xcalloc(*count, sizeof *row);
    bool found = true;
    for (size_t n = 0; n < *count && found; n++) {
        const struct profile_frame *f = profile_frame(p, stack[n].frame);
        row[n] = (struct store_stack){.call = store_write_values_call(&calls, w, p, f->caller),
                                      .image = stack[n].frame != 0 ? w->image[f->at.image] : 0,
                                      .address = (int64_t)f->at.address,
                                      .value = stack[n].value};
        found = row[n].call >= 0;
    }
    store_write_values_end_calls(w, &calls);
    if (found) {
        qsort(row, *count, sizeof *row, store_write_values_compare);
        return row;
    }
    free(row);
    return NULL;
}

static void store_write_values_add_stacks(struct writer *w, const struct profile *p, uint32_t event,
                                          const struct writer_series *s)
{
    size_t count;
    (void)profile_stacks(p, event, &count);
    struct store_stack *row = count != 0 ? store_write_values_stacks(w, p, event, &count) : NULL;
    if (row == NULL)
        return;
    struct statement q = writer_statement(
        w, "INSERT INTO stack (series, frame, image, address, value) VALUES (?1, ?2, ?3, ?4, ?5)");
    statement_bind_int(&q, 1, s->series);
    for (size_t n = 0; n < count && q.code == SQLITE_OK; n++) {
        statement_bind_int(&q, 2, row[n].call);
        statement_bind_int(&q, 3, row[n].image);
        statement_bind_int(&q, 4, row[n].address);
        statement_bind_real(&q, 5, row[n].value);
        statement_run(&q);
    }
    writer_end(w, &q);
    free(row);
}

void writer_add_values(struct writer *w, const struct profile *p, uint32_t event, const struct writer_series *s)
{
    if (w->code == SQLITE_OK)
        store_write_values_add_samples(w, p, event, s);
    if (w->code == SQLITE_OK)
        store_write_values_add_edges(w, p, event, s);
    if (w->code == SQLITE_OK)
        store_write_values_add_stacks(w, p, event, s);
}
