/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report section of top-down analysis. */
#include "host/family/topdown_report.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "host/family/instruction.h"
#include "host/family/time_columns.h"

/* State shared by the parts of the section. */
struct topdown_view {
    const struct topdown_profile *profile;
    const struct code *code;
    const struct symbols *symbols;
    bool has_idle;
};

/* An instruction or, with its start as pc, a function. */
struct topdown_place {
    struct topdown_row row;
    uint64_t lost;
};

ORDER(topdown_by_place, struct topdown_place, RISING(row.pc))
ORDER(topdown_by_lost, struct topdown_place, FALLING(lost) RISING(row.pc))

static void slots_column(struct report_table *t, const struct topdown_view *v, const char *group, const char *member,
                         const char *title, uint64_t slots)
{
    REPORT_COLUMN(t, COUNT, slots, .group = group, .member = member, .title = title, .unit = "slots", .decimals = 2,
                  .heat = true, .of_total = true, .total = v->profile->slots);
}

/* The categories of the run, in the order of their tree. */

static void node_columns(struct report_table *t, const struct topdown_view *v, const struct topdown_node *node,
                         const uint64_t slots[TOPDOWN_LEAVES])
{
    const uint64_t sum = topdown_node_slots(node, slots);
    REPORT_COLUMN(t, TEXT, node->path, .member = "category", .title = "category");
    REPORT_COLUMN(t, COUNT, topdown_level(node), .member = "level");
    REPORT_COLUMN(t, COUNT, sum, .member = "slots", .title = "slots", .unit = "slots");
    REPORT_COLUMN(t, SHARE, v->profile->slots != 0 ? (double)sum / (double)v->profile->slots : 0, .member = "share",
                  .title = "%", .decimals = 2, .heat = true);
    REPORT_COLUMN_IF(t, node->event[0] != '\0', TEXT, node->event, .member = "event");
    REPORT_COLUMN(t, TEXT, node->meaning, .member = "meaning", .title = "meaning");
}

/* Categories without slots are absent. */
static void report_tree(const struct topdown_view *v, struct report *r)
{
    uint64_t slots[TOPDOWN_LEAVES] = {0};
    struct report_table *t = report_table(r, "categories", NULL);
    report_whole(t);
    for (size_t i = 0; i < v->profile->rows; i++)
        for (int l = 0; l < TOPDOWN_LEAVES; l++)
            slots[l] += v->profile->row[i].slots[l];
    node_columns(t, v, topdown_node(0), slots);
    for (unsigned n = 0; n < TOPDOWN_NODES; n++) {
        if (topdown_node_slots(topdown_node(n), slots) == 0)
            continue;
        report_row(t);
        node_columns(t, v, topdown_node(n), slots);
    }
}

/* Functions and instructions. */

static void place_columns(struct report_table *t, const struct topdown_view *v, const struct topdown_place *p)
{
    slots_column(t, v, NULL, "slots", "slots", topdown_total(p->row.slots));
    for (unsigned n = 0; n < TOPDOWN_NODES; n++) {
        const struct topdown_node *node = topdown_node(n);
        if (topdown_level(node) == 1)
            slots_column(t, v, "level1", node->path, node->path, topdown_node_slots(node, p->row.slots));
    }
    for (int l = 0; l < TOPDOWN_LEAVES; l++)
        if (l != TOPDOWN_RETIRING)
            REPORT_COLUMN_IF(t, p->row.slots[l] != 0, COUNT, p->row.slots[l], .group = "lost",
                             .member = topdown_leaf_path((enum topdown_leaf)l), .unit = "slots");
    REPORT_COLUMN_ONLY(t, LARGEST, .group = "lost", .title = "mostly", .at = 1);
}

static void topdown_function_columns(struct report_table *t, const struct topdown_view *v,
                                     const struct topdown_place *p)
{
    function_columns(t, v->symbols, p->row.pc, 2, time_columns_no_place(v->has_idle));
    place_columns(t, v, p);
}

static void topdown_instruction_columns(struct report_table *t, const struct topdown_view *v,
                                        const struct topdown_place *p)
{
    instruction_columns(t, v->code, v->symbols, p->row.pc, 2, time_columns_no_place(v->has_idle));
    place_columns(t, v, p);
}

static void report_places(struct report *r, const struct topdown_view *v, const char *key, const char *title,
                          struct topdown_place *places, size_t count,
                          void (*columns)(struct report_table *t, const struct topdown_view *v,
                                          const struct topdown_place *p))
{
    static const struct topdown_place none;
    struct report_table *t = report_table(r, key, title);
    report_order(t, "lost slots");
    columns(t, v, &none);
    for (size_t i = 0; i < count; i++)
        places[i].lost = topdown_total(places[i].row.slots) - places[i].row.slots[TOPDOWN_RETIRING];
    qsort(places, count, sizeof *places, topdown_by_lost);
    for (size_t i = 0; i < count; i++) {
        report_row(t);
        columns(t, v, &places[i]);
    }
}

/* Adds the places of equal functions, of which the first keeps the sum. Returns their number. */
static size_t sum_functions(const struct topdown_view *v, struct topdown_place *places, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        places[i].row.pc = v->symbols != NULL ? symbols_find(v->symbols, places[i].row.pc).start : 0;
    qsort(places, count, sizeof *places, topdown_by_place);
    for (size_t i = 0; i < count; i++) {
        if (n == 0 || places[n - 1].row.pc != places[i].row.pc) {
            places[n++] = places[i];
            continue;
        }
        for (int l = 0; l < TOPDOWN_LEAVES; l++)
            places[n - 1].row.slots[l] += places[i].row.slots[l];
    }
    return n;
}

static void topdown_report_stage(const struct topdown_result *result, const struct topdown_profile *p,
                                 const struct symbols *symbols, struct report *r)
{
    static const struct {
        const char *key, *note;
    } of[TOPDOWN_STAGES] = {
        [TOPDOWN_AT_ENTRY] = {"topdown", "Top-down analysis: each slot of the run is in one category"},
        [TOPDOWN_AT_ISSUE] = {"topdown_issue", "Top-down analysis of issue: by what the oldest instruction waits for"},
        [TOPDOWN_AT_COMMIT] = {"topdown_commit", "Top-down analysis of commit: by the oldest instruction"},
    };
    const struct topdown_view v = {
        .profile = p, .code = &result->code, .symbols = symbols, .has_idle = result->has_idle};
    struct topdown_place *places = xcalloc(p->rows + 1, sizeof *places);
    struct report *section = report_section(r, of[p->stage].key);
    report_note(section, of[p->stage].note);
    report_count(section, "cycles", NULL, result->cycles, "cycles");
    report_count(section, "width", NULL, p->width, "slots");
    report_count(section, "slots", NULL, p->slots, "slots");
    report_tree(&v, section);
    for (size_t i = 0; i < p->rows; i++)
        places[i].row = p->row[i];
    report_places(section, &v, "functions", "Functions by {order}, {shown} of {rows}; % of all slots", places,
                  sum_functions(&v, places, p->rows), topdown_function_columns);
    for (size_t i = 0; i < p->rows; i++)
        places[i].row = p->row[i];
    report_places(section, &v, "instructions", "Instructions by {order}, {shown} of {rows}; % of all slots", places,
                  p->rows, topdown_instruction_columns);
    free(places);
}

void topdown_report(const struct topdown_result *result, const struct symbols *symbols, struct report *r)
{
    for (unsigned n = 0; n < result->profiles; n++)
        topdown_report_stage(result, &result->profile[n], symbols, r);
}
