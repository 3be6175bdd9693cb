/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a report back: its presentation says what the members of its object are. Entry point: report_read. */
#include "host/report/read.h"

#include <string.h>

#include "base/file_form.h"
#include "host/report/json.h"
#include "host/report/render.h"

/* Position of the reader: a section's part of the presentation, and the object that has its members. */
struct scope {
    const json_t *data;
    const struct read_at *at; /* of the data */
    json_t *used;             /* an object: its members that have been read */
    struct report *section;
};

/* The member of the data; each is read once. */
static enum status take_member(const struct reader *in, const struct scope *s, const char *key, const json_t **member)
{
    const struct read_at at = {s->at, key, 0};
    *member = json_object_get(s->data, key);
    if (*member == NULL)
        return read_refuse(in, &at, "a member that the presentation names", NULL);
    if (json_object_get(s->used, key) != NULL)
        return read_refuse_words(in, &at, "a member that the presentation names once", "it twice");
    json_object_set_new(s->used, key, json_true());
    return ST_OK;
}

/* The exact answer of an estimate: a member beside it. */
static enum status read_exact(const struct reader *in, const struct scope *s, const char *key, struct report_value *v)
{
    const json_t *member;
    char *name = xasprintf("%s%s", key, REPORT_SUFFIX_EXACT);
    const struct read_at at = {s->at, name, 0};
    enum status st = take_member(in, s, name, &member);
    if (st == ST_OK && !read_is_number(member))
        st = read_refuse(in, &at, "a number", member);
    else if (st == ST_OK)
        v->exact = json_number_value(member);
    v->has_exact = true;
    free(name);
    return st;
}

/* Reads the interval of the value. */
static enum status report_read_interval(const struct reader *in, const struct scope *s, const char *key,
                                        struct report_value *v)
{
    const json_t *member;
    double pair[2] = {0};
    char *name = xasprintf("%s%s", key, REPORT_SUFFIX_INTERVAL);
    enum status st = take_member(in, s, name, &member);
    if (st == ST_OK)
        st = read_pair(in, &(struct read_at){s->at, name, 0}, member, pair);
    v->has_interval = true;
    v->low = pair[0];
    v->high = pair[1];
    free(name);
    return st;
}

struct value_head {
    enum report_type type;
    const char *key, *label, *unit, *remark;
    unsigned decimals;
    bool implied, exact, interval;
};

static enum status read_value_head(const struct reader *in, const struct read_at *at, const json_t *part,
                                   struct value_head *h)
{
    enum status st = read_type(in, at, part, &h->type);
    if (st == ST_OK && h->type >= REPORT_INTERVAL)
        st = read_refuse_words(in, at, "a type of values", report_type_name(h->type));
    const struct {
        const char *name, **text;
    } texts[] = {{"value", &h->key}, {"label", &h->label}, {"unit", &h->unit}, {"remark", &h->remark}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && st == ST_OK; i++)
        st = read_text(in, at, part, texts[i].name, texts[i].text);
    if (st == ST_OK)
        st = read_decimals(in, at, part, &h->decimals);
    if (st == ST_OK)
        st = read_flag(in, at, part, "implied", &h->implied);
    if (st == ST_OK)
        st = read_flag(in, at, part, "exact", &h->exact);
    return st == ST_OK ? read_flag(in, at, part, "interval", &h->interval) : st;
}

static enum status read_content(const struct reader *in, const struct read_at *at, const json_t *part,
                                const struct value_head *h, const struct scope *s, struct report_value *v)
{
    const struct read_at here = h->key != NULL ? (struct read_at){s->at, h->key, 0} : (struct read_at){at, "is", 0};
    const json_t *content = json_object_get(part, "is");
    enum status st = h->key != NULL ? take_member(in, s, h->key, &content) : ST_OK;
    if (st == ST_OK && !json_is_null(content)) /* null: not known */
        st = read_cell(in, &here, content, h->type, &v->cell);
    if (st == ST_OK && h->key != NULL && h->exact)
        st = read_exact(in, s, h->key, v);
    if (st == ST_OK && h->key != NULL && h->interval)
        st = report_read_interval(in, s, h->key, v);
    return st;
}

static enum status read_value(const struct reader *in, const struct read_at *at, const json_t *part,
                              const struct scope *s)
{
    struct value_head h = {0};
    enum status st = read_value_head(in, at, part, &h);
    if (st != ST_OK)
        return st;
    struct report_value *v = report_add_value(s->section, h.key, h.label, h.type);
    v->decimals = h.decimals;
    v->implied = h.implied;
    v->unit = report_copy_text(h.unit);
    v->remark = report_copy_text(h.remark);
    return read_content(in, at, part, &h, s, v);
}

static enum status read_note(const struct reader *in, const struct read_at *at, const json_t *part,
                             const struct scope *s)
{
    const char *words;
    bool joined = false, is_command = false;
    enum status st = read_text(in, at, part, "note", &words);
    if (st == ST_OK)
        st = read_flag(in, at, part, "joined", &joined);
    if (st == ST_OK)
        st = read_flag(in, at, part, "command", &is_command);
    if (st == ST_OK)
        (is_command ? report_note_command
         : joined   ? report_note_line
                    : report_note)(s->section, words != NULL ? words : "");
    return st;
}

