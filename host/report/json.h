/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the JSON form. The members of the report's object are its values and tables; its last member,
 * `presentation`, describes them: labels, units, columns and notes, in order. By it the tree is built again from the
 * members. */
#ifndef HOST_REPORT_JSON_H
#define HOST_REPORT_JSON_H

#include <jansson.h>

#include "contract/report_tree.h"

/* Any text as a JSON string: bytes that are not UTF-8, as a file's name may have, become '?'. */
json_t *report_text_json(const char *text);
/* NULL for a cell that is absent. */
json_t *report_cell_json(const struct report_cell *c);
/* Adds the members of a place to an object. */
void report_place_json(json_t *j, const struct report_place *p);
/* The description of a section's parts: an array. */
json_t *report_presentation_json(const struct report *r);

/* The names of members that the head of a report has, beside those of its tree. */
#define REPORT_MEMBER_FORMAT "format"
#define REPORT_MEMBER_VERSION "version"
#define REPORT_MEMBER_PRESENTATION "presentation"
/* Behind the key of an estimate: the members of its exact answer and of its interval. */
#define REPORT_SUFFIX_EXACT "_exact"
#define REPORT_SUFFIX_INTERVAL "_interval"

#endif
