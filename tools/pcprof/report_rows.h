/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a run's report in the store, as JSON, with the places that they are of in a profile. */
#ifndef TOOLS_PCPROF_REPORT_ROWS_H
#define TOOLS_PCPROF_REPORT_ROWS_H

#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>

#include "host/profile/profile.h"
#include "host/store/store.h"

/* Parses JSON of a store, which it frees: a run's `what`. The caller releases *json, which is NULL after an error. */
enum status report_rows_parse(const struct profile_store *s, int64_t run, const char *what, char *text,
                              size_t size_bytes, json_t **json, struct errmsg *err) MUST_USE;

/* The image and address of a row. The image is found by name: that of the library or of the guest. A row of no
 * instruction is in the image of handlers, at address 0. Returns false if the profile has no such image. */
bool report_rows_place(const struct profile *p, const json_t *row, const char *guest, struct profile_place *at);

/* The name of the first profiler of a family that attributes every cycle, else of the first one; NULL: none. */
const char *report_rows_reference(const json_t *family);

/* A number of the family's units as cycles. */
double report_rows_cycles(const json_t *family, const json_t *units);

#endif
