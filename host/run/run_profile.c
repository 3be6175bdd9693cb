/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/run/run_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contract/counter_handler.h"
#include "host/run/run_images.h"

struct builder {
    struct profile *profile;
    struct run_images *images;
};

/* Adds a value at a pc; the place of a value that is no instruction of a file is unknown. Returns what is unplaced. */
static double run_profile_add_value(struct builder *b, uint32_t event, uint64_t pc, double value)
{
    struct profile_sample s = {.value = value};
    if (value == 0)
        return 0;
    if (!run_images_find(b->images, pc, &s.image, &s.address))
        return value;
    profile_add_sample(b->profile, event, s);
    return 0;
}

/* Ends an event that has been added: adds to its unplaced values, and packs the others. */
static void add_unplaced(struct builder *b, const struct profile_event *e, double unplaced)
{
    struct profile_event more = *e;
    more.total = more.unplaced = 0;
    more.lost = more.runs = 0;
    more.unplaced = unplaced;
    profile_pack(b->profile, profile_add_event(b->profile, &more));
}

/* ---- time ---- */

static void add_time_profile(struct builder *b, const struct time_profile *p, uint64_t cycles)
{
    const struct profile_event e = {.name = "cycles",
                                    .by = p->label,
                                    .unit = "cycles",
                                    .source = p->exact ? PROFILE_EXACT : PROFILE_TIME,
                                    .scale = 1,
                                    .period = p->exact || p->weighted ? 0 : (double)p->period,
                                    .total = (double)cycles,
                                    .lost = p->lost,
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t i = 0; i < p->rows; i++)
        unplaced += run_profile_add_value(b, event, p->row[i].pc, (double)time_row_total(&p->row[i]) / TIME_PER_CYCLE);
    add_unplaced(b, &e, unplaced);
}

static void run_profile_add_time(struct builder *b, const struct time_result *r)
{
    for (unsigned i = 0; r != NULL && i < r->profiles; i++)
        add_time_profile(b, &r->profile[i], r->cycles);
}

/* ---- counts ---- */

static double run_profile_sum_of(const struct count_profile *p, enum count_kind kind)
{
    double sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        sum += (double)p->row[i].count[kind];
    return sum;
}

/* The exact counts of the run; NULL: it has none. */
static const struct count_profile *exact_counts(const struct count_result *r)
{
    for (unsigned i = 0; i < r->profiles; i++)
        if (r->profile[i].exact)
            return &r->profile[i];
    return NULL;
}

static void add_count_kind(struct builder *b, const struct count_profile *p, enum count_kind kind,
                           const struct count_profile *exact)
{
    const struct profile_event e = {.name = count_name(kind),
                                    .by = p->label,
                                    .unit = count_unit(kind),
                                    .source = p->exact ? PROFILE_EXACT : PROFILE_COUNTS,
                                    .scale = count_scale(p, kind),
                                    .period = p->exact ? 0 : p->scale,
                                    .total = exact != NULL && count_has(exact, kind) ? run_profile_sum_of(exact, kind)
                                                                                     : (double)NAN,
                                    .lost = p->lost,
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t i = 0; i < p->rows; i++)
        unplaced += run_profile_add_value(b, event, p->row[i].pc, (double)p->row[i].count[kind]);
    add_unplaced(b, &e, unplaced);
}

static void run_profile_add_counts(struct builder *b, const struct count_result *r)
{
    const struct count_profile *exact = r != NULL ? exact_counts(r) : NULL;
    for (unsigned i = 0; r != NULL && i < r->profiles; i++)
        for (unsigned k = 0; k < COUNT_KINDS; k++)
            if (count_has(&r->profile[i], k) && count_scale(&r->profile[i], k) != 0)
                add_count_kind(b, &r->profile[i], k, exact);
}

/* ---- counters ---- */

/* The daemon's data for an event of a counter: samples of a number of addresses. */
struct run_profile_collected {
    const struct sample_entry *entry;
    size_t count;
    uint64_t samples;
};

static struct run_profile_collected find_collected(const struct run_results *r, const struct counter_profile *p,
                                                   enum count_kind kind)
{
    struct run_profile_collected found = {.entry = NULL};
    uint32_t event = counter_sample_event(p->number, kind);
    for (size_t n = 0; n < r->samples_collected; n++) {
        const struct sample_entry *e = &r->collected[n];
        if (e->event != event)
            continue;
        found.entry = found.count++ == 0 ? e : found.entry; /* one process: its entries of an event are neighbours */
        found.samples += e->count;
    }
    return found;
}

static double add_collected(struct builder *b, uint32_t event, const struct run_profile_collected *c)
{
    double unplaced = 0;
    for (size_t n = 0; n < c->count; n++)
        unplaced += run_profile_add_value(b, event, c->entry[n].pc, (double)c->entry[n].count);
    return unplaced;
}

static double add_rows(struct builder *b, uint32_t event, const struct counter_profile *p, enum count_kind kind)
{
    double unplaced = 0;
    for (size_t i = 0; i < p->rows; i++)
        unplaced += run_profile_add_value(b, event, p->row[i].pc, (double)p->row[i].count[kind]);
    return unplaced;
}

