/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the JSON form. The members of the report's object are its values and tables; its last member,
 * `presentation`, describes them: labels, units, columns and notes, in order. By it the tree is built again from the
 * members. */
#ifndef HOST_REPORT_JSON_H
#define HOST_REPORT_JSON_H

#include "base/json_stream.h"
#include "contract/report_tree.h"

/* Write a cell, null if it is absent; a count; the description of a section's parts, an array. */
void report_json_cell(struct json_stream *s, const char *key, const struct report_cell *c);
void report_json_count(struct json_stream *s, const char *key, uint64_t n);
/* Write an object: of a row; of the values of a report, without its tables. */
void report_json_row(struct json_stream *s, const char *key, const struct report_table *t, size_t row);
void report_json_values(struct json_stream *s, const char *key, const struct report *r);
void report_json_presentation(struct json_stream *s, const char *key, const struct report *r);

/* The names of members that the head of a report has, beside those of its tree. */
#define REPORT_MEMBER_FORMAT "format"
#define REPORT_MEMBER_VERSION "version"
#define REPORT_MEMBER_PRESENTATION "presentation"
/* The beginning of a report as JSON Lines. */
#define REPORT_LINES_BEGIN "{\"table\": \"report\", "
/* Behind the key of an estimate: the members of its exact answer and of its interval. */
#define REPORT_SUFFIX_EXACT "_exact"
#define REPORT_SUFFIX_INTERVAL "_interval"

#endif
