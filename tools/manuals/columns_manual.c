/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/columns.md, the columns of the text form, from legend.def. */
#include <stdio.h>
#include <string.h>

static void print_group(const char *heading, const char *page)
{
    const int file = (int)strcspn(page, "#");
    printf("\n## %s\n\nMore in [%.*s](%s).\n\n| column | tables | meaning |\n|---|---|---|\n", heading, file, page,
           page);
}

static void columns_manual_print_row(const char *tables, const char *title, const char *meaning)
{
    printf("| `%s` | `%s` | %s |\n", title, tables, meaning);
}

int main(void)
{
    puts(
        "# Columns of the tables\n\n"
        "Meaning of each column of the text form's tables, as a reference for [reports](reports.md#columns). `pcemu "
        "--legend`\n"
        "and `pcprof show --legend` print the rows of the tables shown. *Tables* are named by their path in\n"
        "[JSON](json.md); `*` stands for any text, and the most specific row applies. `(profiler)` stands for the "
        "columns\n"
        "whose title is a profiler's label, `(member)` for those of a slot's members. This page is generated from\n"
        "`host/report/legend.def`.\n\n"
        "*Ground truth* is the exact profile of the simulator; *relative error* and *total error* are against it. The\n"
        "*95 % interval* holds the true value in 95 of 100 runs with other random numbers. *False positives* are rows\n"
        "or values that a profile has and the ground truth does not.");
#define LEGEND_GROUP(heading, page) print_group(heading, page);
#define LEGEND(tables, title, meaning) columns_manual_print_row(tables, title, meaning);
#include "host/report/legend.def"
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? 2 : 0;
}