static void add_counter_event(struct builder *b, const struct run_results *r, const struct counter_profile *p,
                              const struct counter_event *c)
{
    struct run_profile_collected in_driver = find_collected(r, p, c->kind);
    uint64_t samples = p->collected ? in_driver.samples : c->samples;
    const struct profile_event e = {.name = count_name(c->kind),
                                    .by = p->label,
                                    .unit = count_unit(c->kind),
                                    .source = PROFILE_COUNTER,
                                    .scale = samples != 0 ? c->estimate / (double)samples : (double)p->period,
                                    .period = c->overflows != 0 ? (double)c->counted / (double)c->overflows
                                                                : (double)p->period,
                                    .total = (double)c->total,
                                    .lost = c->lost + (c->samples - samples),
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    add_unplaced(b, &e, p->collected ? add_collected(b, event, &in_driver) : add_rows(b, event, p, c->kind));
}

static void add_counters(struct builder *b, const struct run_results *r)
{
    for (unsigned i = 0; r->counters != NULL && i < r->counters->profiles; i++)
        for (unsigned n = 0; n < r->counters->profile[i].events; n++)
            add_counter_event(b, r, &r->counters->profile[i], &r->counters->profile[i].event[n]);
}

/* ---- transfers ---- */

static void run_profile_add_edges(struct builder *b, const struct path_profile *p)
{
    struct profile_event e = {.name = count_name(COUNT_TRANSFERS),
                              .by = p->label,
                              .unit = count_unit(COUNT_TRANSFERS),
                              .source = PROFILE_EXACT,
                              .scale = 1,
                              .runs = 1};
    for (size_t i = 0; i < p->edges; i++)
        e.total += (double)p->edge[i].count;
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t i = 0; i < p->edges; i++) {
        const struct path_edge *from = &p->edge[i];
        struct profile_edge edge = {.value = (double)from->count};
        if (run_images_find(b->images, from->pc, &edge.from_image, &edge.from) &&
            run_images_find(b->images, from->next, &edge.to_image, &edge.to))
            profile_add_edge(b->profile, event, edge);
        else
            unplaced += edge.value;
    }
    add_unplaced(b, &e, unplaced);
}

static void add_paths(struct builder *b, const struct path_result *r)
{
    for (unsigned i = 0; r != NULL && i < r->profiles; i++)
        run_profile_add_edges(b, &r->profile[i]);
}

/* ---- the program's report ---- */

/* A table of a program's report. */
struct program_table {
    const char *program, *name;
    const struct report_table *table;
    unsigned key;                /* column of the pc */
    const struct report *layout; /* the section of the table, which has the score */
};

/* The exact sum of a member over all rows of the reference, also those that the program did not find; NAN: the layout
 * has no score, or the member no exact count. */
static double exact_sum(const struct report *layout, const char *member)
{
    for (const struct report_node *n = layout->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_SECTION) {
            double sum = exact_sum(n->section, member);
            if (!isnan(sum))
                return sum;
        }
        if (n->kind != REPORT_TABLE || n->table->key == NULL || strcmp(n->table->key, "counts") != 0)
            continue;
        int name = report_find_column(n->table, NULL, "member"), exact = report_find_column(n->table, NULL, "exact");
        for (size_t row = 0; name >= 0 && exact >= 0 && row < n->table->rows; row++)
            if (strcmp(report_cell_at(n->table, row, (unsigned)name)->text, member) == 0)
                return (double)report_cell_at(n->table, row, (unsigned)exact)->count;
    }
    return (double)NAN;
}

/* The column of the pc by which a table has its rows: the first address of an instruction; false if there is none. */
static bool find_key(const struct report_table *t, unsigned *key)
{
    for (*key = 0; *key < t->columns; ++*key) {
        const struct report_column *c = &t->column[*key];
        bool is_key = c->group == NULL && (c->member == NULL || strcmp(c->member, "key") == 0);
        if (c->type == REPORT_ADDRESS && is_key) {
            const struct report_cell *first = t->rows != 0 ? report_cell_at(t, 0, *key) : NULL;
            return first != NULL && first->type == REPORT_ADDRESS && !first->place->is_data;
        }
    }
    return false;
}

/* Returns whether the values of a column can be added: estimates of counts, and counts that are parts of a sum. */
static bool is_additive(const struct report_column *c)
{
    if (c->member == NULL)
        return false;
    if (c->group != NULL)
        return (strcmp(c->group, "estimated") == 0 && c->type == REPORT_REAL) ||
               (strcmp(c->group, "exact") == 0 && c->type == REPORT_COUNT);
    return c->type == REPORT_COUNT && !c->plain && !c->no_part;
}

