/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the profile of a report of pcemu --format json in a format of other tools: the exact counts by instruction,
 * the oracle's cycles, the call paths of callstack.pc and the calls of calls.pc.
 *
 * usage: from_report ELF REPORT FORMAT [EVENT]      to standard output */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/export.h"
#include "tests/unit/elf_profile.h"

static uint64_t address(const json_t *object)
{
    return strtoull(json_string_value(json_object_get(object, "pc")), NULL, 0);
}

static uint32_t event(struct profile *p, const char *name, const char *by, enum profile_source source)
{
    return profile_add_event(
        p,
        &(struct profile_event){.name = name, .by = by, .unit = "events", .source = source, .scale = 1, .total = NAN});
}

/* Counts of the observer "counts"; estimates of others. */
static void add_counts(struct profile *p, const json_t *report)
{
    size_t n, k;
    const json_t *row, *profile, *count;
    const char *name;
    json_array_foreach(json_object_get(json_object_get(report, "counts"), "instructions"), n, row)
    {
        json_array_foreach(json_object_get(row, "profiles"), k, profile)
        {
            const char *by = json_string_value(json_object_get(profile, "profiler"));
            enum profile_source source = strcmp(by, "counts") == 0 ? PROFILE_EXACT : PROFILE_COUNTS;
            json_object_foreach((json_t *)(uintptr_t)json_object_get(profile, "counts"), name, count)
            {
                profile_add_sample(p, event(p, name, by, source),
                                   (struct profile_sample){0, address(row), json_number_value(count)});
            }
        }
    }
}

static void add_time(struct profile *p, const json_t *report)
{
    size_t n;
    const json_t *row, *value;
    const char *by;
    json_array_foreach(json_object_get(json_object_get(report, "time"), "instructions"), n, row)
    {
        json_object_foreach((json_t *)(uintptr_t)json_object_get(row, "time"), by, value)
        {
            bool exact = strcmp(by, "oracle") == 0;
            profile_add_sample(p, event(p, "cycles", by, exact ? PROFILE_EXACT : PROFILE_TIME),
                               (struct profile_sample){0, address(row), json_number_value(value)});
        }
    }
}

static void add_stacks(struct profile *p, const json_t *report)
{
    enum { MAX_DEPTH = 64 };
    size_t n, k;
    const json_t *row, *frame;
    json_array_foreach(json_object_get(report, "call_paths"), n, row)
    {
        struct profile_place place[MAX_DEPTH];
        size_t depth = 0;
        json_array_foreach(json_object_get(row, "path"), k, frame)
        {
            const json_t *entry = json_object_get(frame, "entry");
            if (entry != NULL && depth < MAX_DEPTH)
                place[depth++] = (struct profile_place){0, address(entry)};
        }
        profile_add_stack(p, event(p, "loads", "callstack.pc", PROFILE_PROGRAM),
                          (struct profile_stack){profile_add_path(p, place, depth),
                                                 json_number_value(json_object_get(row, "events"))});
    }
}

/* The calls of calls.pc, exact. */
static void add_edges(struct profile *p, const json_t *report)
{
    size_t n;
    const json_t *row;
    const json_t *rows = json_object_get(json_array_get(json_object_get(report, "layouts"), 0), "rows");
    json_array_foreach(rows, n, row)
    {
        const json_t *callee = json_object_get(json_object_get(row, "members"), "callee");
        const json_t *calls = json_object_get(json_object_get(row, "exact"), "calls");
        if (callee != NULL && calls != NULL)
            profile_add_edge(p, event(p, "calls", "calls.pc", PROFILE_EXACT),
                             (struct profile_edge){0, 0, address(json_object_get(row, "key")), address(callee),
                                                   json_number_value(calls)});
    }
}

static int format_named(const char *name)
{
    for (int n = 0; n < EXPORT_FORMS; n++)
        if (strcmp(export_form_names[n], name) == 0)
            return n;
    fprintf(stderr, "from_report: there is no format %s\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    json_error_t error;
    struct errmsg err;
    if (argc < 4) {
        fputs("usage: from_report ELF REPORT FORMAT [EVENT]\n", stderr);
        return 2;
    }
    json_t *report = json_load_file(argv[2], 0, &error);
    if (report == NULL) {
        fprintf(stderr, "%s: %s\n", argv[2], error.text);
        return 2;
    }
    struct profile *p = profile_new();
    elf_profile_add(p, argv[1]);
    add_counts(p, report);
    add_time(p, report);
    add_stacks(p, report);
    add_edges(p, report);
    const struct export_options options = {.event = (const char *const *)&argv[4], .events = argc > 4 ? 1 : 0};
    enum status st = export_write((enum export_form)format_named(argv[3]), p, &options, stdout, &err);
    if (st != ST_OK)
        fprintf(stderr, "%s\n", err.text);
    profile_free(p);
    json_decref(report);
    return st == ST_OK ? 0 : 2;
}
