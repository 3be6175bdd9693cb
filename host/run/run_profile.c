/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/run/run_profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contract/counter_handler.h"
#include "host/run/run_images.h"
#include "host/symbols/variables.h"

struct builder {
    struct profile *profile;
    struct run_images *images;
    const struct call_tree *calls; /* NULL: none */
    uint32_t *frame;               /* by node of `calls` */
    const char *handler;           /* name of the image that stands for time of handlers, and of idle harts */
};

enum { RUN_SHARED_LINES = 8, RUN_SHARED_DATA = 16 }; /* data of harts in each line */

/* Returns where time of handlers is: in an image without code, which stands for the kernel's. */
static struct profile_place run_profile_handler(struct builder *b)
{
    char *path = xasprintf("[%s]", b->handler);
    const struct profile_image image = {.build_id = "", .path = path, .name = b->handler};
    const struct profile_place place = {profile_add_image(b->profile, &image), 0};
    free(path);
    return place;
}

/* Adds a value of a handler. */
static void run_profile_add_handler(struct builder *b, uint32_t event, double value)
{
    if (value == 0)
        return;
    const struct profile_place at = run_profile_handler(b);
    profile_add_sample(b->profile, event, (struct profile_sample){at.image, at.address, value});
}

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

/* Adds the frames of the calls. One outside of all files is left out: its caller seems to call what it calls. */
static void run_profile_add_calls(struct builder *b)
{
    if (b->calls == NULL)
        return;
    b->frame = xcalloc(b->calls->nodes, sizeof *b->frame);
    for (uint32_t n = 1; n < b->calls->nodes; n++) {
        const struct call_node *node = &b->calls->node[n];
        struct profile_place at;
        b->frame[n] = b->frame[node->caller];
        if (run_images_find(b->images, node->call, &at.image, &at.address))
            b->frame[n] = profile_add_frame(b->profile, b->frame[n], at);
    }
}

/* Adds the value of a place as a call stack. That of a place in no file is that of its caller. */
static void run_profile_add_place(struct builder *b, uint32_t event, uint64_t place, double value)
{
    struct profile_place at;
    uint32_t frame = b->frame[call_place_node(place)];
    if (value == 0)
        return;
    if (run_images_find(b->images, call_place_pc(place), &at.image, &at.address))
        frame = profile_add_frame(b->profile, frame, at);
    profile_add_stack(b->profile, event, (struct profile_stack){frame, value});
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

/* The time of a row, but for that of handlers, of which a row of no instruction has the rest. */
static double run_profile_cycles(const struct time_row *r, uint64_t pc)
{
    const uint64_t handler = pc == 0 ? r->time[TIME_HANDLER] : 0;
    return (double)(time_row_total(r) - handler) / TIME_PER_CYCLE;
}

/* Adds the time of a place as a call stack. */
static void run_profile_add_time_place(struct builder *b, uint32_t event, const struct time_row *r)
{
    const uint64_t pc = call_place_pc(r->pc);
    run_profile_add_place(b, event, r->pc, run_profile_cycles(r, pc));
    if (pc != 0 || r->time[TIME_HANDLER] == 0)
        return;
    const uint32_t frame = profile_add_frame(b->profile, b->frame[call_place_node(r->pc)], run_profile_handler(b));
    profile_add_stack(b->profile, event, (struct profile_stack){frame, (double)r->time[TIME_HANDLER] / TIME_PER_CYCLE});
}

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
    for (size_t i = 0; i < p->rows; i++) {
        const struct time_row *r = &p->row[i];
        unplaced += run_profile_add_value(b, event, r->pc, run_profile_cycles(r, r->pc));
        if (r->pc == 0)
            run_profile_add_handler(b, event, (double)r->time[TIME_HANDLER] / TIME_PER_CYCLE);
    }
    for (size_t i = 0; i < p->places; i++)
        run_profile_add_time_place(b, event, &p->place[i]);
    add_unplaced(b, &e, unplaced);
}

static void run_profile_add_time(struct builder *b, const struct time_result *r)
{
    for (unsigned i = 0; r != NULL && i < r->profiles; i++)
        add_time_profile(b, &r->profile[i], r->cycles);
}

/* ---- time by event signature ---- */

/* Cycles of a row if its signature has the event, else 0. */
static double pics_cycles(const struct pics_row *r, unsigned event)
{
    return (r->signature >> event & 1) != 0 ? (double)pics_row_total(r) / TIME_PER_CYCLE : 0;
}

