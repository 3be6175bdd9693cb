/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats. */
#include <string.h>

#include "host/report/formats.h"

static const struct report_format formats[] = {
#define REPORT_FORMAT(name, help) {#name, help, report_write_##name},
#include "host/report/formats.def"
#undef REPORT_FORMAT
};

#define REPORT_FORMAT(name, help) "|" #name
static const char names[] =
#include "host/report/formats.def"
    ;
#undef REPORT_FORMAT
const char *const report_format_names = names + 1;

const struct report_format *report_format_find(const char *name, struct errmsg *err)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    (void)fail(err, ST_INPUT, "expected %s, found '%s'", report_format_names, name);
    return NULL;
}
