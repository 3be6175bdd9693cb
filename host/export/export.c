/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of formats. */
#include "host/export/export.h"

#include "host/export/select.h"
#include "host/export/unknown.h"

const struct export_format export_formats[EXPORT_FORMS] = {
#define EXPORT_FORMAT(name, shown, text, lines, file, help) {shown, help, text, lines, file, export_write_##name},
#include "host/export/formats.def"
};

const char *const export_form_names[EXPORT_FORMS] = {
#define EXPORT_FORMAT(name, shown, text, lines, file, help) shown,
#include "host/export/formats.def"
};

enum status export_write(enum export_form form, struct profile *p, const struct export_options *o, FILE *out,
                         struct errmsg *err)
{
    struct errmsg why;
    export_place_unknown(p);
    enum status st = export_formats[form].write(p, o, out, &why);
    if (st == ST_OK)
        st = export_finish(out, &why);
    return st == ST_OK ? st : fail(err, st, "%s: %s", export_formats[form].name, why.text);
}
