/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the formats, for their table. */
#ifndef HOST_REPORT_FORMATS_H
#define HOST_REPORT_FORMATS_H

#include "host/report/render.h"

#define REPORT_FORMAT(name, help) \
    void report_write_##name(const struct report *r, const struct report_view *v, FILE *out);
#include "host/report/formats.def"

#endif
