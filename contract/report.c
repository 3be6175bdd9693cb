/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Building a report: sections, values and notes. Entry points: report.h; tables are in report_table.c. */
#include "contract/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "contract/report_parts.h"
#include "contract/report_tree.h"

static const struct {
    const char *name, *json;
} types[] = {
#define REPORT_TYPE(sym, name, json) {name, json},
#include "contract/report.def"
};

const char *report_type_name(enum report_type t) { return types[t].name; }
const char *report_type_json(enum report_type t) { return types[t].json; }

enum report_type report_type_of_name(const char *name)
{
    unsigned t = 0;
    while (t < REPORT_TYPES && strcmp(types[t].name, name) != 0)
        t++;
    return (enum report_type)t;
}

static struct report *new_section(struct report *parent, const char *key)
{
    struct report *r = xcalloc(1, sizeof *r);
    r->key = report_copy_text(key);
    r->parent = parent;
    return r;
}

struct report *report_new(void) { return new_section(NULL, NULL); }

static void free_value(struct report_value *v)
{
    report_clear_cell(&v->cell);
    free(v->key);
    free(v->label);
    free(v->unit);
    free(v->remark);
}

static void free_node(struct report_node *n)
{
    switch (n->kind) {
    case REPORT_VALUE:
        free_value(&n->value);
        break;
    case REPORT_NOTE:
        free(n->note.words);
        break;
    case REPORT_SECTION:
        report_free(n->section);
        break;
    case REPORT_TABLE:
        report_free_table(n->table);
        break;
    }
    free(n);
}

void report_free(struct report *r)
{
    if (r == NULL)
        return;
    for (struct report_node *n = r->first, *next; n != NULL; n = next) {
        next = n->next;
        free_node(n);
    }
    free(r->key);
    free(r);
}

static struct report_node *report_add_node(struct report *r, enum report_kind kind)
{
    struct report_node *n = xcalloc(1, sizeof *n);
    n->kind = kind;
    if (r->last != NULL)
        r->last->next = n;
    else
        r->first = n;
    r->last = n;
    return n;
}

static struct report *report_add_section(struct report *r, const char *key)
{
    struct report_node *n = report_add_node(r, REPORT_SECTION);
    n->section = new_section(r, key);
    return n->section;
}

struct report *report_section(struct report *r, const char *key)
{
    if (r->list)
        BUG("a list has elements, and no section '%s'", key != NULL ? key : "");
    return report_add_section(r, key);
}

struct report *report_details(struct report *r)
{
    struct report *s = report_section(r, NULL);
    s->details = true;
    return s;
}

struct report *report_list(struct report *r, const char *key)
{
    for (struct report_node *n = r->first; n != NULL && key != NULL; n = n->next)
        if (n->kind == REPORT_SECTION && n->section->list && n->section->key != NULL &&
            strcmp(n->section->key, key) == 0)
            return n->section;
    struct report *s = report_section(r, key);
    s->list = true;
    return s;
}

struct report *report_element(struct report *list, const char *name)
{
    if (!list->list)
        BUG("the element %s is not in a list", name);
    return report_add_section(list, name);
}

struct report_value *report_add_value(struct report *r, const char *key, const char *label, enum report_type type)
{
    if (r->list)
        BUG("a list has elements, and no value '%s'", key != NULL ? key : label);
    struct report_value *v = &report_add_node(r, REPORT_VALUE)->value;
    v->key = report_copy_text(key);
    v->label = report_copy_text(label);
    v->type = type;
    return v;
}

void report_text(struct report *r, const char *key, const char *label, const char *text)
{
    report_set_text(&report_add_value(r, key, label, REPORT_TEXT)->cell, text);
}

void report_count(struct report *r, const char *key, const char *label, uint64_t n, const char *unit)
{
    struct report_value *v = report_add_value(r, key, label, REPORT_COUNT);
    v->cell = (struct report_cell){.type = REPORT_COUNT, .count = n};
    v->unit = report_copy_text(unit);
}

