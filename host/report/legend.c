/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend of the text form. Entry points: legend.h. */
#include "host/report/legend.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/report/fold.h"
#include "host/report/text.h"

static const struct report_legend_row {
    const char *tables;
    struct legend_entry entry;
} rows[] = {
#define LEGEND(tables, title, meaning) {tables, {title, meaning}},
#include "host/report/legend.def"
};
enum { ROWS = sizeof rows / sizeof rows[0], TITLE_WIDTH = 26, LEGEND_WIDTH = 100 };

/* Name of a column in legend.def if no row has its title. */
static const char *report_legend_kind_of(const struct report_column *c)
{
    static const struct {
        const char *group, *kind;
    } kinds[] = {{"time", "(profiler)"}, {"members", "(member)"}, {"estimated", "(member)"}};
    if (c->group != NULL && c->member != NULL && strcmp(c->member, "estimate") == 0)
        return "(event)";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && c->group != NULL; i++)
        if (strcmp(c->group, kinds[i].group) == 0)
            return kinds[i].kind;
    return "";
}

/* The row of that title with the longest pattern that fits. */
static const struct report_legend_row *report_legend_find_row(const char *path, const char *title)
{
    const struct report_legend_row *found = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        const struct report_legend_row *row = &rows[i];
        if (strcmp(row->entry.title, title) == 0 && fnmatch(row->tables, path, 0) == 0 &&
            (found == NULL || strlen(row->tables) > strlen(found->tables)))
            found = row;
    }
    return found;
}

struct legend_entry legend_find(const char *path, const struct report_column *c)
{
    const char *title = c->title[0] != '\0' ? c->title : "?";
    const struct report_legend_row *row = report_legend_find_row(path, title);
    if (row == NULL)
        row = report_legend_find_row(path, report_legend_kind_of(c));
    return row != NULL ? row->entry : (struct legend_entry){.title = title};
}

/* The entries printed so far. */
struct legend {
    struct legend_entry *entry;
    size_t entries;
};

static bool report_legend_is_new(const struct legend *l, const struct legend_entry *e)
{
    for (size_t i = 0; i < l->entries; i++) {
        const struct legend_entry *x = &l->entry[i];
        bool same_meaning = x->meaning == e->meaning ||
                            (x->meaning != NULL && e->meaning != NULL && strcmp(x->meaning, e->meaning) == 0);
        if (same_meaning && strcmp(x->title, e->title) == 0)
            return false;
    }
    return true;
}

static void report_legend_print_entry(const struct legend_entry *e, unsigned width, FILE *out)
{
    width = width != 0 && width < LEGEND_WIDTH ? width : LEGEND_WIDTH;
    const char *meaning = e->meaning != NULL ? e->meaning : "not known to this version";
    char *line = xasprintf("%-*s  %s", TITLE_WIDTH, e->title, meaning);
    fold_print(line, width, 0, TITLE_WIDTH + 2, out);
    fputc('\n', out);
    free(line);
}

static void add_table(struct legend *l, const struct report_table *t, const char *path, const struct report_view *v,
                      FILE *out)
{
    unsigned count;
    struct text_column *list = text_choose_columns(t, &count);
    for (unsigned i = 0; i < count; i++) {
        const struct report_table *of = list[i].table;
        char *nested = of != t ? xasprintf("%s.%s", path, of->key) : NULL;
        struct legend_entry e = legend_find(nested != NULL ? nested : path, &of->column[list[i].column]);
        free(nested);
        if (!report_legend_is_new(l, &e))
            continue;
        if (l->entries == 0)
            fputs("\nColumns:\n", out);
        l->entry = xrealloc(l->entry, (l->entries + 1) * sizeof *l->entry);
        l->entry[l->entries++] = e;
        report_legend_print_entry(&e, v->width, out);
    }
    free(list);
}

static void report_legend_add_section(struct legend *l, const struct report *r, const char *path,
                                      const struct report_view *v, FILE *out)
{
    for (const struct report_node *n = r->first; n != NULL && (v->verbose || !r->details); n = n->next) {
        const char *key = n->kind == REPORT_TABLE ? n->table->key : n->kind == REPORT_SECTION ? n->section->key : NULL;
        char *below = xasprintf("%s%s%s", path, path[0] != '\0' && key != NULL ? "." : "", key != NULL ? key : "");
        if (n->kind == REPORT_TABLE)
            add_table(l, n->table, below, v, out);
        else if (n->kind == REPORT_SECTION)
            report_legend_add_section(l, n->section, below, v, out);
        free(below);
    }
}

void legend_print(const struct report *r, const struct report_view *v, FILE *out)
{
    struct legend l = {0};
    report_legend_add_section(&l, r, "", v, out);
    free(l.entry);
}
