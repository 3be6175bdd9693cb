/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON that is written piece by piece, as jansson writes it with JSON_INDENT(1). */
#ifndef HOST_REPORT_JSON_STREAM_H
#define HOST_REPORT_JSON_STREAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct json_stream {
    FILE *out; /* its error flag is set if a write fails */
    unsigned depth;
    bool has_items; /* of the innermost object or array */
};

/* Begin and end an object or array, by its bracket. */
void json_stream_begin(struct json_stream *s, char bracket);
void json_stream_end(struct json_stream *s, char bracket);
/* Precede an element of an array, and a member of an object. */
void json_stream_item(struct json_stream *s);
void json_stream_key(struct json_stream *s, const char *key);
void json_stream_value(struct json_stream *s, const json_t *value);

#endif
