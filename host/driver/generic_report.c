/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables: the key, then the members in the program's order of declaration. A counting member is shown as its estimate,
 * followed by the exact count if known. */
#include "host/driver/generic_report.h"

static enum report_type type_of(unsigned format)
{
    static const enum report_type types[] = {[PRINT_NUMBER] = REPORT_COUNT,
                                             [PRINT_SIGNED] = REPORT_REAL,
                                             [PRINT_HEX] = REPORT_HEX,
                                             [PRINT_CODE_ADDRESS] = REPORT_ADDRESS,
                                             [PRINT_DATA_ADDRESS] = REPORT_ADDRESS};
    return types[slot_format_print(format)];
}

/* A column of a type that follows from the format. */
static void generic_format_column(struct report_table *t, const struct report_column *c, unsigned format, uint64_t n)
{
    struct report_column column = *c;
    column.type = type_of(format);
    if (report_declares(t)) {
        report_column(t, &column);
        return;
    }
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

static void generic_columns(struct report_table *t, const struct program_table *p, const struct program_row *row)
{
    if (p->key != FORMAT_NONE)
        generic_format_column(t, &(struct report_column){.member = "key", .title = "key", .at = KEY_AT}, p->key,
                              row->key);
    else if (p->by_slot)
        REPORT_COLUMN(t, COUNT, row->key, .member = "slot", .title = "slot", .at = KEY_AT, .plain = true);
    for (unsigned i = 0; i < p->members; i++) {
        const struct program_member *m = &p->member[i];
        const char *title = m->has_estimate && p->is_scaled ? NULL : m->name;
        generic_format_column(
            t, &(struct report_column){.group = "members", .member = m->name, .at = MEMBER_AT + i, .title = title},
            m->format, row->number[i].held);
    }
    for (unsigned i = 0; i < p->members; i++) {
        const struct program_member *m = &p->member[i];
        if (m->has_estimate)
            REPORT_COLUMN(t, REAL, row->number[i].estimate, .group = "estimated", .member = m->name,
                          .title = p->is_scaled ? m->name : NULL, .unit = m->unit, .at = MEMBER_AT + i);
    }
    for (unsigned i = 0; i < p->members; i++)
        if (p->member[i].has_interval)
            REPORT_COLUMN_IF(t, row->number[i].interval.is_known, INTERVAL, row->number[i].interval,
                             .group = "interval", .member = p->member[i].name, .unit = p->member[i].unit,
                             .at = MEMBER_AT + i);
    if (p->score.reference == NULL)
        return;
    for (unsigned i = 0; i < p->members; i++)
        if (p->member[i].has_exact)
            REPORT_COLUMN(t, COUNT, (uint64_t)row->number[i].exact, .group = "exact", .member = p->member[i].name,
                          .title = "exact", .unit = p->member[i].unit, .at = MEMBER_AT + i);
    REPORT_COLUMN(t, SHARE, row->error, .member = "error", .title = "error %", .decimals = 1, .sign = true,
                  .absent = "-", .at = ERROR_AT);
}

static void sum_columns(struct report_table *t, const struct program_member *m)
{
    REPORT_COLUMN(t, TEXT, m->name, .member = "member", .title = "sum of");
    REPORT_COLUMN(t, TEXT, m->unit, .member = "unit", .title = "unit");
    REPORT_COLUMN(t, REAL, m->estimated, .member = "estimated", .title = "estimated");
    REPORT_COLUMN(t, COUNT, (uint64_t)m->exact, .member = "exact", .title = "exact");
    REPORT_COLUMN(t, SHARE, m->error, .member = "error", .title = "misplaced %", .decimals = 2);
}

/* Reports the sums over all rows of each member with an exact count. */
static void report_counts(struct report *score, const struct program_table *p)
{
    struct report_table *t = report_table(score, "counts", NULL);
    report_whole(t);
    sum_columns(t, &(struct program_member){0});
    for (unsigned m = 0; m < p->members; m++)
        if (p->member[m].has_exact) {
            report_row(t);
            sum_columns(t, &p->member[m]);
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
    report_tally(score, "exact_rows", "exact rows", s->rows, "rows");
    report_tally(score, "rows_profiled", "  profiled", s->rows_profiled, "rows");
    report_tally(score, "rows_false", "  false positives", s->rows_false, "rows");
    report_tally(score, "exact_events", "exact events", s->events, s->unit);
    report_share(score, "profiled_share", s->events != 0 ? "  of profiled rows" : NULL,
                 s->events != 0 ? (double)s->events_profiled / (double)s->events : 0, 2);
    if (p->scale.selects) {
        report_tally(score, "events_seen", "  counted by the program", s->events_seen, s->unit);
        report_share(score, "seen_share", s->events != 0 ? "    of the exact events" : NULL,
                     s->events != 0 ? (double)s->events_seen / (double)s->events : 0, 2);
    }
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
    if (p->window != 0)
        report_note_line(r, "Windows of {window} samples: counts are corrected for the events that cross their ends.");
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
    if (p->window != 0)
        report_count(r, "window", NULL, p->window, NULL);
    struct report_table *t = report_table(r, "rows", "{name}: by {order}, {shown} of {rows}");
    report_order(t, "the largest count");
    struct program_number zeros[PROGRAM_MEMBERS] = {0};
    generic_columns(t, p, &(struct program_row){.number = zeros});
    for (size_t i = 0; i < p->rows; i++) {
        report_row(t);
        generic_columns(t, p, &p->row[i]);
    }
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