static enum status read_table(const struct reader *in, const struct read_at *at, const json_t *part,
                              const struct scope *s)
{
    const char *key, *title, *order, *peaks;
    const json_t *rows = NULL;
    bool whole = false;
    enum status st = read_text(in, at, part, "table", &key);
    if (st == ST_OK && key == NULL)
        st = read_refuse(in, &(struct read_at){at, "table", 0}, "a string", json_object_get(part, "table"));
    if (st == ST_OK)
        st = read_text(in, at, part, "title", &title);
    if (st == ST_OK)
        st = read_text(in, at, part, "order", &order);
    if (st == ST_OK)
        st = read_text(in, at, part, "peaks", &peaks);
    if (st == ST_OK)
        st = read_flag(in, at, part, "whole", &whole);
    if (st == ST_OK)
        st = take_member(in, s, key, &rows);
    if (st != ST_OK)
        return st;
    struct report_table *t = report_table(s->section, key, title);
    t->whole = whole;
    report_order(t, order);
    report_peaks(t, peaks);
    st = read_columns(in, at, part, t);
    return st == ST_OK ? read_rows(in, &(struct read_at){s->at, key, 0}, rows, t) : st;
}

static enum status read_parts(const struct reader *in, const struct read_at *at, const json_t *part,
                              const struct scope *s);

/* A section with an object of its own. */
static enum status read_object(const struct reader *in, const struct read_at *at, const json_t *part,
                               const struct read_at *data_at, const json_t *data, struct report *section)
{
    if (json_typeof(data) != JSON_OBJECT)
        return read_refuse(in, data_at, "an object", data);
    struct scope s = {.data = data, .at = data_at, .used = json_object(), .section = section};
    enum status st = read_parts(in, at, part, &s);
    json_decref(s.used);
    return st;
}

static enum status report_read_section(const struct reader *in, const struct read_at *at, const json_t *part,
                                       const struct scope *s)
{
    const char *key;
    const json_t *data;
    bool details = false;
    enum status st = read_text(in, at, part, "section", &key);
    if (st == ST_OK)
        st = read_flag(in, at, part, "details", &details);
    if (st == ST_OK && key != NULL)
        st = take_member(in, s, key, &data);
    if (st != ST_OK)
        return st;
    struct report *section = report_section(s->section, key);
    section->details = details;
    if (key != NULL)
        return read_object(in, at, part, &(struct read_at){s->at, key, 0}, data, section);
    struct scope same = *s;
    same.section = section;
    return read_parts(in, at, part, &same);
}

/* One element of the list for each of the description. */
static enum status read_elements(const struct reader *in, const struct read_at *at, const json_t *parts,
                                 const struct read_at *data_at, const json_t *data, struct report *list)
{
    enum status st = ST_OK;
    if (json_typeof(data) != JSON_ARRAY)
        return read_refuse(in, data_at, "an array", data);
    if (json_array_size(data) != json_array_size(parts))
        return read_refuse_words(in, data_at, "as many elements as the presentation has",
                                 json_array_size(data) < json_array_size(parts) ? "fewer" : "more");
    for (size_t i = 0; i < json_array_size(parts) && st == ST_OK; i++) {
        const struct read_at element = {at, NULL, i};
        const json_t *part = json_array_get(parts, i);
        const char *name;
        st = read_text(in, &element, part, "element", &name);
        if (st == ST_OK && name == NULL)
            st = read_refuse(in, &(struct read_at){&element, "element", 0}, "a string", NULL);
        if (st == ST_OK)
            st = read_object(in, &element, part, &(struct read_at){data_at, NULL, i}, json_array_get(data, i),
                             report_element(list, name));
    }
    return st;
}

static enum status read_list(const struct reader *in, const struct read_at *at, const json_t *part,
                             const struct scope *s)
{
    const char *key;
    const json_t *data, *parts;
    enum status st = read_text(in, at, part, "list", &key);
    if (st == ST_OK && key == NULL)
        st = read_refuse(in, &(struct read_at){at, "list", 0}, "a string", json_object_get(part, "list"));
    if (st == ST_OK)
        st = take_member(in, s, key, &data);
    if (st == ST_OK)
        st = read_array(in, at, part, "parts", &parts);
    if (st != ST_OK)
        return st;
    const struct read_at data_at = {s->at, key, 0}, parts_at = {at, "parts", 0};
    return read_elements(in, &parts_at, parts, &data_at, data, report_list(s->section, key));
}

/* The first member of a part names its kind. */
static const struct {
    const char *member;
    enum status (*read)(const struct reader *in, const struct read_at *at, const json_t *part, const struct scope *s);
} kinds[] = {{"note", read_note},
             {"section", report_read_section},
             {"list", read_list},
             {"table", read_table},
             {"type", read_value}};

