/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/time_columns.h"

#include <stdio.h>

#include "base/interval.h"
#include "host/family/time_score.h"
#include "host/report/words.h"

const char time_unit[] = "1/840 cycles";
_Static_assert(TIME_PER_CYCLE == 840, "the unit's name");

void time_columns_time(struct report_table *t, const struct time_column *c, uint64_t time)
{
    REPORT_COLUMN(t, COUNT, time, .group = "time", .member = c->label, .unit = time_unit, .title = c->label,
                  .decimals = 2, .heat = true, .of_total = true, .total = c->time);
}

void time_columns_interval(struct report_table *t, const struct time_column *c, uint64_t time)
{
    const double total = (double)c->time;
    const double found = total > 0 ? (double)time / total * (double)c->samples : 0;
    struct interval i = interval_of_found(found, (double)c->samples);
    i.low *= total;
    i.high *= total;
    REPORT_COLUMN_IF(t, i.is_known && !c->weighted, INTERVAL, i, .group = "interval", .member = c->label,
                     .unit = time_unit);
}

const char *time_columns_no_place(bool has_idle) { return has_idle ? "(idle or handler)" : "(handler)"; }

const char *time_columns_category(enum time_category c, bool has_idle)
{
    return has_idle && c == TIME_HANDLER ? "idle or handler" : time_category_name(c);
}

void time_columns_categories(struct report_table *t, bool has_idle, const uint64_t *time, bool with_zeros)
{
    for (enum time_category c = 0; c < TIME_CATEGORY_COUNT; c++)
        REPORT_COLUMN_IF(t, time != NULL && (with_zeros || time[c] != 0), COUNT, time[c], .group = "categories",
                         .member = time_columns_category(c, has_idle), .unit = time_unit);
}

void time_columns_profiler(struct report_table *t, const struct time_column *c)
{
    REPORT_COLUMN(t, TEXT, c->label, .member = "profiler", .title = "profiler");
    REPORT_COLUMN(t, FLAG, c->exact, .member = "exact");
    REPORT_COLUMN(t, COUNT, c->time, .member = "time", .unit = time_unit);
    REPORT_COLUMN(t, COUNT, c->samples, .member = "samples", .title = "samples", .unit = "samples", .flag = "exact",
                  .flag_text = "all");
}

void time_columns_errors(struct report_table *t, const double *error)
{
    static const struct {
        const char *member, *title;
    } level[TIME_LEVEL_COUNT] = {
        {"instruction", "error %: instruction"}, {"block", "basic block"}, {"function", "function"}};
    for (int l = 0; l < TIME_LEVEL_COUNT; l++)
        REPORT_COLUMN_IF(t, error != NULL, SHARE, error[l], .group = "error", .member = level[l].member,
                         .title = level[l].title, .decimals = 2, .flag = "exact", .flag_text = "exact", .absent = "-");
}

void time_columns_note_samples(const struct time_column *c, unsigned count, uint64_t cycles, struct report *r)
{
    char words[512], period[REPORT_NUMBER], run[REPORT_NUMBER];
    bool noted = false;
    for (unsigned i = 0; i < count; i++) {
        if (c[i].exact || c[i].samples != 0 || cycles == 0)
            continue;
        if (!noted)
            report_note(r,
                        "Warning: no samples: these profilers have no profile; a shorter period (period=N) has more");
        noted = true;
        snprintf(words, sizeof words, "  %.400s: the period is %s %s, the run has %s cycles", c[i].label,
                 report_number(period, c[i].period), c[i].period_unit, report_number(run, cycles));
        report_note_line(r, words);
    }
}

void time_columns_note_reference(const struct time_column *c, unsigned count, const char *reference, struct report *r)
{
    char words[160];
    for (unsigned i = 0; i < count; i++)
        if (c[i].exact)
            return;
    snprintf(words, sizeof words,
             "The errors are not known (-) without an exact profile of the same run: add %s to --profile", reference);
    report_note(r, words);
}
