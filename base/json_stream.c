/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_stream.h"

#include <math.h>
#include <string.h>

/* A report has millions of keys and numbers, for which printf would take most of the time. One thread writes. */

static void begin_line(struct json_stream *s, int indent)
{
    fputc_unlocked('\n', s->out);
    for (int n = 0; n < indent; n++)
        fputc_unlocked(' ', s->out);
    s->has_line = false;
}

/* Number of characters up to the first that is escaped, or to the end. */
static size_t plain_bytes(const char *text)
{
    size_t n = 0;
    while ((unsigned char)text[n] >= ' ' && text[n] != '"' && text[n] != '\\')
        n++;
    return n;
}

static void json_stream_put_text(struct json_stream *s, const char *text)
{
    static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    fputc_unlocked('"', s->out);
    for (size_t n = plain_bytes(text);; n = plain_bytes(text)) {
        fwrite_unlocked(text, 1, n, s->out);
        if (text[n] == '\0')
            break;
        const char *found = strchr(special, text[n]);
        if (found != NULL)
            fprintf(s->out, "\\%c", letter[found - special]);
        else
            fprintf(s->out, "\\u%04X", (unsigned)text[n]);
        text += n + 1;
    }
    fputc_unlocked('"', s->out);
}

static void json_stream_put_number(struct json_stream *s, uint64_t n)
{
    char text[21], *at = text + sizeof text - 1;
    *at = '\0';
    do
        *--at = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    fputs_unlocked(at, s->out);
}

static void json_stream_put_integer(struct json_stream *s, int64_t n)
{
    if (n < 0)
        fputc_unlocked('-', s->out);
    json_stream_put_number(s, n < 0 ? -(uint64_t)n : (uint64_t)n);
}

/* Begins an item: the comma after the one before, the line, the key. */
static void json_stream_item(struct json_stream *s, const char *key)
{
    if (s->has_items)
        fputc_unlocked(',', s->out);
    if (s->lines ? s->depth > 0 : s->has_line)
        begin_line(s, s->lines ? (int)s->depth : s->indent);
    else if (s->has_items)
        fputc_unlocked(' ', s->out);
    s->has_items = true;
    if (key != NULL) {
        json_stream_put_text(s, key);
        fputs_unlocked(": ", s->out);
    }
}

void json_stream_begin(struct json_stream *s, const char *key, char bracket)
{
    json_stream_item(s, key);
    fputc_unlocked(bracket, s->out);
    s->depth++;
    s->has_items = false;
}

void json_stream_end(struct json_stream *s, char bracket)
{
    s->depth--;
    if (s->lines ? s->has_items : s->has_line)
        begin_line(s, s->lines ? (int)s->depth : s->indent);
    fputc_unlocked(bracket, s->out);
    s->has_items = true; /* this one, of what is around it */
}

void json_stream_text(struct json_stream *s, const char *key, const char *text)
{
    if (text == NULL) {
        json_stream_null(s, key);
        return;
    }
    json_stream_item(s, key);
    json_stream_put_text(s, text);
}

void json_stream_count(struct json_stream *s, const char *key, uint64_t n)
{
    json_stream_item(s, key);
    json_stream_put_number(s, n);
}

void json_stream_integer(struct json_stream *s, const char *key, int64_t n)
{
    json_stream_item(s, key);
    json_stream_put_integer(s, n);
}

void json_stream_flag(struct json_stream *s, const char *key, bool flag)
{
    json_stream_item(s, key);
    fputs_unlocked(flag ? "true" : "false", s->out);
}

void json_stream_null(struct json_stream *s, const char *key)
{
    json_stream_item(s, key);
    fputs_unlocked("null", s->out);
}

void json_stream_decimals(struct json_stream *s, const char *key, double x, int decimals)
{
    json_stream_item(s, key);
    fprintf(s->out, "%.*f", decimals, x);
}

void json_stream_digits(struct json_stream *s, const char *key, double x, int digits)
{
    json_stream_item(s, key);
    fprintf(s->out, "%.*g", digits, x);
}

/* 17 digits are read back as the same number. A number without a fraction has one, so that it is read as real; an
 * exponent has neither '+' nor leading zeros. */
void json_stream_real(struct json_stream *s, const char *key, double x)
{
    const double whole_most = 1e15; /* printed without an exponent */
    char text[40];
    json_stream_item(s, key);
    if (x > -whole_most && x < whole_most && x == (double)(int64_t)x && (x != 0 || !signbit(x))) {
        json_stream_put_integer(s, (int64_t)x);
        fputs_unlocked(".0", s->out);
        return;
    }
    snprintf(text, sizeof text, "%.17g", x);
    char *exponent = strchr(text, 'e');
    if (exponent == NULL) {
        fprintf(s->out, "%s%s", text, strchr(text, '.') == NULL ? ".0" : "");
        return;
    }
    const char *digits = exponent + 1 + strspn(exponent + 1, "+-0");
    fprintf(s->out, "%.*se%s%s", (int)(exponent - text), text, exponent[1] == '-' ? "-" : "", digits);
}

void json_stream_line(struct json_stream *s, int indent)
{
    s->has_line = true;
    s->indent = indent;
}
