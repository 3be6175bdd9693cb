/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading members of known types. Entry points: read.h. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/read.h"

static bool is_plain_key(const char *key)
{
    if (!isalpha((unsigned char)key[0]) && key[0] != '_')
        return false;
    for (; *key != '\0'; key++)
        if (!isalnum((unsigned char)*key) && *key != '_')
            return false;
    return true;
}

static void report_read_member_print_path(const struct read_at *at, FILE *out)
{
    if (at->up == NULL)
        return;
    report_read_member_print_path(at->up, out);
    if (at->key == NULL)
        fprintf(out, "[%zu]", at->index);
    else if (is_plain_key(at->key))
        fprintf(out, ".%s", at->key);
    else
        fprintf(out, ".\"%s\"", at->key);
}

static const char *report_read_member_describe(const json_t *j)
{
    if (j == NULL)
        return "no such member";
    switch (json_typeof(j)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return json_integer_value(j) < 0 ? "a negative number" : "a whole number";
    case JSON_REAL:
        return "a real number";
    case JSON_NULL:
        return "null";
    default:
        return "true or false";
    }
}

enum status read_refuse_words(const struct reader *in, const struct read_at *at, const char *expected,
                              const char *found)
{
    char *path = NULL;
    size_t size;
    FILE *out = xopen_text(&path, &size);
    report_read_member_print_path(at, out);
    xclose_text(out);
    enum status st = fail(in->err, ST_FORMAT, "%s: %.200s: expected %s, found %s", in->name, path, expected, found);
    free(path);
    return st;
}

enum status read_refuse(const struct reader *in, const struct read_at *at, const char *expected, const json_t *found)
{
    return read_refuse_words(in, at, expected, report_read_member_describe(found));
}

enum status read_text(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                      const char **text)
{
    const json_t *member = json_object_get(j, name);
    *text = json_string_value(member);
    if (member == NULL || json_is_null(member) || *text != NULL)
        return ST_OK;
    return read_refuse(in, &(struct read_at){at, name, 0}, "a string", member);
}

/* A string of hexadecimal digits. */
static bool parse_hex(const json_t *j, uint64_t *n)
{
    const char *text = json_string_value(j);
    if (text == NULL || strncmp(text, "0x", 2) != 0 || strlen(text) > 18 || text[2] == '\0' ||
        text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] != '\0')
        return false;
    *n = strtoull(text + 2, NULL, 16);
    return true;
}

/* Of more than 63 bits it is a string. */
static bool report_read_member_parse_count(const json_t *j, uint64_t *n)
{
    if (json_is_integer(j) && json_integer_value(j) >= 0) {
        *n = (uint64_t)json_integer_value(j);
        return true;
    }
    return parse_hex(j, n);
}

enum status read_count(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                       uint64_t *n)
{
    const json_t *member = json_object_get(j, name);
    *n = 0;
    if (member == NULL || report_read_member_parse_count(member, n))
        return ST_OK;
    return read_refuse(in, &(struct read_at){at, name, 0}, report_type_json(REPORT_COUNT), member);
}

enum status read_number(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                        unsigned *n)
{
    uint64_t wide;
    enum status st = read_count(in, at, j, name, &wide);
    *n = (unsigned)wide;
    if (st == ST_OK && *n != wide)
        return read_refuse_words(in, &(struct read_at){at, name, 0}, "a number of 32 bits", "a larger one");
    return st;
}

enum status read_decimals(const struct reader *in, const struct read_at *at, const json_t *j, unsigned *decimals)
{
    enum status st = read_number(in, at, j, "decimals", decimals);
    if (st == ST_OK && *decimals > DECIMALS_MAX)
        return read_refuse_words(in, &(struct read_at){at, "decimals", 0}, "at most 17", "more");
    return st;
}

enum status read_flag(const struct reader *in, const struct read_at *at, const json_t *j, const char *name, bool *flag)
{
    const json_t *member = json_object_get(j, name);
    *flag = json_is_true(member);
    if (member == NULL || json_is_boolean(member))
        return ST_OK;
    return read_refuse(in, &(struct read_at){at, name, 0}, "true or false", member);
}