static void add_pics_event(struct builder *b, const struct pics_profile *p, unsigned bit)
{
    struct profile_event e = {.name = pics_event_name((enum pics_event_bit)bit),
                              .by = p->label,
                              .unit = "cycles",
                              .source = p->exact ? PROFILE_EXACT : PROFILE_TIME,
                              .scale = 1,
                              .period = p->exact ? 0 : (double)p->period,
                              .total = p->exact ? 0 : (double)NAN,
                              .runs = 1};
    for (size_t i = 0; p->exact && i < p->rows; i++)
        e.total += pics_cycles(&p->row[i], bit);
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t i = 0; i < p->rows; i++)
        unplaced += run_profile_add_value(b, event, p->row[i].pc, pics_cycles(&p->row[i], bit));
    for (size_t i = 0; i < p->places; i++)
        run_profile_add_place(b, event, p->place[i].pc, pics_cycles(&p->place[i], bit));
    add_unplaced(b, &e, unplaced);
}

/* An execution can have several events: its cycles are those of each. */
static void run_profile_add_pics(struct builder *b, const struct pics_result *r)
{
    for (unsigned i = 0; r != NULL && i < r->profiles; i++)
        for (unsigned bit = 0; bit < PICS_EVENT_COUNT; bit++)
            add_pics_event(b, &r->profile[i], bit);
}

/* ---- top-down analysis ---- */

static void add_topdown_leaf(struct builder *b, const struct topdown_profile *p, enum topdown_leaf leaf)
{
    char *name = xasprintf("%s.%s", p->label, topdown_leaf_path(leaf));
    struct profile_event e = {
        .name = name, .by = p->label, .unit = "slots", .source = PROFILE_EXACT, .scale = 1, .runs = 1};
    for (size_t i = 0; i < p->rows; i++)
        e.total += (double)p->row[i].slots[leaf];
    const uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t i = 0; i < p->rows; i++) {
        const double slots = (double)p->row[i].slots[leaf];
        if (p->row[i].pc == 0 && leaf == TOPDOWN_HANDLER)
            run_profile_add_handler(b, event, slots);
        else
            unplaced += run_profile_add_value(b, event, p->row[i].pc, slots);
    }
    add_unplaced(b, &e, unplaced);
    free(name);
}

