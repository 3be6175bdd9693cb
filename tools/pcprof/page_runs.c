/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs of the page. Details of a run are parts of its report and of its statistics:
 *   .detail.time .pics      as in the report, without functions, instructions and stacks
 *   .detail.counts[] .counters[] .collection[] .timeline[] .ipc[] .phases
 *   .detail.coprocessor     as in the statistics, without the words of the program
 *   .detail.cost[]          label, unit, value: page_cost.def */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/report/json_value.h"
#include "tools/pcprof/page.h"
#include "tools/pcprof/report_rows.h"

static const struct {
    const char *key, *unit, *label;
} costs[] = {
#define COST(key, unit, label) {#key, unit, label},
#include "tools/pcprof/page_cost.def"
};

/* ---- cycle stacks ---- */

static uint32_t page_runs_component(struct page *p, const char *name)
{
    json_t *number = json_object_get(p->component_of, name);
    if (number == NULL) {
        number = json_put(p->component_of, name, json_integer((json_int_t)json_array_size(p->components)));
        json_push(p->components, json_text(name));
    }
    return (uint32_t)json_integer_value(number);
}

/* The place of a row of a report. Time of no instruction has no procedure. */
static struct page_value page_runs_place_of(const struct page *p, const json_t *row, const char *guest)
{
    struct page_value v = {.image = PROF_UNKNOWN, .key = UINT64_MAX, .exact = (double)NAN};
    struct profile_place at;
    if (!report_rows_place(p->profile, row, guest, &at))
        return v;
    const struct profile_symbol *s = profile_find_symbol(profile_image(p->profile, at.image), at.address);
    v.image = at.image;
    v.address = at.address;
    v.key = s != NULL ? s->start : UINT64_MAX;
    return v;
}

/* Notes whose cycles the categories are. */
static void page_runs_name_categories(struct page *p, const json_t *time)
{
    size_t n;
    json_t *profiler;
    const char *by = report_rows_reference(time);
    json_array_foreach(json_object_get(time, "profilers"), n, profiler)
    {
        const char *name = json_string_value(json_object_get(profiler, "profiler"));
        if (by == NULL || name == NULL || strcmp(name, by) != 0)
            continue;
        bool exact = json_is_true(json_object_get(profiler, "exact"));
        if (p->categories == NULL) {
            p->categories = json_object();
            json_put(p->categories, "by", json_text(by));
            json_put(p->categories, "exact", json_boolean(exact));
        } else if (!exact) {
            json_put(p->categories, "exact", json_false());
        }
        return;
    }
}

/* Categories of the instructions (.time), and signatures (.pics). */
static void add_categories(struct page *p, const json_t *time, const char *guest)
{
    size_t n;
    json_t *row, *units;
    const char *name;
    json_array_foreach(json_object_get(time, "instructions"), n, row)
    {
        struct page_value v = page_runs_place_of(p, row, guest);
        v.kind = PAGE_CATEGORY;
        json_object_foreach(json_object_get(row, "categories"), name, units)
        {
            v.which = page_runs_component(p, name);
            v.estimate = report_rows_cycles(time, units);
            page_add(p, &v);
        }
    }
}

static void add_signatures(struct page *p, const json_t *pics, const char *guest)
{
    size_t n;
    json_t *row;
    const char *by = report_rows_reference(pics);
    json_array_foreach(json_object_get(pics, "stacks"), n, row)
    {
        struct page_value v = page_runs_place_of(p, row, guest);
        const char *signature = json_string_value(json_object_get(row, "signature"));
        if (by == NULL || signature == NULL)
            continue;
        v.kind = PAGE_SIGNATURE;
        v.which = page_runs_component(p, signature);
        v.estimate = report_rows_cycles(pics, json_object_get(json_object_get(row, "time"), by));
        page_add(p, &v);
    }
}

/* ---- intervals ---- */

/* Adds the interval of an estimate, which is in the report's units: `scale` of them are one of the event. */
static void page_runs_add_interval(struct page *p, struct page_value v, size_t column, const json_t *interval,
                                   const json_t *estimate, double scale)
{
    double low = json_number_value(json_array_get(interval, 0)), high = json_number_value(json_array_get(interval, 1));
    double middle = json_number_value(estimate);
    if (column == SIZE_MAX || !json_is_array(interval) || !json_is_number(estimate) || !(scale > 0))
        return;
    v.kind = PAGE_INTERVAL;
    v.which = (uint32_t)column;
    v.estimate = pow(fmax(middle - low, 0) / scale, 2);
    v.exact = pow(fmax(high - middle, 0) / scale, 2);
    page_add(p, &v);
}

static void add_time_intervals(struct page *p, const json_t *time, const char *guest)
{
    size_t n;
    json_t *row, *interval;
    const char *by;
    double scale = json_number_value(json_object_get(time, "per_cycle"));
    json_array_foreach(json_object_get(time, "instructions"), n, row)
    {
        struct page_value v = page_runs_place_of(p, row, guest);
        json_object_foreach(json_object_get(row, "interval"), by, interval)
            page_runs_add_interval(p, v, page_columns_find(p, "cycles", by), interval,
                                   json_object_get(json_object_get(row, "time"), by), scale);
    }
}

