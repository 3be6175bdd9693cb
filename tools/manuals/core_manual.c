/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints docs/core-reference.md, the cores' parameters and statistics, from config.def, stats.def and figures.def. */
#include <stdio.h>

#include "isa/isa.h"

/* Prints text in a cell of a Markdown table, with escaped bars. */
static void core_manual_print_cell(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '|')
            putchar('\\');
        putchar(*c);
    }
}

static void print_param(const char *key, long value, long min, long max, const char *unit, const char *help)
{
    printf("| `%s` | %ld | %ld to %ld | ", key, value, min, max);
    core_manual_print_cell(unit);
    fputs(" | ", stdout);
    core_manual_print_cell(help);
    puts(" |");
}

static void core_manual_print_params(void)
{
    puts("## Parameters\n\n"
         "`pcemu --dump-config` prints the parameters and their values as a configuration file. If the unit is a list\n"
         "of names, the value is one of them, and the default is its index.\n\n"
         "| key | default | range | unit | meaning |\n|---|---|---|---|---|");
#define PARAM(key, def, min, max, unit, help) print_param(#key, def, min, max, unit, help);
#define UNIT(key, kind, n, lat, pipe, help)                                \
    print_param(#key "_units", n, 1, 8, "units", help ": function units"); \
    print_param(#key "_cycles", lat, 1, 256, "cycles", help ": latency");  \
    print_param(#key "_pipelined", pipe, 0, 1, "no|yes", help ": one starts per cycle");
#include "core-model/config/config.def"
}

static void core_manual_print_stat(const char *name, const char *unit, const char *event, const char *help)
{
    printf("| `%s` | %s | %s%s%s | %s |\n", name, unit, event[0] != '\0' ? "`" : "", event, event[0] != '\0' ? "`" : "",
           help);
}

static void print_stats(void)
{
    puts("\n## Statistics\n\n"
         "`pcemu --stats FILE` writes the statistics. *Event* is the name of the same count in the RISC-V performance\n"
         "events draft.\n\n"
         "- The `stack_` lines are the cycle stack. Each cycle counts in one of them, so they sum to `cycles`.\n"
         "- The `fetch_` lines and `full_ftq` classify each cycle by the state of fetch. They sum to `cycles` too.\n"
         "- An `occupancy_` is the exact mean, over all cycles, of the entries in use at the end of the cycle.\n\n"
         "| name | unit | event | meaning |\n|---|---|---|---|");
#define STAT(name, unit, event, help) core_manual_print_stat(#name, unit, event, help);
#include "core-model/stats.def"
}

/* Prints a formula of figures.def without the C syntax around the names. */
static void print_formula(const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (c[0] == 's' && c[1] == '-' && c[2] == '>')
            c += 2;
        else
            putchar(*c);
    }
}

static void print_figure(const char *name, const char *unit, const char *metric, const char *numerator,
                         const char *denominator, const char *help)
{
    printf("| `%s` | %s | %s%s%s | ", name, unit, metric[0] != '\0' ? "`" : "", metric, metric[0] != '\0' ? "`" : "");
    print_formula(numerator);
    fputs(" / ", stdout);
    print_formula(denominator);
    printf(" | %s |\n", help);
}

static void print_figures(void)
{
    puts("\n## Derived figures\n\n"
         "The derived figures follow the statistics in the output. *Metric* is the draft's name. A formula whose\n"
         "denominator is 0 gives 0.\n\n"
         "| name | unit | metric | formula | meaning |\n|---|---|---|---|---|");
#define SCALED(scale, numerator) (scale == 1 ? numerator : #scale " * (" numerator ")")
#define FIGURE(name, unit, metric, scale, numerator, denominator, help) \
    print_figure(#name, unit, metric, SCALED(scale, #numerator), "(" #denominator ")", help);
#include "core-model/figures.def"
#undef SCALED
}

int main(void)
{
    puts("# The cores' parameters and statistics\n\n"
         "`make docs` writes this page from `core-model/config/config.def`, `core-model/stats.def` and\n"
         "`core-model/figures.def`. [core.md](core.md) describes the cores.\n");
    core_manual_print_params();
    print_stats();
    print_figures();
    (void)fflush(stdout); /* an error is kept */
    return ferror(stdout) ? 2 : 0;
}
