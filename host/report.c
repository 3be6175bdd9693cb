/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two forms of a report. */
#include "host/report.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LABEL_WIDTH = 24 };

void report_begin(struct report *r, const struct report_options *options, FILE *out)
{
    *r = (struct report){.options = options, .out = out, .root = options->json ? json_object() : NULL};
}

void report_end(struct report *r)
{
    if (r->root == NULL)
        return;
    if (json_dumpf(r->root, r->out, JSON_INDENT(1)) != 0)
        BUG("the report cannot be written as JSON");
    fputc('\n', r->out);
    json_decref(r->root);
    r->root = NULL;
}

void report_string(struct report *r, const char *key, const char *label, const char *text)
{
    if (r->root == NULL)
        fprintf(r->out, "%-*s %s\n", LABEL_WIDTH, label, text);
    else if (key != NULL)
        json_object_set_new(r->root, key, report_text_json(text));
}

void report_count(struct report *r, const char *key, const char *label, uint64_t n, const char *unit)
{
    char buf[REPORT_NUMBER];
    if (r->root == NULL)
        fprintf(r->out, "%-*s %15s%s%s\n", LABEL_WIDTH, label, report_number(buf, n), unit[0] != '\0' ? " " : "", unit);
    else if (key != NULL)
        json_object_set_new(r->root, key, json_integer((json_int_t)n));
}

void report_share(struct report *r, const char *key, const char *label, double share, int decimals)
{
    if (r->root == NULL)
        fprintf(r->out, "%-*s %15.*f %%\n", LABEL_WIDTH, label, decimals, 100 * share);
    else if (key != NULL)
        json_object_set_new(r->root, key, json_real(share));
}

void report_head(struct report *r)
{
    const struct report_options *o = r->options;
    report_string(r, "guest", "guest", o->guest != NULL ? o->guest : "-");
    if (o->machine != NULL)
        report_string(r, "configuration", "configuration", o->machine);
    if (o->cycles != 0)
        report_count(r, "cycles", "core", o->cycles, "cycles");
    if (o->instructions != 0)
        report_count(r, "instructions", "", o->instructions, "instructions retired");
}

void report_partial(struct report *r, bool tell)
{
    if (tell && r->options->partial)
        report_string(r, NULL, "PARTIAL", "the run was cut short: the profile covers its beginning only");
    if (r->root != NULL)
        json_object_set_new(r->root, "partial", json_boolean(r->options->partial));
}

void report_line(struct report *r, const char *fmt, ...)
{
    if (r->root != NULL)
        return;
    va_list ap;
    va_start(ap, fmt);
    vfprintf(r->out, fmt, ap);
    va_end(ap);
    fputc('\n', r->out);
}

const char *report_number(char buf[REPORT_NUMBER], uint64_t n)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, n), at = 0;
    for (int i = 0; i < length; i++) {
        if (i != 0 && (length - i) % 3 == 0)
            buf[at++] = ',';
        buf[at++] = digits[i];
    }
    buf[at] = '\0';
    return buf;
}

char *report_place(const struct symbols *symbols, uint64_t pc)
{
    struct place p = {.address = pc};
    if (symbols != NULL)
        p = symbols_find(symbols, pc);
    const char *in = p.library != NULL ? " in " : "", *library = p.library != NULL ? p.library : "";
    char *where = p.function != NULL ? xasprintf("%s+0x%" PRIx64 "%s%s", p.function, p.offset, in, library)
                                     : xasprintf("0x%" PRIx64 "%s%s", p.address, in, library);
    if (p.file == NULL)
        return where;
    char *both = xasprintf("%s %s:%d", where, p.file, p.line);
    free(where);
    return both;
}

json_t *report_place_json(const struct symbols *symbols, uint64_t pc)
{
    struct place p = {0};
    if (symbols != NULL)
        p = symbols_find(symbols, pc);
    json_t *j = json_object();
    json_object_set_new(j, "pc", report_hex_json(pc));
    if (p.function != NULL) {
        json_object_set_new(j, "function", report_text_json(p.function));
        json_object_set_new(j, "offset", json_integer((json_int_t)p.offset));
    }
    if (p.library != NULL)
        json_object_set_new(j, "library", report_text_json(p.library));
    if (p.file != NULL) {
        json_object_set_new(j, "file", report_text_json(p.file));
        json_object_set_new(j, "line", json_integer(p.line));
    }
    return j;
}

json_t *report_text_json(const char *text)
{
    json_t *j = json_string(text);
    if (j != NULL)
        return j;
    char *ascii = xstrdup(text);
    for (char *c = ascii; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    j = json_string(ascii);
    free(ascii);
    return j;
}

json_t *report_hex_json(uint64_t n) { return json_sprintf("0x%" PRIx64, n); }
