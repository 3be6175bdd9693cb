/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/unit_report.h"

#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/order.h"
#include "host/family/gain_parts.h"

/* The names of events that are gains begin so; their causes follow. */
static const char gain_prefix[] = "gain.";

/* A row of a table. */
struct unit_line {
    struct region_share share;
    const char *name;               /* of a cause, or of a question */
    const struct unit_place *place; /* of an instruction; of a function, one of its */
    double value;                   /* share.share */
    bool has_interaction;
    struct region_share interaction; /* of a question about several places */
};

ORDER(unit_line_by_share, struct unit_line, FALLING(value) RISING(place->image) RISING(place->address))
ORDER(unit_line_by_name, struct unit_line, FALLING(value) ALPHABETIC(name))

/* ---- columns ---- */

static void share_columns(struct report_table *t, const struct region_share *s, const char *member, const char *title)
{
    const struct interval interval = {s->has_interval, s->share - s->half, s->share + s->half};
    REPORT_COLUMN(t, SHARE, s->share, .member = member, .title = title, .decimals = 2);
    REPORT_COLUMN_IF(t, interval.is_known, INTERVAL, interval, .member = "interval", .title = "95 %", .decimals = 2,
                     .percent = true, .absent = "-");
    REPORT_COLUMN(t, COUNT, s->units, .member = "units", .title = "units", .unit = "units");
}

/* The function at a place; NULL: code without a symbol. */
static const struct profile_symbol *unit_symbol(const struct unit_profile *u, const struct unit_place *at)
{
    return profile_find_symbol(profile_image(u->profile, at->image), at->address);
}

static char *unit_function_name(const struct unit_profile *u, const struct unit_place *at)
{
    const struct profile_symbol *s = unit_symbol(u, at);
    return s != NULL ? xstrdup(s->unique) : xasprintf("[%s]", profile_image(u->profile, at->image)->name);
}

static char *unit_source_line(const struct unit_profile *u, const struct unit_place *at)
{
    const struct profile_line *l = profile_find_line(profile_image(u->profile, at->image), at->address);
    return l != NULL ? xasprintf("%s:%" PRIu32, basename((char *)profile_file(u->profile, l->file)), l->line) : NULL;
}

static void unit_place_columns(struct report_table *t, const struct unit_profile *u, const struct unit_line *l,
                               bool is_function)
{
    const bool declares = report_declares(t);
    char *function = declares ? NULL : unit_function_name(u, l->place), *offset = NULL,
         *line = declares || is_function ? NULL : unit_source_line(u, l->place);
    if (!declares && !is_function && unit_symbol(u, l->place) != NULL)
        offset = xasprintf("+0x%" PRIx64, l->place->address - unit_symbol(u, l->place)->start);
    if (!is_function)
        REPORT_COLUMN(t, HEX, l->place->address, .member = "address", .title = "address");
    REPORT_COLUMN(t, TEXT, function, .member = "function", .title = "function", .function = true, .suffix = "",
                  .suffix_of = is_function ? NULL : "offset");
    if (!is_function)
        REPORT_COLUMN_IF(t, offset != NULL, TEXT, offset, .member = "offset", .optional = true);
    if (!is_function)
        REPORT_COLUMN_IF(t, line != NULL, TEXT, line, .member = "line", .title = "line", .optional = true);
    REPORT_COLUMN(t, TEXT, declares ? NULL : profile_image(u->profile, l->place->image)->name, .member = "image",
                  .title = "image");
    free(function);
    free(offset);
    free(line);
}

/* ---- cycles by cause, and gains ---- */

/* Adds a row, `sum`: a question's cycles less those of its parts. */
static void add_interaction(struct region_shares *s, const struct unit_named *n, size_t row, const size_t *part,
                            size_t parts, size_t sum)
{
    for (uint32_t unit = 0; unit < s->units; unit++) {
        double value = unit_named_value(n, row, unit);
        for (size_t k = 0; k < parts; k++)
            value -= unit_named_value(n, part[k], unit);
        region_shares_add(s, sum, (struct region_shares_value){.unit = unit, .value = value});
    }
}

/* Sets the interaction costs of lines, one for each row. */
static void find_interactions(const struct unit_named *n, struct unit_line *line)
{
    size_t part[GAIN_PARTS];
    struct region_shares s = region_shares_new(n->shares.plan);
    memcpy(s.whole, n->shares.whole, s.units * sizeof *s.whole);
    for (size_t row = 0; row < n->shares.rows; row++) {
        const size_t parts = gain_parts((const char *const *)n->name, n->shares.rows, row, part), sum = s.rows;
        line[row].has_interaction = parts != 0;
        if (parts == 0)
            continue;
        add_interaction(&s, n, row, part, parts, sum);
        line[row].interaction = region_shares_estimate(&s, sum);
    }
    region_shares_release(&s);
}