static struct report_value *report_add_real(struct report *r, const char *key, const char *label, enum report_type type,
                                            double x, unsigned decimals)
{
    struct report_value *v = report_add_value(r, key, label, type);
    if (isfinite(x))
        v->cell = (struct report_cell){.type = type, .real = x};
    v->decimals = decimals;
    return v;
}

void report_real(struct report *r, const char *key, const char *label, double x, unsigned decimals, const char *unit)
{
    report_add_real(r, key, label, REPORT_REAL, x, decimals)->unit = report_copy_text(unit);
}

void report_share(struct report *r, const char *key, const char *label, double share, unsigned decimals)
{
    report_add_real(r, key, label, REPORT_SHARE, share, decimals);
}

void report_flag(struct report *r, const char *key, const char *label, bool flag)
{
    report_add_value(r, key, label, REPORT_FLAG)->cell = (struct report_cell){.type = REPORT_FLAG, .flag = flag};
}

void report_hex(struct report *r, const char *key, const char *label, uint64_t n)
{
    report_add_value(r, key, label, REPORT_HEX)->cell = (struct report_cell){.type = REPORT_HEX, .count = n};
}

void report_address(struct report *r, const char *key, const char *label, uint64_t pc)
{
    report_set_place(&report_add_value(r, key, label, REPORT_ADDRESS)->cell,
                     &(struct report_place){.pc = pc, .address = pc});
}

void report_absent(struct report *r, const char *key, const char *label)
{
    report_add_value(r, key, label, REPORT_ABSENT);
}

static struct report_value *last_value(struct report *r)
{
    if (r->last == NULL || r->last->kind != REPORT_VALUE)
        BUG("the section's last part is no value");
    return &r->last->value;
}

void report_unit(struct report *r, const char *unit)
{
    struct report_value *v = last_value(r);
    free(v->unit);
    v->unit = report_copy_text(unit);
    v->implied = true;
}

void report_tally(struct report *r, const char *key, const char *label, uint64_t n, const char *unit)
{
    report_count(r, key, label, n, NULL);
    report_unit(r, unit);
}

void report_remark(struct report *r, const char *words)
{
    struct report_value *v = last_value(r);
    free(v->remark);
    v->remark = report_copy_text(words);
}

void report_exact(struct report *r, double exact)
{
    struct report_value *v = last_value(r);
    v->has_exact = isfinite(exact);
    v->exact = exact;
}

void report_interval(struct report *r, double low, double high)
{
    struct report_value *v = last_value(r);
    v->has_interval = isfinite(low) && isfinite(high);
    v->low = low;
    v->high = high;
}

static struct report_note *add_note(struct report *r, const char *words)
{
    struct report_node *n = report_add_node(r, REPORT_NOTE);
    n->note = (struct report_note){.words = report_copy_text(words)};
    return &n->note;
}

void report_note(struct report *r, const char *words) { (void)add_note(r, words); }
void report_note_line(struct report *r, const char *words) { add_note(r, words)->joined = true; }

void report_note_command(struct report *r, const char *words)
{
    struct report_note *n = add_note(r, words);
    n->joined = n->is_command = true;
}

struct report_table *report_table(struct report *r, const char *key, const char *title)
{
    struct report_table *t = report_new_table(key, title);
    report_add_node(r, REPORT_TABLE)->table = t;
    return t;
}

void report_resolve(struct report *r, void (*find)(void *ctx, struct report_place *p), void *ctx)
{
    for (struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind == REPORT_VALUE)
            report_resolve_cell(&n->value.cell, find, ctx);
        else if (n->kind == REPORT_SECTION)
            report_resolve(n->section, find, ctx);
        else if (n->kind == REPORT_TABLE)
            report_resolve_table(n->table, find, ctx);
    }
}
