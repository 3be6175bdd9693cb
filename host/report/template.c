/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expanding templates. Entry point: template.h. */
#include "host/report/template.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/report/words.h"

static bool report_template_is_named(const char *key, const char *name, size_t length)
{
    return key != NULL && strlen(key) == length && memcmp(key, name, length) == 0;
}

/* Among the members of the section's object; "section.key" is one of a section below. */
static const struct report_value *find_value(const struct report *r, const char *name, size_t length)
{
    const char *dot = memchr(name, '.', length);
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        const struct report_value *found = NULL;
        if (n->kind == REPORT_VALUE && report_template_is_named(n->value.key, name, length))
            found = &n->value;
        else if (n->kind == REPORT_SECTION && report_is_transparent(n->section))
            found = find_value(n->section, name, length);
        else if (n->kind == REPORT_SECTION && dot != NULL &&
                 report_template_is_named(n->section->key, name, (size_t)(dot - name)))
            found = find_value(n->section, dot + 1, length - (size_t)(dot + 1 - name));
        if (found != NULL)
            return found;
    }
    return NULL;
}

static char *value_text(const struct report_value *v)
{
    char *number = cell_text(&v->cell, &(struct number_style){.decimals = v->decimals});
    if (v->cell.type != REPORT_SHARE)
        return number;
    char *share = xasprintf("%s %%", number);
    free(number);
    return share;
}

/* The text of a name; NULL: it stands for nothing. */
static char *report_template_look_up(const char *name, size_t length, const struct report *r,
                                     const struct template_rows *rows)
{
    char number[REPORT_NUMBER];
    if (rows != NULL && report_template_is_named("shown", name, length))
        return xstrdup(report_number(number, rows->shown));
    if (rows != NULL && report_template_is_named("rows", name, length))
        return xstrdup(report_number(number, rows->rows));
    if (rows != NULL && rows->order != NULL && report_template_is_named("order", name, length))
        return xstrdup(rows->order);
    while (report_is_transparent(r) && r->parent != NULL)
        r = r->parent;
    const struct report_value *v = find_value(r, name, length);
    return v != NULL ? value_text(v) : NULL;
}

char *template_expand(const char *words, const struct report *r, const struct template_rows *rows)
{
    char *text = NULL;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    while (*words != '\0') {
        const char *end = *words == '{' ? strchr(words, '}') : NULL;
        char *found = end != NULL ? report_template_look_up(words + 1, (size_t)(end - words - 1), r, rows) : NULL;
        if (found != NULL) {
            fputs(found, out);
            words = end + 1;
        } else {
            fputc(*words++, out);
        }
        free(found);
    }
    xclose_text(out);
    return text;
}