/* Rows in descending order, without those of 0 if `all` is not set; the caller frees them. */
static struct unit_line *named_lines(const struct unit_named *n, bool all, size_t *count)
{
    struct unit_line *line = xcalloc(n->shares.rows + 1, sizeof *line);
    *count = 0;
    for (size_t row = 0; row < n->shares.rows; row++) {
        const struct region_share s = region_shares_estimate(&n->shares, row);
        if (all || s.share != 0)
            line[(*count)++] = (struct unit_line){.share = s, .name = n->name[row], .value = s.share};
    }
    if (all)
        find_interactions(n, line);
    qsort(line, *count, sizeof *line, unit_line_by_name);
    return line;
}

static void unit_stack_columns(struct report_table *t, const struct unit_line *l)
{
    share_columns(t, &l->share, "share", "%");
    REPORT_COLUMN(t, TEXT, l->name, .member = "cause", .title = "cause");
}

/* The interaction cost of a question's parts, of which `has` is set if there are any. */
static void interaction_columns(struct report_table *t, const struct region_share *s, bool has)
{
    const struct interval interval = {s->has_interval, s->share - s->half, s->share + s->half};
    REPORT_COLUMN_IF(t, has, SHARE, s->share, .member = "interaction", .title = "interaction %", .decimals = 2,
                     .optional = true);
    REPORT_COLUMN_IF(t, has && interval.is_known, INTERVAL, interval, .member = "interaction_interval", .title = "95 %",
                     .decimals = 2, .percent = true, .optional = true);
}

static void unit_gain_columns(struct report_table *t, const struct unit_line *l)
{
    share_columns(t, &l->share, "gain", "gain %");
    interaction_columns(t, &l->interaction, l->has_interaction);
    REPORT_COLUMN(t, TEXT, l->name, .member = "asked", .title = "asked");
}

static void add_named(struct report_table *t, const struct unit_named *n, bool all,
                      void (*columns)(struct report_table *t, const struct unit_line *l))
{
    static const struct unit_line none = {.name = ""};
    size_t count;
    struct unit_line *line = named_lines(n, all, &count);
    report_whole(t);
    columns(t, &none);
    for (size_t i = 0; i < count; i++) {
        report_row(t);
        columns(t, &line[i]);
    }
    free(line);
}

/* ---- events ---- */

/* Prints a table of lines, with the causes that a gain is by if it is one of gains. */
enum unit_table { UNIT_INSTRUCTIONS, UNIT_FUNCTIONS, UNIT_GAINS };

static void unit_line_columns(struct report_table *t, const struct unit_profile *u, const struct unit_line *l,
                              enum unit_table kind)
{
    const bool is_gain = kind == UNIT_GAINS;
    share_columns(t, &l->share, is_gain ? "gain" : "share", is_gain ? "gain %" : "%");
    if (is_gain)
        REPORT_COLUMN(t, TEXT, report_declares(t) ? NULL : u->event[l->place->event].event.name + strlen(gain_prefix),
                      .member = "removed", .title = "removed");
    unit_place_columns(t, u, l, kind == UNIT_FUNCTIONS);
}

static void add_lines(struct report *r, const char *key, const char *title, const struct unit_profile *u,
                      struct unit_line *line, size_t count, enum unit_table kind)
{
    static const struct unit_place nowhere;
    static const struct unit_line none = {.place = &nowhere};
    struct report_table *t = report_table(r, key, title);
    qsort(line, count, sizeof *line, unit_line_by_share);
    unit_line_columns(t, u, &none, kind);
    for (size_t n = 0; n < count; n++) {
        report_row(t);
        unit_line_columns(t, u, &line[n], kind);
    }
}

/* Appends the rows of shares; `place` is one for each. */
static void estimate_lines(const struct region_shares *s, const struct unit_place *const *place,
                           struct unit_line **line, size_t *count)
{
    for (size_t row = 0; row < s->rows; row++) {
        const struct region_share share = region_shares_estimate(s, row);
        *line = xgrow(*line, *count, sizeof **line);
        (*line)[(*count)++] = (struct unit_line){.share = share, .place = place[row], .value = share.share};
    }
}

/* Where a function begins; code without one is a group of its own for each image. */
static uint64_t function_start(const struct unit_profile *u, const struct unit_place *at)
{
    const struct profile_symbol *s = unit_symbol(u, at);
    return s != NULL ? s->start : UINT64_MAX;
}

struct unit_function {
    uint32_t image;
    uint64_t start;
    size_t row; /* of the event */
};

ORDER(unit_function_by_start, struct unit_function, RISING(image) RISING(start) RISING(row))