static enum status read_part(const struct reader *in, const struct read_at *at, const json_t *part,
                             const struct scope *s)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (json_object_get(part, kinds[i].member) != NULL)
            return kinds[i].read(in, at, part, s);
    return read_refuse(in, at, "an object with a member note, section, list, table or type", part);
}

static enum status read_parts(const struct reader *in, const struct read_at *at, const json_t *part,
                              const struct scope *s)
{
    const json_t *parts;
    const struct read_at list = {at, "parts", 0};
    enum status st = read_array(in, at, part, "parts", &parts);
    for (size_t i = 0; i < json_array_size(parts) && st == ST_OK; i++)
        st = read_part(in, &(struct read_at){&list, NULL, i}, json_array_get(parts, i), s);
    return st;
}

static bool are_statistics(const json_t *root)
{
    return json_object_get(root, "core") != NULL || json_object_get(root, "coprocessor") != NULL;
}

/* A file of ours, of a version that is known. */
static enum status report_read_check_head(const struct reader *in, const json_t *root)
{
    const char *format = json_string_value(json_object_get(root, REPORT_MEMBER_FORMAT));
    const json_t *version = json_object_get(root, REPORT_MEMBER_VERSION);
    if (format == NULL || strcmp(format, REPORT_FORMAT_NAME) != 0)
        return fail(in->err, ST_FORMAT,
                    "%s: expected a report of pcemu (.format \"" REPORT_FORMAT_NAME "\"), found %s%.60s%s", in->name,
                    format != NULL                     ? "the format '"
                    : are_statistics(root)             ? "statistics, as pcemu --stats writes them"
                    : json_typeof(root) == JSON_OBJECT ? "an object without .format"
                                                       : "no object",
                    format != NULL ? format : "", format != NULL ? "'" : "");
    const struct read_at at = {&(struct read_at){0}, REPORT_MEMBER_VERSION, 0};
    if (!json_is_integer(version))
        return read_refuse(in, &at, "a whole number from 1 on", version);
    if (json_integer_value(version) < 1)
        return read_refuse_words(in, &at, "a whole number from 1 on",
                                 json_integer_value(version) == 0 ? "0" : "a negative number");
    if (json_integer_value(version) > REPORT_VERSION)
        return fail(in->err, ST_VERSION,
                    "%s: the report is of version %lld, expected at most %d: a newer pcemu has written it", in->name,
                    (long long)json_integer_value(version), REPORT_VERSION);
    return ST_OK;
}

/* The presentation is read like a section's description. */
static enum status read_root(const struct reader *in, const json_t *root, struct report *r)
{
    const struct read_at top = {0}, parts = {&top, REPORT_MEMBER_PRESENTATION, 0};
    const json_t *presentation;
    enum status st = report_read_check_head(in, root);
    if (st == ST_OK)
        st = read_array(in, &top, root, REPORT_MEMBER_PRESENTATION, &presentation);
    if (st != ST_OK)
        return st;
    struct scope s = {.data = root,
                      .at = &top,
                      .used = json_pack("{s:b, s:b, s:b}", REPORT_MEMBER_FORMAT, 1, REPORT_MEMBER_VERSION, 1,
                                        REPORT_MEMBER_PRESENTATION, 1),
                      .section = r};
    for (size_t i = 0; i < json_array_size(presentation) && st == ST_OK; i++)
        st = read_part(in, &(struct read_at){&parts, NULL, i}, json_array_get(presentation, i), &s);
    json_decref(s.used);
    return st;
}

enum status report_read(struct report **out, const char *name, const char *text, size_t size_bytes, struct errmsg *err)
{
    const struct reader in = {.name = name, .err = err};
    json_error_t error;
    *out = NULL;
    if (size_bytes == 0)
        return fail(err, ST_FORMAT, "%s: expected a report of pcemu, found an empty file", name);
    json_t *root = json_loadb(text, size_bytes, 0, &error);
    if (root == NULL) {
        const enum file_form form = file_form_of(name, (const unsigned char *)text, size_bytes);
        if (form != FILE_FORM_OTHER && form != FILE_FORM_REPORT)
            return file_form_refuse(name, (const unsigned char *)text, size_bytes, "a report of pcemu", ST_FORMAT, err);
        if (strncmp(text, REPORT_LINES_BEGIN, strlen(REPORT_LINES_BEGIN)) == 0)
            return fail(err, ST_FORMAT,
                        "%s: expected a report of --format json, found JSON Lines (--format jsonl), which lacks "
                        "the titles and notes of the text form",
                        name);
        bool truncated = json_error_code(&error) == json_error_premature_end_of_input;
        return fail(err, ST_FORMAT, "%s:%d:%d: %s: %s", name, error.line, error.column,
                    truncated ? "the file is truncated" : "this is not JSON", error.text);
    }
    struct report *r = report_new();
    enum status st = read_root(&in, root, r);
    json_decref(root);
    if (st == ST_OK)
        *out = r;
    else
        report_free(r);
    return st;
}
