/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/report/json_stream.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* A report has millions of keys and numbers, for which printf would take most of the time. One thread writes. */

static void new_line(struct json_stream *s)
{
    fputc_unlocked('\n', s->out);
    for (unsigned n = 0; n < s->depth; n++)
        fputc_unlocked(' ', s->out);
}

void json_stream_begin(struct json_stream *s, char bracket)
{
    fputc_unlocked(bracket, s->out);
    s->depth++;
    s->has_items = false;
}

void json_stream_end(struct json_stream *s, char bracket)
{
    s->depth--;
    if (s->has_items)
        new_line(s);
    fputc_unlocked(bracket, s->out);
    s->has_items = true; /* this one, of what is around it */
}

void json_stream_item(struct json_stream *s)
{
    if (s->has_items)
        fputc_unlocked(',', s->out);
    new_line(s);
    s->has_items = true;
}

static bool report_json_stream_is_plain(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
            return false;
    return true;
}

/* The escapes of other texts are jansson's. */
static void put_other(struct json_stream *s, const json_t *value)
{
    if (json_dumpf(value, s->out, JSON_ENCODE_ANY) != 0 && !ferror(s->out))
        BUG("the report is no JSON");
}

static void report_json_stream_put_text(struct json_stream *s, const char *text)
{
    if (report_json_stream_is_plain(text)) {
        fputc_unlocked('"', s->out);
        fputs_unlocked(text, s->out);
        fputc_unlocked('"', s->out);
        return;
    }
    json_t *value = json_string(text);
    put_other(s, value);
    json_decref(value);
}

static void report_json_stream_put_integer(struct json_stream *s, int64_t n)
{
    char text[21], *at = text + sizeof text - 1;
    uint64_t digits = n < 0 ? -(uint64_t)n : (uint64_t)n;
    *at = '\0';
    do
        *--at = (char)('0' + digits % 10);
    while ((digits /= 10) != 0);
    if (n < 0)
        *--at = '-';
    fputs_unlocked(at, s->out);
}

/* 17 digits are read back as the same number. A number without a fraction has one, so that it is read as real; an
 * exponent has neither '+' nor leading zeros. */
static void report_json_stream_put_real(struct json_stream *s, double x)
{
    const double whole_most = 1e15; /* printed without an exponent */
    if (x > -whole_most && x < whole_most && x == (double)(int64_t)x && (x != 0 || !signbit(x))) {
        report_json_stream_put_integer(s, (int64_t)x);
        fputs_unlocked(".0", s->out);
        return;
    }
    char text[40];
    snprintf(text, sizeof text, "%.17g", x);
    char *exponent = strchr(text, 'e');
    if (exponent == NULL) {
        fprintf(s->out, "%s%s", text, strchr(text, '.') == NULL ? ".0" : "");
        return;
    }
    const char *digits = exponent + 1 + strspn(exponent + 1, "+-0");
    fprintf(s->out, "%.*se%s%s", (int)(exponent - text), text, exponent[1] == '-' ? "-" : "", digits);
}

void json_stream_key(struct json_stream *s, const char *key)
{
    json_stream_item(s);
    report_json_stream_put_text(s, key);
    fputs_unlocked(": ", s->out);
}

static void report_json_stream_put_object(struct json_stream *s, const json_t *value)
{
    const char *key;
    json_t *member;
    json_stream_begin(s, '{');
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        json_stream_key(s, key);
        json_stream_value(s, member);
    }
    json_stream_end(s, '}');
}

static void put_array(struct json_stream *s, const json_t *value)
{
    json_stream_begin(s, '[');
    for (size_t n = 0; n < json_array_size(value); n++) {
        json_stream_item(s);
        json_stream_value(s, json_array_get(value, n));
    }
    json_stream_end(s, ']');
}

void json_stream_value(struct json_stream *s, const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        report_json_stream_put_object(s, value);
        break;
    case JSON_ARRAY:
        put_array(s, value);
        break;
    case JSON_STRING:
        report_json_stream_put_text(s, json_string_value(value));
        break;
    case JSON_INTEGER:
        report_json_stream_put_integer(s, json_integer_value(value));
        break;
    case JSON_REAL:
        report_json_stream_put_real(s, json_real_value(value));
        break;
    default:
        put_other(s, value);
    }
}