static void run_profile_add_topdown(struct builder *b, const struct topdown_result *r)
{
    for (unsigned i = 0; r != NULL && i < r->profiles; i++)
        for (int l = 0; l < TOPDOWN_LEAVES; l++)
            add_topdown_leaf(b, &r->profile[i], (enum topdown_leaf)l);
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
    for (size_t i = 0; i < p->places; i++)
        run_profile_add_place(b, event, p->place[i].pc, (double)p->place[i].count[kind]);
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
    for (size_t i = 0; i < p->places; i++)
        run_profile_add_place(b, event, p->place[i].pc, (double)p->place[i].count[kind]);
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

/* ---- the program ---- */

/* Adds a member of a table by pc: its estimates, or its exact answers. Places without a row have exact answers too. */
static void run_profile_add_member(struct builder *b, const char *program, const struct program_table *t,
                                   unsigned member, bool exact)
{
    const struct program_member *m = &t->member[member];
    char *name = xasprintf("%s.%s", t->name, m->name);
    const struct profile_event e = {.name = name,
                                    .by = program,
                                    .unit = m->unit != NULL ? m->unit : "events",
                                    .source = exact ? PROFILE_EXACT : PROFILE_PROGRAM,
                                    .scale = 1,
                                    .total = m->exact,
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0, rest = exact ? m->exact : 0;
    for (size_t i = 0; i < t->rows; i++) {
        const struct program_number *n = &t->row[i].number[member];
        double value = exact ? n->exact : n->estimate;
        if (isnan(value))
            continue;
        unplaced += run_profile_add_value(b, event, t->row[i].key, value);
        rest -= value;
    }
    add_unplaced(b, &e, unplaced + (exact && rest > 0 ? rest : 0));
    free(name);
}

static void run_profile_add_table(struct builder *b, const char *program, const struct program_table *t)
{
    for (unsigned m = 0; m < t->members; m++)
        if (t->member[m].has_estimate)
            run_profile_add_member(b, program, t, m, false);
    for (unsigned m = 0; m < t->members; m++)
        if (!isnan(t->member[m].exact))
            run_profile_add_member(b, program, t, m, true);
}

/* Adds a call path as a stack, and as a sample of the youngest function: the program does not keep the address. A frame
 * without a file ends the stack. Returns what belongs to no file. */
static double run_profile_add_path(struct builder *b, uint32_t event, const struct program_path *path)
{
    double value = (double)path->events;
    struct profile_place *place = xcalloc(path->depth + 1, sizeof *place);
    size_t depth = 0;
    while (depth < path->depth &&
           run_images_find(b->images, path->entry[depth], &place[depth].image, &place[depth].address))
        depth++;
    const uint32_t frame = profile_add_path(b->profile, place, depth);
    profile_add_stack(b->profile, event, (struct profile_stack){frame, value});
    if (depth > 0)
        profile_add_sample(b->profile, event, (struct profile_sample){place[0].image, place[0].address, value});
    free(place);
    return depth > 0 ? 0 : value;
}

static void add_call_paths(struct builder *b, const struct program_profile *p)
{
    const struct profile_event e = {.name = "call_paths.events",
                                    .by = p->label,
                                    .unit = "events",
                                    .source = PROFILE_PROGRAM,
                                    .scale = 1,
                                    .total = (double)NAN,
                                    .runs = 1};
    uint32_t event = profile_add_event(b->profile, &e);
    double unplaced = 0;
    for (size_t i = 0; i < p->paths; i++)
        unplaced += run_profile_add_path(b, event, &p->path[i]);
    add_unplaced(b, &e, unplaced);
}

static void run_profile_add_program(struct builder *b, const struct program_profile *p)
{
    for (unsigned i = 0; p != NULL && i < p->tables; i++)
        if (program_table_is_by_pc(&p->table[i]) && p->table[i].rows != 0)
            run_profile_add_table(b, p->label, &p->table[i]);
    if (p != NULL && p->has_paths)
        add_call_paths(b, p);
}

/* ---- shared lines ---- */

/* What a hart accesses of a line, with the accesses of all rows of the name. */
struct run_shared {
    struct sharing_row row; /* the first one: struct sharing_row is sorted by sharing_by_accesses */
    char *event;
};

/* The name of the event of a row; the caller frees it. */
static char *run_profile_name_shared(const struct symbols *symbols, const struct sharing_line *line,
                                     const struct sharing_row *row)
{
    char *data = variables_name(symbols, row->address);
    if (data == NULL)
        data = xasprintf("0x%llx", (unsigned long long)row->address);
    char *name = xasprintf("sharing.%s.0x%llx.%u.%s", line->is_false ? "false" : "true",
                           (unsigned long long)line->address, row->hart, data);
    free(data);
    return name;
}

/* The data of a line, those with most accesses first. Sets their number; the caller frees them, and their names. Sets
 * the name of each row, too, which is that of its datum. */
static struct run_shared *run_profile_sum_shared(const struct symbols *symbols, const struct sharing_profile *p,
                                                 const struct sharing_line *line, const char **name, size_t *count)
{
    struct run_shared *datum = xcalloc(line->end - line->first, sizeof *datum);
    *count = 0;
    for (size_t row = line->first; row < line->end; row++) {
        char *event = run_profile_name_shared(symbols, line, &p->row[row]);
        size_t n = 0;
        while (n < *count && strcmp(datum[n].event, event) != 0)
            n++;
        if (n == *count) {
            datum[(*count)++] = (struct run_shared){.row = p->row[row], .event = event};
        } else {
            datum[n].row.accesses += p->row[row].accesses;
            free(event);
        }
        name[row - line->first] = datum[n].event;
    }
    qsort(datum, *count, sizeof *datum, sharing_by_accesses);
    return datum;
}

static void run_profile_add_shared(struct builder *b, const struct sharing_profile *p, const struct run_shared *datum,
                                   const struct sharing_line *line, const char *const *name)
{
    const struct profile_event e = {.name = datum->event,
                                    .by = p->label,
                                    .unit = "accesses",
                                    .source = PROFILE_EXACT,
                                    .scale = 1,
                                    .total = (double)datum->row.accesses};
    const uint32_t event = profile_add_event(b->profile, &e);
    for (size_t row = line->first; row < line->end; row++)
        if (name[row - line->first] == datum->event)
            (void)run_profile_add_value(b, event, p->row[row].pc, (double)p->row[row].accesses);
}

static void run_profile_add_shared_line(struct builder *b, const struct symbols *symbols,
                                        const struct sharing_profile *p, const struct sharing_line *line)
{
    const char **name = xcalloc(line->end - line->first, sizeof *name);
    size_t count;
    struct run_shared *datum = run_profile_sum_shared(symbols, p, line, name, &count);
    for (size_t n = 0; n < count && n < RUN_SHARED_DATA; n++)
        run_profile_add_shared(b, p, &datum[n], line, name);
    for (size_t n = 0; n < count; n++)
        free(datum[n].event);
    free(datum);
    free(name);
}

/* An event for each datum and hart, of those with most accesses in the lines with most accesses. */
static void run_profile_add_sharing(struct builder *b, const struct sharing_result *r, const struct symbols *symbols)
{
    for (unsigned i = 0; r != NULL && i < r->profiles; i++) {
        const struct sharing_profile *p = &r->profile[i];
        struct sharing_line *line;
        const size_t lines = sharing_lines(p, &line);
        for (size_t n = 0, added = 0; n < lines && added < RUN_SHARED_LINES; n++) {
            if (line[n].is_known)
                run_profile_add_shared_line(b, symbols, p, &line[n]);
            added += line[n].is_known;
        }
        free(line);
    }
}

/* ---- gains ---- */

/* A gain without the causes; the event is new at the first call, with that many more cycles. That a removal gains
 * nothing, or loses, is a value of 0 if it was measured. Of estimates the event alone shows that the run has them. */
static void run_profile_add_gain(struct builder *b, const char *causes, const char *by, uint64_t pc, double gained)
{
    const bool is_measured = strcmp(by, PROFILE_GAIN_MEASURED) == 0;
    const double cycles = gained > 0 ? gained : 0;
    struct profile_sample s = {.value = cycles};
    char *name = xasprintf("gain.%s", causes);
    const struct profile_event e = {.name = name,
                                    .by = by,
                                    .unit = "cycles",
                                    .source = is_measured ? PROFILE_EXACT : PROFILE_PROGRAM,
                                    .scale = 1,
                                    .total = is_measured ? cycles : (double)NAN};
    if (run_images_find(b->images, pc, &s.image, &s.address)) {
        const uint32_t event = profile_add_event(b->profile, &e);
        if (is_measured || cycles > 0)
            profile_add_sample(b->profile, event, s);
    }
    free(name);
}

static void run_profile_add_gains(struct builder *b, const struct gain_result *g)
{
    for (unsigned n = 0; g != NULL && n < g->rows; n++) {
        const struct gain_row *row = &g->row[n];
        if (g->base != 0 && row->is_known && row->is_one)
            run_profile_add_gain(b, row->removed, PROFILE_GAIN_MEASURED, row->pc,
                                 (double)g->base - (double)row->cycles);
    }
}

static void run_profile_add_graphs(struct builder *b, const struct graph_result *g)
{
    for (unsigned n = 0; g != NULL && n < g->profiles; n++)
        for (size_t k = 0; k < g->profile[n].rows; k++) {
            const struct graph_row *row = &g->profile[n].row[k];
            run_profile_add_gain(b, row->removed, g->profile[n].label, row->pc, row->gain);
        }
}

struct profile *run_profile_new(const struct run_results *r)
{
    const bool has_idle = (r->time != NULL && r->time->has_idle) || (r->topdown != NULL && r->topdown->has_idle);
    struct builder b = {
        .profile = profile_new(), .calls = r->calls, .handler = has_idle ? "idle or handler" : "handler"};
    b.images = run_images_new(r->symbols, b.profile, r->warn);
    run_profile_add_calls(&b);
    run_profile_add_time(&b, r->time);
    run_profile_add_pics(&b, r->pics);
    run_profile_add_topdown(&b, r->topdown);
    run_profile_add_counts(&b, r->counts);
    add_counters(&b, r);
    add_paths(&b, r->paths);
    run_profile_add_program(&b, r->program);
    run_profile_add_sharing(&b, r->sharing, r->symbols);
    run_profile_add_gains(&b, r->gains);
    run_profile_add_graphs(&b, r->graphs);
    run_images_free(b.images);
    free(b.frame);
    return b.profile;
}