enum status read_array(const struct reader *in, const struct read_at *at, const json_t *j, const char *name,
                       const json_t **array)
{
    *array = json_object_get(j, name);
    return json_is_array(*array) ? ST_OK : read_refuse(in, &(struct read_at){at, name, 0}, "an array", *array);
}

enum status read_type(const struct reader *in, const struct read_at *at, const json_t *j, enum report_type *type)
{
    const char *name;
    enum status st = read_text(in, at, j, "type", &name);
    if (st != ST_OK)
        return st;
    *type = name != NULL ? report_type_of_name(name) : REPORT_TYPES;
    if (*type != REPORT_TYPES)
        return ST_OK;
    return read_refuse_words(in, &(struct read_at){at, "type", 0}, "the name of a type",
                             name != NULL ? "another string" : "no such member");
}

enum status read_pair(const struct reader *in, const struct read_at *at, const json_t *j, double pair[2])
{
    if (json_array_size(j) != 2 || !read_is_number(json_array_get(j, 0)) || !read_is_number(json_array_get(j, 1)))
        return read_refuse(in, at, report_type_json(REPORT_INTERVAL), j);
    pair[0] = json_number_value(json_array_get(j, 0));
    pair[1] = json_number_value(json_array_get(j, 1));
    return ST_OK;
}

static enum status report_read_member_read_place(const struct reader *in, const struct read_at *at, const json_t *j,
                                                 struct report_cell *c)
{
    struct report_place p = {0};
    uint64_t line = 0;
    const json_t *address = json_object_get(j, "address");
    if (!json_is_object(j))
        return read_refuse(in, at, report_type_json(REPORT_ADDRESS), j);
    if (!parse_hex(json_object_get(j, "pc"), &p.pc))
        return read_refuse(in, &(struct read_at){at, "pc", 0}, report_type_json(REPORT_HEX), json_object_get(j, "pc"));
    p.address = p.pc;
    if (address != NULL && !parse_hex(address, &p.address))
        return read_refuse(in, &(struct read_at){at, "address", 0}, report_type_json(REPORT_HEX), address);
    enum status st = read_text(in, at, j, "function", &p.function);
    if (st == ST_OK)
        st = read_count(in, at, j, "offset", &p.offset);
    if (st == ST_OK)
        st = read_text(in, at, j, "library", &p.library);
    if (st == ST_OK)
        st = read_text(in, at, j, "file", &p.file);
    if (st == ST_OK)
        st = read_count(in, at, j, "line", &line);
    p.line = (int)(line & INT32_MAX);
    if (st == ST_OK)
        report_set_place(c, &p);
    return st;
}

static enum status report_read_member_read_interval(const struct reader *in, const struct read_at *at, const json_t *j,
                                                    struct report_cell *c)
{
    double pair[2];
    enum status st = read_pair(in, at, j, pair);
    if (st == ST_OK)
        report_set_interval(c, pair[0], pair[1]);
    return st;
}

enum status read_cell(const struct reader *in, const struct read_at *at, const json_t *j, enum report_type type,
                      struct report_cell *c)
{
    struct report_cell found = {.type = type};
    bool fits = false;
    switch (type) {
    case REPORT_TEXT:
        fits = json_is_string(j);
        if (fits)
            report_set_text(&found, json_string_value(j));
        break;
    case REPORT_COUNT:
        fits = report_read_member_parse_count(j, &found.count);
        break;
    case REPORT_HEX:
        fits = parse_hex(j, &found.count);
        break;
    case REPORT_REAL:
    case REPORT_SHARE:
        fits = json_is_number(j);
        found.real = json_number_value(j);
        break;
    case REPORT_FLAG:
        fits = json_is_boolean(j);
        found.flag = json_is_true(j);
        break;
    case REPORT_ADDRESS:
        return report_read_member_read_place(in, at, j, c);
    case REPORT_INTERVAL:
        return report_read_member_read_interval(in, at, j, c);
    default:
        fits = json_is_null(j);
        break;
    }
    if (!fits)
        return read_refuse(in, at, report_type_json(type), j);
    *c = found;
    return ST_OK;
}
