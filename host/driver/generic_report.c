/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: the key, then the members in the program's order of declaration. A counting member is shown as its estimate,
 * followed by the exact count if known. */
#include "host/driver/generic_report.h"

static bool has_estimate(const struct program_member *m) { return m->has_estimate; }
static bool has_interval(const struct program_member *m) { return m->has_interval; }
static bool has_exact(const struct program_member *m) { return m->has_exact; }

static enum report_type type_of(unsigned format)
{
    static const enum report_type types[] = {[PRINT_NUMBER] = REPORT_COUNT,
                                             [PRINT_SIGNED] = REPORT_REAL,
                                             [PRINT_HEX] = REPORT_HEX,
                                             [PRINT_CODE_ADDRESS] = REPORT_ADDRESS,
                                             [PRINT_DATA_ADDRESS] = REPORT_ADDRESS};
    return types[slot_format_print(format)];
}

static void generic_report_add_cell(struct report_table *t, unsigned format, uint64_t n)
{
    switch (slot_format_print(format)) {
    case PRINT_NUMBER:
        report_cell_count(t, n);
        break;
    case PRINT_SIGNED:
        report_cell_real(t, (double)(int64_t)n);
        break;
    case PRINT_HEX:
        report_cell_hex(t, n);
        break;
    case PRINT_CODE_ADDRESS:
        report_cell_address(t, n);
        break;
    case PRINT_DATA_ADDRESS:
        report_cell_data_address(t, n);
        break;
    }
}

/* Positions of the columns in the text form. A member's exact count follows it, and its estimate replaces it if they
 * differ: such columns have the same position and are declared in that order. */
enum { KEY_AT = 0, MEMBER_AT = 1, ERROR_AT = MEMBER_AT + PROGRAM_MEMBERS };

static void declare_members(struct report_table *t, const struct program_table *p)
{
    for (unsigned m = 0; m < p->members; m++) {
        const struct program_member *member = &p->member[m];
        bool is_replaced = member->has_estimate && p->is_scaled;
        report_column(t, &(struct report_column){.type = type_of(member->format),
                                                 .group = "members",
                                                 .member = member->name,
                                                 .at = MEMBER_AT + m,
                                                 .title = is_replaced ? NULL : member->name});
    }
}

/* Declares a column of the group for each member for which `shows` is true. The title "" means the member's name. */
static void declare_counts(struct report_table *t, const struct program_table *p, const char *group,
                           enum report_type type, const char *title, bool (*shows)(const struct program_member *m))
{
    for (unsigned m = 0; m < p->members; m++) {
        const char *name = p->member[m].name;
        if (shows(&p->member[m]))
            report_column(t, &(struct report_column){.type = type,
                                                     .group = group,
                                                     .member = name,
                                                     .title = title != NULL && *title == '\0' ? name : title,
                                                     .unit = p->member[m].unit,
                                                     .at = MEMBER_AT + m});
    }
}

static void generic_report_declare_columns(struct report_table *t, const struct program_table *p)
{
    if (p->key != FORMAT_NONE)
        report_column(t,
                      &(struct report_column){.type = type_of(p->key), .member = "key", .title = "key", .at = KEY_AT});
    else if (p->by_slot)
        report_column(t, &(struct report_column){
                             .type = REPORT_COUNT, .member = "slot", .title = "slot", .at = KEY_AT, .plain = true});
    declare_members(t, p);
    declare_counts(t, p, "estimated", REPORT_REAL, p->is_scaled ? "" : NULL, has_estimate);
    if (p->score.reference == NULL)
        return;
    declare_counts(t, p, "interval", REPORT_INTERVAL, NULL, has_interval);
    declare_counts(t, p, "exact", REPORT_COUNT, "exact", has_exact);
    report_column(t, &(struct report_column){.type = REPORT_SHARE,
                                             .member = "error",
                                             .title = "error %",
                                             .decimals = 1,
                                             .sign = true,
                                             .absent = "-",
                                             .at = ERROR_AT});
}

