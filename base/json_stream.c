/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_stream.h"

#include <inttypes.h>
#include <string.h>

static void begin_line(struct json_stream *s, int indent)
{
    fprintf(s->out, "\n%*s", indent, "");
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
    fputc('"', s->out);
    for (size_t n = plain_bytes(text);; n = plain_bytes(text)) {
        fwrite(text, 1, n, s->out);
        if (text[n] == '\0')
            break;
        const char *found = strchr(special, text[n]);
        if (found != NULL)
            fprintf(s->out, "\\%c", letter[found - special]);
        else
            fprintf(s->out, "\\u%04X", (unsigned)text[n]);
        text += n + 1;
    }
    fputc('"', s->out);
}

/* Begins an item: the comma after the one before, the line, the key. */
static void json_stream_item(struct json_stream *s, const char *key)
{
    if (s->has_items)
        fputc(',', s->out);
    if (s->lines ? s->depth > 0 : s->has_line)
        begin_line(s, s->lines ? (int)s->depth : s->indent);
    else if (s->has_items)
        fputc(' ', s->out);
    s->has_items = true;
    if (key != NULL) {
        json_stream_put_text(s, key);
        fputs(": ", s->out);
    }
}

void json_stream_begin(struct json_stream *s, const char *key, char bracket)
{
    json_stream_item(s, key);
    fputc(bracket, s->out);
    s->depth++;
    s->has_items = false;
}

void json_stream_end(struct json_stream *s, char bracket)
{
    s->depth--;
    if (s->lines ? s->has_items : s->has_line)
        begin_line(s, s->lines ? (int)s->depth : s->indent);
    fputc(bracket, s->out);
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
    fprintf(s->out, "%" PRIu64, n);
}

void json_stream_integer(struct json_stream *s, const char *key, int64_t n)
{
    json_stream_item(s, key);
    fprintf(s->out, "%" PRId64, n);
}

void json_stream_flag(struct json_stream *s, const char *key, bool flag)
{
    json_stream_item(s, key);
    fputs(flag ? "true" : "false", s->out);
}

void json_stream_null(struct json_stream *s, const char *key)
{
    json_stream_item(s, key);
    fputs("null", s->out);
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
    char text[40];
    json_stream_item(s, key);
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