static void add_count_intervals(struct page *p, const json_t *counts, const char *guest)
{
    size_t n, m;
    json_t *row, *profile, *interval;
    const char *event;
    json_array_foreach(json_object_get(counts, "instructions"), n, row)
    {
        struct page_value v = page_runs_place_of(p, row, guest);
        json_array_foreach(json_object_get(row, "profiles"), m, profile)
        {
            const char *by = json_string_value(json_object_get(profile, "profiler"));
            if (by == NULL)
                continue;
            json_object_foreach(json_object_get(profile, "interval"), event, interval)
                page_runs_add_interval(p, v, page_columns_find(p, event, by), interval,
                                       json_object_get(json_object_get(profile, "counts"), event), 1);
        }
    }
}

/* ---- details ---- */

/* Adds a copy of the section without the members named; without the section nothing. */
static void copy_without(json_t *to, const json_t *from, const char *key, const char *const *without, size_t count)
{
    json_t *copy = json_copy(json_object_get(from, key));
    if (copy == NULL)
        return;
    for (size_t n = 0; n < count; n++)
        json_object_del(copy, without[n]);
    json_put(to, key, copy);
}

/* Adds a member of the report, or of a section of it; absent ones not. */
static void copy_member(json_t *to, const char *name, const json_t *from, const char *section, const char *key)
{
    json_t *value = json_object_get(section != NULL ? json_object_get(from, section) : from, key);
    if (value != NULL)
        json_put(to, name, json_incref(value));
}

static json_t *cost_of(const json_t *report)
{
    json_t *list = json_array();
    for (size_t n = 0; n < sizeof costs / sizeof costs[0]; n++) {
        json_t *value = json_object_get(report, costs[n].key);
        if (!json_is_number(value))
            continue;
        json_t *row = json_push(list, json_object());
        json_put(row, "label", json_string(costs[n].label));
        json_put(row, "unit", json_string(costs[n].unit));
        json_put(row, "value", json_incref(value));
    }
    return list;
}

static json_t *detail_of(struct page *p, const json_t *report, const json_t *statistics, const char *guest)
{
    static const char *const places[] = {"functions", "instructions", "stacks"}, *const words[] = {"words_executed"};
    json_t *o = json_object();
    page_runs_name_categories(p, json_object_get(report, "time"));
    add_categories(p, json_object_get(report, "time"), guest);
    if (p->has_all_reports) {
        add_time_intervals(p, json_object_get(report, "time"), guest);
        add_count_intervals(p, json_object_get(report, "counts"), guest);
    }
    add_signatures(p, json_object_get(report, "pics"), guest);
    copy_without(o, report, "time", places, sizeof places / sizeof places[0]);
    copy_without(o, report, "pics", places, sizeof places / sizeof places[0]);
    copy_without(o, statistics, "coprocessor", words, 1);
    copy_member(o, "counts", report, "counts", "profilers");
    copy_member(o, "counters", report, "counters", "events");
    copy_member(o, "collection", report, "collection", "harts");
    copy_member(o, "timeline", report, NULL, "timeline");
    copy_member(o, "ipc", report, NULL, "ipc");
    copy_member(o, "phases", report, NULL, "phases");
    json_put(o, "cost", cost_of(report));
    return o;
}

/* ---- runs ---- */

static enum status add_detail(struct page *p, const struct profile_store *s, const struct store_run_info *run,
                              json_t *row, struct errmsg *err)
{
    char *text = NULL;
    size_t size_bytes = 0;
    json_t *report = NULL, *statistics = NULL;
    enum status st = store_report(s, run->id, &text, &size_bytes, err);
    if (st == ST_OK)
        st = report_rows_parse(s, run->id, "results", text, size_bytes, &report, err);
    if (st == ST_OK)
        st = store_statistics(s, run->id, &text, &size_bytes, err);
    if (st == ST_OK)
        st = report_rows_parse(s, run->id, "statistics", text, size_bytes, &statistics, err);
    if (st == ST_OK)
        json_put(row, "detail", detail_of(p, report, statistics, run->guest));
    json_decref(report);
    json_decref(statistics);
    return st;
}

static json_t *page_runs_describe(const struct store_run_info *run)
{
    char when[32] = "";
    time_t seconds = (time_t)run->time;
    struct tm tm;
    json_t *row = json_object();
    if (gmtime_r(&seconds, &tm) != NULL)
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
    json_put(row, "run", json_integer(run->id));
    json_put(row, "epoch", json_text(run->epoch));
    json_put(row, "time", json_string(when));
    json_put(row, "guest", json_text(run->guest));
    json_put(row, "configuration", json_text(run->configuration));
    json_put(row, "harts", run->harts != 0 ? json_integer((json_int_t)run->harts) : json_null());
    json_put(row, "program", json_text(run->program));
    json_put(row, "seed", json_number((double)run->seed));
    json_put(row, "cycles", json_number((double)run->cycles));
    json_put(row, "instructions", json_number((double)run->instructions));
    json_put(row, "partial", json_boolean(run->partial));
    json_put(row, "command", json_text(run->command));
    return row;
}

enum status page_runs(struct page *p, const struct profile_store *s, const struct store_contents *c, json_t **runs,
                      struct errmsg *err)
{
    enum status st = ST_OK;
    *runs = json_array();
    p->has_all_reports = c->runs <= PAGE_RUNS;
    for (size_t n = 0; n < c->runs && st == ST_OK; n++) {
        json_t *row = json_push(*runs, page_runs_describe(&c->run[n]));
        if (n < PAGE_RUNS)
            st = add_detail(p, s, &c->run[n], row, err);
    }
    return st;
}