static void generic_report_add_row(struct report_table *t, const struct program_table *p, const struct program_row *row)
{
    report_row(t);
    if (p->key != FORMAT_NONE)
        generic_report_add_cell(t, p->key, row->key);
    else if (p->by_slot)
        report_cell_count(t, row->key);
    for (unsigned m = 0; m < p->members; m++)
        generic_report_add_cell(t, p->member[m].format, row->number[m].held);
    for (unsigned m = 0; m < p->members; m++)
        if (p->member[m].has_estimate)
            report_cell_real(t, row->number[m].estimate);
    for (unsigned m = 0; m < p->members; m++)
        if (p->member[m].has_interval)
            report_cell_interval(t, row->number[m].interval.low, row->number[m].interval.high);
    for (unsigned m = 0; m < p->members; m++)
        if (p->member[m].has_exact)
            report_cell_count(t, (uint64_t)row->number[m].exact);
    if (p->score.reference != NULL)
        report_cell_share(t, row->error);
}

/* Reports the sums over all rows of each member with an exact count. */
static void report_counts(struct report *score, const struct program_table *p)
{
    struct report_table *t = report_table(score, "counts", NULL);
    report_whole(t);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "member", .title = "sum of"});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "unit", .title = "unit"});
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "estimated", .title = "estimated"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "exact", .title = "exact"});
    report_column(
        t, &(struct report_column){.type = REPORT_SHARE, .member = "error", .title = "misplaced %", .decimals = 2});
    for (unsigned m = 0; m < p->members; m++) {
        const struct program_member *member = &p->member[m];
        if (!member->has_exact)
            continue;
        report_row(t);
        report_cell_text(t, member->name);
        report_cell_text(t, member->unit);
        report_cell_real(t, member->estimated);
        report_cell_count(t, (uint64_t)member->exact);
        report_cell_share(t, member->error);
    }
}

static void generic_report_score(struct report *r, const struct program_table *p)
{
    const struct program_score *s = &p->score;
    report_note(r, "{name} against the exact reference {score.reference}:");
    report_note_line(r, "{score.meaning}");
    struct report *score = report_section(r, "score");
    report_text(score, "reference", NULL, s->reference->name);
    report_text(score, "meaning", NULL, s->reference->meaning);
    report_count(score, "exact_rows", "exact rows", s->rows, NULL);
    report_unit(score, "rows");
    report_count(score, "rows_profiled", "  profiled", s->rows_profiled, NULL);
    report_unit(score, "rows");
    report_count(score, "rows_false", "  false positives", s->rows_false, NULL);
    report_unit(score, "rows");
    report_count(score, "exact_events", "exact events", s->events, NULL);
    report_unit(score, s->unit);
    report_share(score, "profiled_share", s->events != 0 ? "  of profiled rows" : NULL,
                 s->events != 0 ? (double)s->events_profiled / (double)s->events : 0, 2);
    report_share(score, "error", "events misplaced", s->error, 2);
    report_counts(score, p);
}

static void generic_report_legend(struct report *r, const struct program_table *p)
{
    if (p->saturated != 0)
        report_note(r, "Counts as large as their members can hold, which may be too low: {saturated}.");
    if (p->scale.counts_dropped)
        report_note(r, "Counts are estimates: the program counts each sample with those that were dropped before it.");
    else if (p->is_scaled)
        report_note(r, "Counts are estimates: a processed sample stands for {scale} events on average.");
    if (p->score.reference == NULL)
        return;
    static const char words[] = "exact: ground truth from the simulator. error: of a line's scored counts.";
    (p->is_scaled ? report_note_line : report_note)(r, words);
}

static void generic_report_table(struct report *r, const struct program_table *p)
{
    report_text(r, "name", NULL, p->name);
    report_real(r, "scale", NULL, p->scale.counts_dropped ? p->scale.period : p->scale.thinned, 3, NULL);
    report_flag(r, "counts_dropped", NULL, p->scale.counts_dropped);
    report_count(r, "saturated", NULL, p->saturated, NULL);
    struct report_table *t = report_table(r, "rows", "{name}: by {order}, {shown} of {rows}");
    report_order(t, "the largest count");
    generic_report_declare_columns(t, p);
    for (size_t i = 0; i < p->rows; i++)
        generic_report_add_row(t, p, &p->row[i]);
    generic_report_legend(r, p);
    if (p->score.reference != NULL)
        generic_report_score(r, p);
    else
        report_absent(r, "score", NULL);
}

void generic_report(struct report *r, const struct program_profile *p)
{
    struct report *layouts = report_list(r, "layouts");
    for (unsigned i = 0; i < p->tables; i++)
        generic_report_table(report_element(layouts, p->table[i].name), &p->table[i]);
}
