/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that is written piece by piece. With `lines` each member and element has a line of its own, as jansson writes
 * it with JSON_INDENT(1); otherwise a line ends where json_stream_line says. */
#ifndef BASE_JSON_STREAM_H
#define BASE_JSON_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_stream {
    FILE *out; /* its error flag is set if a write fails */
    bool lines;
    unsigned depth;
    bool has_items; /* of the innermost object or array */
    bool has_line;  /* the next item or bracket begins a line, */
    int indent;     /* with so many blanks */
};

/* Write a member of an object; with a NULL key an element of an array, or the whole value. The brackets are '{' or '[',
 * and those that close them. Texts are UTF-8; a NULL text is null. */
void json_stream_begin(struct json_stream *s, const char *key, char bracket);
void json_stream_end(struct json_stream *s, char bracket);
void json_stream_text(struct json_stream *s, const char *key, const char *text);
void json_stream_count(struct json_stream *s, const char *key, uint64_t n);
void json_stream_integer(struct json_stream *s, const char *key, int64_t n);
void json_stream_flag(struct json_stream *s, const char *key, bool flag);
void json_stream_null(struct json_stream *s, const char *key);
/* With that many decimal places; with that many significant digits; so that the same number is read back. */
void json_stream_decimals(struct json_stream *s, const char *key, double x, int decimals);
void json_stream_digits(struct json_stream *s, const char *key, double x, int digits);
void json_stream_real(struct json_stream *s, const char *key, double x);

/* Begins a line before the next item or closing bracket. */
void json_stream_line(struct json_stream *s, int indent);

#endif
