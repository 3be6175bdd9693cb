/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/categories.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "contract/timeprof.h"
#include "tools/pcprof/report_rows.h"

ORDER(categories_compare, struct export_cause, RISING(image) RISING(address) RISING(category))

/* The category of a name; TIME_CATEGORY_COUNT: none has it. */
static uint32_t categories_find(const char *name)
{
    uint32_t c = 0;
    while (c < TIME_CATEGORY_COUNT && strcmp(time_category_name((enum time_category)c), name) != 0)
        c++;
    return c;
}

/* The name of a profiler as the profile's events have it; NULL: no event is by it. */
static const char *categories_profiler(const struct profile *p, const char *by)
{
    for (uint32_t e = 0; by != NULL && e < profile_events(p); e++)
        if (strcmp(profile_event(p, e)->by, by) == 0)
            return profile_event(p, e)->by;
    return NULL;
}

/* Adds the categories of a row at a place, for which there is room. */
static void categories_add_row(struct export_causes *causes, const json_t *time, json_t *row, struct profile_place at)
{
    const char *name;
    json_t *units;
    json_object_foreach(json_object_get(row, "categories"), name, units)
    {
        const uint32_t category = categories_find(name);
        if (category < TIME_CATEGORY_COUNT)
            causes->cause[causes->count++] = (struct export_cause){at.image, category, at.address,
                                                                   report_rows_cycles(time, units)};
    }
}

static void categories_add_run(struct export_causes *causes, const struct profile *p, const json_t *report,
                               const char *guest)
{
    size_t n;
    json_t *row;
    struct profile_place at;
    const json_t *time = json_object_get(report, "time");
    const char *by = categories_profiler(p, report_rows_reference(time));
    if (by == NULL || (causes->by != NULL && strcmp(causes->by, by) != 0))
        return;
    causes->by = by;
    const size_t most = causes->count + json_array_size(json_object_get(time, "instructions")) * TIME_CATEGORY_COUNT;
    causes->cause = xrealloc(causes->cause, (most + 1) * sizeof *causes->cause);
    json_array_foreach(json_object_get(time, "instructions"), n, row)
    {
        if (report_rows_place(p, row, guest, &at))
            categories_add_row(causes, time, row, at);
    }
}

enum status categories_load(const struct pcprof_input *in, const struct profile *p, struct export_causes *causes,
                            struct errmsg *err)
{
    enum status st = ST_OK;
    *causes = (struct export_causes){.by = NULL};
    for (size_t n = 0; n < in->contents.runs && st == ST_OK; n++) {
        const struct store_run_info *run = &in->contents.run[n];
        char *text = NULL;
        size_t size_bytes = 0;
        json_t *report = NULL;
        st = store_report(in->store, run->id, &text, &size_bytes, err);
        if (st == ST_OK)
            st = report_rows_parse(in->store, run->id, "results", text, size_bytes, &report, err);
        if (st == ST_OK)
            categories_add_run(causes, p, report, run->guest);
        json_decref(report);
    }
    if (causes->count > 0)
        qsort(causes->cause, causes->count, sizeof *causes->cause, categories_compare);
    return st;
}

void categories_free(struct export_causes *causes) { free(causes->cause); }
