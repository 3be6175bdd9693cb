/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of reports: whatever it takes can be printed in every format and sorted, and its JSON is read as
 * the same report. */
#include <stdlib.h>
#include <string.h>

#include "host/report/render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *render(const struct report *r, enum report_form form)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    report_formats[form].write(r, &(struct report_view){.top = 3, .width = 40}, out);
    fclose(out);
    return text;
}

static void check_round_trip(const struct report *r)
{
    struct report *again;
    struct errmsg err;
    char *json = render(r, REPORT_AS_json);
    if (report_read(&again, "written", json, strlen(json), &err) != ST_OK)
        BUG("written and read: %s", err.text);
    for (enum report_form form = 0; form < REPORT_FORMS; form++) {
        char *first = render(r, form), *second = render(again, form);
        if (strcmp(first, second) != 0)
            BUG("written and read, and another report in %s", report_form_names[form]);
        free(first);
        free(second);
    }
    report_free(again);
    free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct report *r;
    struct errmsg err;
    if (report_read(&r, "input", (const char *)data, size, &err) != ST_OK)
        return 0;
    check_round_trip(r);
    if (report_sort(r, "count", &err) == ST_OK && report_sort(r, "count:up", &err) == ST_OK)
        check_round_trip(r);
    report_free(r);
    return 0;
}