static void run_profile_add_column(struct builder *b, const struct program_table *t, unsigned column)
{
    const struct report_column *c = &t->table->column[column];
    bool exact = c->group != NULL && strcmp(c->group, "exact") == 0;
    char *name = xasprintf("%s.%s", t->name, c->member);
    double total = exact_sum(t->layout, c->member), rest = exact && !isnan(total) ? total : 0;
    const struct profile_event e = {.name = name,
                                    .by = t->program,
                                    .unit = c->unit != NULL ? c->unit : "events",
                                    .source = exact ? PROFILE_EXACT : PROFILE_PROGRAM,
                                    .scale = 1,
                                    .total = total,
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t row = 0; row < t->table->rows; row++) {
        const struct report_cell *key = report_cell_at(t->table, row, t->key),
                                 *cell = report_cell_at(t->table, row, column);
        if (key->type != REPORT_ADDRESS || cell->type == REPORT_ABSENT)
            continue;
        double value = cell->type == REPORT_COUNT ? (double)cell->count : cell->real;
        unplaced += run_profile_add_value(b, event, key->place->pc, value);
        rest -= value;
    }
    /* The report has no rows of places that the program did not find. */
    add_unplaced(b, &e, unplaced + (exact && rest > 0 ? rest : 0));
    free(name);
}

/* The text of a value of the section, or `otherwise`. */
static const char *run_profile_text_of(const struct report *r, const char *key, const char *otherwise)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next)
        if (n->kind == REPORT_VALUE && n->value.key != NULL && strcmp(n->value.key, key) == 0 &&
            n->value.cell.type == REPORT_TEXT)
            return n->value.cell.text;
    return otherwise;
}

/* ---- call paths ---- */

/* The column of a table with this member; false if there is none. */
static bool find_column(const struct report_table *t, const char *member, unsigned *column)
{
    for (*column = 0; *column < t->columns; ++*column)
        if (t->column[*column].member != NULL && strcmp(t->column[*column].member, member) == 0)
            return true;
    return false;
}

/* Adds the rows of a nested table, entries of functions from the youngest call, as a stack, and as a sample of the
 * youngest function: the program does not keep the address. A frame without a file ends it. Returns what belongs to no
 * file. */
static double run_profile_add_path(struct builder *b, uint32_t event, const struct report_table *path,
                                   const struct report_cell *rows, double value)
{
    struct profile_frame *frame = xcalloc(rows->rows.count + 1, sizeof *frame);
    struct profile_stack s = {.frame = frame, .value = value};
    for (uint32_t n = 0; n < rows->rows.count; n++) {
        const struct report_cell *entry = report_cell_at(path, rows->rows.first + n, 0);
        struct profile_frame *f = &frame[s.depth];
        if (entry->type != REPORT_ADDRESS || !run_images_find(b->images, entry->place->pc, &f->image, &f->address))
            break;
        s.depth++;
    }
    profile_add_stack(b->profile, event, &s);
    if (s.depth > 0)
        profile_add_sample(b->profile, event, (struct profile_sample){frame[0].image, frame[0].address, value});
    free(frame);
    return s.depth > 0 ? 0 : value;
}

/* Adds the call paths of callstack.pc, with their events. */
static void add_call_paths(struct builder *b, const struct report_table *t, const char *program)
{
    unsigned path, events;
    if (!find_column(t, "path", &path) || !find_column(t, "events", &events) || t->nested[path] == NULL)
        return;
    const struct profile_event e = {.name = "call_paths.events",
                                    .by = program,
                                    .unit = "events",
                                    .source = PROFILE_PROGRAM,
                                    .scale = 1,
                                    .total = (double)NAN,
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t row = 0; row < t->rows; row++) {
        const struct report_cell *value = report_cell_at(t, row, events), *rows = report_cell_at(t, row, path);
        if (value->type == REPORT_COUNT && rows->type == REPORT_ROWS)
            unplaced += run_profile_add_path(b, event, t->nested[path], rows, (double)value->count);
    }
    add_unplaced(b, &e, unplaced);
}

static void add_tables(struct builder *b, const struct report *r, const char *program)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_SECTION)
            add_tables(b, n->section, program);
        if (n->kind != REPORT_TABLE || n->table->parent != NULL)
            continue;
        if (n->table->key != NULL && strcmp(n->table->key, "call_paths") == 0)
            add_call_paths(b, n->table, program);
        struct program_table t = {
            .program = program, .name = run_profile_text_of(r, "name", n->table->key), .table = n->table, .layout = r};
        if (t.name == NULL || !find_key(t.table, &t.key))
            continue;
        for (unsigned c = 0; c < t.table->columns; c++)
            if (is_additive(&t.table->column[c]))
                run_profile_add_column(b, &t, c);
    }
}

struct profile *run_profile_new(const struct run_results *r)
{
    struct builder b = {.profile = profile_new()};
    b.images = run_images_new(r->symbols, b.profile, r->warn);
    run_profile_add_time(&b, r->time);
    run_profile_add_counts(&b, r->counts);
    add_counters(&b, r);
    add_paths(&b, r->paths);
    if (r->program != NULL)
        add_tables(&b, r->program, run_profile_text_of(r->program, "program", "program"));
    run_images_free(b.images);
    return b.profile;
}
