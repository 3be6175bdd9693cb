/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report in either of its forms. Facts are stated once: in the text form each becomes a line at once, in JSON a member of the report's
 * object, which is written at the end. Tables are made by the drivers, in the form asked for. */
#ifndef HOST_REPORT_H
#define HOST_REPORT_H

#include <jansson.h>

#include "host/driver.h"
#include "host/symbols.h"

struct report {
    const struct report_options *options;
    FILE *out;
    json_t *root; /* NULL in the text form */
};

void report_begin(struct report *r, const struct report_options *options, FILE *out);
void report_end(struct report *r);

/* `key` is the JSON member, `label` the words of the text form; `unit` follows the number. A key of NULL is for text only. */
void report_string(struct report *r, const char *key, const char *label, const char *text);
void report_count(struct report *r, const char *key, const char *label, uint64_t n, const char *unit);
/* A number from 0 to 1; printed as a percentage with `decimals` digits, kept as it is in JSON. */
void report_share(struct report *r, const char *key, const char *label, double share, int decimals);
/* What was run, on what, and how long. */
void report_head(struct report *r);
/* Whether the run was cut short; in the text form only if `tell`. */
void report_partial(struct report *r, bool tell);
/* Lines of the text form alone. */
void report_line(struct report *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* n with a comma at each thousand, in `buf`; returns buf. */
enum { REPORT_NUMBER = 32 };
const char *report_number(char buf[REPORT_NUMBER], uint64_t n);

/* A place in words, "function+0x1c file.c:34" or the address; the caller's to free. `symbols` may be NULL. */
char *report_place(const struct symbols *symbols, uint64_t pc);
/* The same as an object: pc, and function, offset, file, line where known. */
json_t *report_place_json(const struct symbols *symbols, uint64_t pc);
/* Any text as a JSON string: bytes that are not UTF-8, as a file's name or a damaged symbol table may have, become '?'. */
json_t *report_text_json(const char *text);
/* A number as a JSON string of hexadecimal digits: JSON numbers are not wide enough for 64 bits. */
json_t *report_hex_json(uint64_t n);

#endif
