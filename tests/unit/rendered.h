/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report in one of its formats, in memory. */
#ifndef TESTS_UNIT_RENDERED_H
#define TESTS_UNIT_RENDERED_H

#include <stdlib.h>

#include <jansson.h>

#include "host/report/render.h"

/* The caller's to free. */
static inline char *rendered(const struct report *r, enum report_form form, const struct report_view *view)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_formats[form].write(r, view, out);
    fclose(out);
    return text;
}

/* The JSON form, read; the caller's to release. The report is freed. */
static inline json_t *rendered_json(struct report *r)
{
    json_error_t error;
    char *text = rendered(r, REPORT_AS_json, &(struct report_view){0});
    json_t *j = json_loads(text, 0, &error);
    if (j == NULL)
        BUG("line %d: %s", error.line, error.text);
    free(text);
    report_free(r);
    return j;
}

#endif
