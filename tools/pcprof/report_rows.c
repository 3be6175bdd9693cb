/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/report_rows.h"

#include <stdlib.h>
#include <string.h>

enum status report_rows_parse(const struct profile_store *s, int64_t run, const char *what, char *text,
                              size_t size_bytes, json_t **json, struct errmsg *err)
{
    json_error_t error;
    *json = json_loadb(text, size_bytes, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (*json == NULL)
        return fail(err, ST_FORMAT, "%s: run %" PRId64 ": its %s are not JSON: line %d, column %d: %s", store_path(s),
                    run, what, error.line, error.column, error.text);
    return ST_OK;
}

/* The place of what is in no instruction: handlers, and idle harts, if the profile has an image for their time. */
static bool report_rows_handler(const struct profile *p, struct profile_place *at)
{
    for (uint32_t i = 0; i < profile_images(p); i++) {
        const char *path = profile_image(p, i)->path; /* no file's */
        if (strcmp(path, "[handler]") == 0 || strcmp(path, "[idle or handler]") == 0) {
            *at = (struct profile_place){i, 0};
            return true;
        }
    }
    return false;
}

bool report_rows_place(const struct profile *p, const json_t *row, const char *guest, struct profile_place *at)
{
    const char *library = json_string_value(json_object_get(row, "library")),
               *pc = json_string_value(json_object_get(row, "pc")),
               *address = json_string_value(json_object_get(row, "address"));
    const char *name = basename(library != NULL ? library : guest);
    if (pc == NULL || strcmp(pc, "0x0") == 0)
        return report_rows_handler(p, at);
    for (uint32_t i = 0; i < profile_images(p); i++)
        if (strcmp(profile_image(p, i)->name, name) == 0) {
            *at = (struct profile_place){i, strtoull(address != NULL ? address : pc, NULL, 16)};
            return true;
        }
    return false;
}

const char *report_rows_reference(const json_t *family)
{
    size_t n;
    json_t *profiler, *profilers = json_object_get(family, "profilers");
    json_array_foreach(profilers, n, profiler) if (json_is_true(json_object_get(
                                                       profiler,
                                                       "exact"))) return json_string_value(json_object_get(profiler,
                                                                                                           "profiler"));
    return json_string_value(json_object_get(json_array_get(profilers, 0), "profiler"));
}

double report_rows_cycles(const json_t *family, const json_t *units)
{
    double per_cycle = json_number_value(json_object_get(family, "per_cycle"));
    return per_cycle > 0 ? json_number_value(units) / per_cycle : 0;
}
