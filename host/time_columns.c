/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/time_columns.h"

#include "host/interval.h"
#include "host/time_score.h"

const char time_unit[] = "1/840 cycles";
_Static_assert(TIME_PER_CYCLE == 840, "the unit's name");

void time_column_declare(struct report_table *t, const struct time_column *c)
{
    report_column(t, &(struct report_column){.type = REPORT_COUNT,
                                             .group = "time",
                                             .member = c->label,
                                             .unit = time_unit,
                                             .title = c->label,
                                             .decimals = 2,
                                             .of_total = true,
                                             .total = c->time});
}

void time_column_declare_interval(struct report_table *t, const struct time_column *c)
{
    report_column(t, &(struct report_column){
                         .type = REPORT_INTERVAL, .group = "interval", .member = c->label, .unit = time_unit});
}

void time_column_add_interval(struct report_table *t, const struct time_column *c, uint64_t time)
{
    double total = (double)c->time;
    struct interval i = interval_of_share(total > 0 ? (double)time / total : 0, (double)c->samples);
    if (i.is_known && time != 0)
        report_cell_interval(t, i.low * total, i.high * total);
    else
        report_cell_absent(t);
}

void time_columns_declare_categories(struct report_table *t)
{
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        report_column(t, &(struct report_column){.type = REPORT_COUNT,
                                                 .group = "categories",
                                                 .member = time_category_name((enum time_category)c),
                                                 .unit = time_unit});
}

void time_columns_declare_profiler(struct report_table *t)
{
    static const struct report_column columns[] = {
        {.type = REPORT_TEXT, .member = "profiler", .title = "profiler"},
        {.type = REPORT_FLAG, .member = "exact"},
        {.type = REPORT_COUNT, .member = "time", .unit = time_unit},
        {.type = REPORT_COUNT,
         .member = "samples",
         .title = "samples",
         .unit = "samples",
         .flag = "exact",
         .flag_text = "all"},
    };
    report_columns(t, columns, sizeof columns / sizeof columns[0]);
}

void time_columns_declare_errors(struct report_table *t)
{
    static const struct {
        const char *member, *title;
    } level[TIME_LEVEL_COUNT] = {
        {"instruction", "error %: instruction"}, {"block", "basic block"}, {"function", "function"}};
    for (int l = 0; l < TIME_LEVEL_COUNT; l++)
        report_column(t, &(struct report_column){.type = REPORT_SHARE,
                                                 .group = "error",
                                                 .member = level[l].member,
                                                 .title = level[l].title,
                                                 .decimals = 2,
                                                 .flag = "exact",
                                                 .flag_text = "exact",
                                                 .absent = "-"});
}
