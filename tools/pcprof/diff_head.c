/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of pcprof diff: the sentence that says what has changed, and the two sides. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pcprof/diff.h"

/* ---- what has changed ---- */

/* "12.3 % fewer", "3.0 % more". The caller frees it. */
static char *say_change(double relative)
{
    return xasprintf("%.2f %% %s", 100 * fabs(relative), relative < 0 ? "fewer" : "more");
}

/* " (95 % interval 11.2 % to 13.4 %)", of fewer ones with the signs turned. The caller frees it. */
static char *say_interval(const struct spread_difference *x)
{
    double sign = x->difference < 0 ? -1 : 1;
    double low = 100 * sign * (sign < 0 ? x->high : x->low), high = 100 * sign * (sign < 0 ? x->low : x->high);
    if (isnan(x->low) || x->low == x->high)
        return xstrdup("");
    return xasprintf(" (95 %% interval %.2f %% to %.2f %%)", low, high);
}

/* The caller frees it. */
static char *say_total(const struct diff *d, const struct diff_row *total)
{
    const char *event = d->values.name;
    if (isnan(total->relative.difference))
        return xasprintf("%s has no %s.", d->side[0].name, event);
    if (isnan(diff_total_difference(total)))
        return xasprintf("%s and %s have the same %s per run.", d->side[1].name, d->side[0].name, event);
    char *change = say_change(total->relative.difference), *interval = say_interval(&total->relative);
    const char *doubt = diff_is_significant(total) || isnan(total->absolute.probability)
                            ? ""
                            : "; the difference is not significant";
    char *text = xasprintf("%s has %s %s per run than %s%s%s.", d->side[1].name, change, event, d->side[0].name,
                           interval, doubt);
    free(change);
    free(interval);
    return text;
}

/* ---- harts ---- */

/* Numbers of harts of a side's runs; 0: unknown. */
struct hart_range {
    uint64_t least, most;
};

static struct hart_range harts_of(const struct diff *d, const struct diff_side *side)
{
    struct hart_range range = {d->values.run[side->first].harts, 0};
    for (size_t n = side->first; n < side->end; n++) {
        uint64_t harts = d->values.run[n].harts;
        range.least = harts < range.least ? harts : range.least;
        range.most = harts > range.most ? harts : range.most;
    }
    return range;
}

/* "1 hart", "2 harts", "1 to 2 harts". The caller frees it. */
static char *say_harts(const struct hart_range *range)
{
    if (range->least != range->most)
        return xasprintf("%" PRIu64 " to %" PRIu64 " harts", range->least, range->most);
    return xasprintf("%" PRIu64 " hart%s", range->most, range->most == 1 ? "" : "s");
}

/* Unit of the rows if the numbers of harts differ. */
static void report_harts(const struct diff *d, bool are_cycles, struct report *r)
{
    const struct hart_range a = harts_of(d, &d->side[0]), b = harts_of(d, &d->side[1]);
    if (a.least == 0 || b.least == 0 || (a.least == a.most && b.least == b.most && a.most == b.most))
        return;
    char *before = say_harts(&a), *after = say_harts(&b);
    char *text = xasprintf("%s has %s, %s has %s: the rows and their total are sums over the harts of a run%s.",
                           d->side[0].name, before, d->side[1].name, after, are_cycles ? ", idle cycles included" : "");
    report_text(r, "harts", "harts", text);
    free(before);
    free(after);
    free(text);
}

/* ---- the sides ---- */

static void side_columns(struct report_table *t, const struct diff *d, const struct diff_row *length, unsigned s)
{
    static const char *const names[] = {"before", "after"};
    const struct diff_side *side = &d->side[s];
    const struct hart_range harts = harts_of(d, side);
    char *profilers = run_values_name_profilers(&d->values, side->first, side->end);
    REPORT_COLUMN(t, TEXT, names[s], .member = "side", .title = "side");
    REPORT_COLUMN(t, TEXT, side->name, .member = "selection", .title = "selection");
    REPORT_COLUMN(t, COUNT, side->end - side->first, .member = "runs", .title = "runs", .unit = "runs");
    REPORT_COLUMN_IF(t, harts.least == harts.most && harts.least != 0, COUNT, harts.least, .member = "harts",
                     .title = "harts", .unit = "harts", .absent = "-");
    REPORT_COLUMN(t, REAL, length->mean[s], .member = "length", .title = "length", .unit = "cycles");
    REPORT_COLUMN(t, TEXT, d->values.name, .member = "event", .title = "event");
    REPORT_COLUMN(t, TEXT, profilers, .member = "by", .title = "by");
    free(profilers);
}

static void add_sides(const struct diff *d, const struct diff_row *length, struct report *r)
{
    struct report_table *t = report_table(r, "sides", NULL);
    report_whole(t);
    side_columns(t, d, length, 0);
    for (unsigned s = 0; s < 2; s++) {
        report_row(t);
        side_columns(t, d, length, s);
    }
}

void diff_report_head(const struct diff *d, const struct diff_row *total, struct report *r)
{
    const bool are_cycles = strcmp(d->values.name, "cycles") == 0;
    const struct diff_row length = diff_lengths(d);
    char *sentence = say_total(d, are_cycles ? &length : total);
    report_text(r, "change", "change", sentence);
    report_harts(d, are_cycles, r);
    add_sides(d, &length, r);
    free(sentence);
}