/* The functions of an event's rows: the number of each row's, and for each function a place in it. */
static void find_functions(const struct unit_profile *u, const struct unit_event *e, size_t *of,
                           const struct unit_place **place)
{
    struct unit_function *f = xcalloc(e->shares.rows + 1, sizeof *f);
    for (size_t row = 0; row < e->shares.rows; row++)
        f[row] = (struct unit_function){e->place[row]->image, function_start(u, e->place[row]), row};
    qsort(f, e->shares.rows, sizeof *f, unit_function_by_start);
    size_t groups = 0;
    for (size_t i = 0; i < e->shares.rows; i++) {
        if (i == 0 || f[i].image != f[i - 1].image || f[i].start != f[i - 1].start)
            place[groups++] = e->place[f[i].row];
        of[f[i].row] = groups - 1;
    }
    free(f);
}

static void add_functions(struct report *r, const struct unit_profile *u, const struct unit_event *e, const char *title)
{
    size_t *of = xcalloc(e->shares.rows + 1, sizeof *of), count = 0;
    const struct unit_place **place = xcalloc(e->shares.rows + 1, sizeof *place);
    struct unit_line *line = NULL;
    find_functions(u, e, of, place);
    struct region_shares functions = region_shares_group(&e->shares, of);
    estimate_lines(&functions, place, &line, &count);
    add_lines(r, "functions", title, u, line, count, UNIT_FUNCTIONS);
    free(line);
    region_shares_release(&functions);
    free(place);
    free(of);
}

static void add_event(struct report *list, const struct unit_profile *u, const struct unit_event *e)
{
    const struct region_share unseen = region_shares_unseen(&e->shares);
    struct report *r = report_element(list, e->event.by);
    char *instructions = xasprintf("Instructions by %s of %s, {shown} of {rows}", e->event.name, e->event.by),
         *functions = xasprintf("Functions by %s of %s, {shown} of {rows}", e->event.name, e->event.by);
    struct unit_line *line = NULL;
    size_t count = 0;
    report_text(r, "event", NULL, e->event.name);
    report_text(r, "by", "profiler", e->event.by);
    report_share(r, "unseen", "  at instructions that no unit has", unseen.share, 2);
    if (unseen.has_interval)
        report_interval(r, unseen.share - unseen.half, unseen.share + unseen.half);
    estimate_lines(&e->shares, (const struct unit_place *const *)e->place, &line, &count);
    add_lines(r, "instructions", instructions, u, line, count, UNIT_INSTRUCTIONS);
    add_functions(r, u, e, functions);
    free(line);
    free(instructions);
    free(functions);
}

/* ---- estimated gains ---- */

static bool is_gain(const struct unit_event *e)
{
    return strncmp(e->event.name, gain_prefix, strlen(gain_prefix)) == 0 &&
           strcmp(e->event.by, PROFILE_GAIN_MEASURED) != 0;
}

static bool is_first_by(const struct unit_profile *u, size_t event)
{
    bool is_first = true;
    for (size_t n = 0; n < event; n++)
        is_first = is_first && !(is_gain(&u->event[n]) && strcmp(u->event[n].event.by, u->event[event].event.by) == 0);
    return is_first;
}

/* Adds all gains of a profiler; those of several instructions do not add up to that of a function. */
static void add_estimated_gains(struct report *list, const struct unit_profile *u, const char *by)
{
    struct report *r = report_element(list, by);
    char *title = xasprintf("Estimated gains by %s, {shown} of {rows}", by);
    struct unit_line *line = NULL;
    size_t count = 0;
    for (size_t n = 0; n < u->events; n++)
        if (is_gain(&u->event[n]) && strcmp(u->event[n].event.by, by) == 0)
            estimate_lines(&u->event[n].shares, (const struct unit_place *const *)u->event[n].place, &line, &count);
    report_text(r, "by", NULL, by);
    add_lines(r, "instructions", title, u, line, count, UNIT_GAINS);
    free(line);
    free(title);
}

void unit_report(struct report *r, const struct unit_profile *u)
{
    add_named(report_table(r, "causes", "Cycles by cause"), &u->stack, false, unit_stack_columns);
    if (u->gains.shares.rows != 0)
        add_named(report_table(r, "gains", "Gains without causes of delay"), &u->gains, true, unit_gain_columns);
    struct report *profiles = report_list(r, "profiles"), *estimated = report_list(r, "estimated_gains");
    for (size_t n = 0; n < u->events; n++)
        if (is_gain(&u->event[n]) && is_first_by(u, n))
            add_estimated_gains(estimated, u, u->event[n].event.by);
        else if (strncmp(u->event[n].event.name, gain_prefix, strlen(gain_prefix)) != 0)
            add_event(profiles, u, &u->event[n]);
}
