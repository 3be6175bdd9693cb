/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The forms are chosen when the first name is shown: names are sorted by their short forms, so that those of one are
 * neighbours. */
#include "host/report/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/symbols/short_name.h"

struct shown_name {
    char *name, *brief; /* brief: in SHORT_NAME */
    enum short_form form;
    UT_hash_handle hh; /* by name */
};

struct names {
    bool full, is_chosen;
    struct shown_name *list;
};

struct names *names_new(bool full)
{
    struct names *n = xcalloc(1, sizeof *n);
    n->full = full;
    return n;
}

void names_free(struct names *n)
{
    struct shown_name *s, *next;
    if (n == NULL)
        return;
    HASH_ITER (hh, n->list, s, next) {
        HASH_DEL(n->list, s);
        free(s->name);
        free(s->brief);
        free(s);
    }
    free(n);
}

static struct shown_name *find_shown(const struct names *n, const char *name, size_t bytes)
{
    struct shown_name *found;
    HASH_FIND(hh, n->list, name, bytes, found);
    return found;
}

void names_add(struct names *n, const char *name)
{
    const size_t bytes = name_without_offset(name, strlen(name));
    if (n->full || find_shown(n, name, bytes) != NULL)
        return;
    struct shown_name *new = xcalloc(1, sizeof *new);
    new->name = xasprintf("%.*s", (int)bytes, name);
    HASH_ADD_KEYPTR(hh, n->list, new->name, bytes, new);
}

static int compare_briefs(const void *a, const void *b)
{
    const struct shown_name *const *x = a, *const *y = b;
    return strcmp((*x)->brief, (*y)->brief);
}

static int compare_forms(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Whether names differ in a form. */
static bool differ_in(struct shown_name *const *group, size_t count, enum short_form form)
{
    char **texts = xcalloc(count, sizeof *texts);
    bool differ = true;
    for (size_t i = 0; i < count; i++)
        texts[i] = short_name(group[i]->name, form);
    qsort(texts, count, sizeof *texts, compare_forms);
    for (size_t i = 1; i < count; i++)
        differ = differ && strcmp(texts[i - 1], texts[i]) != 0;
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
    return differ;
}

/* Chooses the form of the names that have one short form. */
static void choose_form(struct shown_name *const *group, size_t count)
{
    enum short_form form = SHORT_NAME;
    while (count > 1 && form != SHORT_NONE && !differ_in(group, count, form))
        form++;
    for (size_t i = 0; i < count; i++)
        group[i]->form = form;
}

static void choose_forms(struct names *n)
{
    size_t count = 0, end;
    struct shown_name **sorted = xcalloc(HASH_COUNT(n->list) + 1, sizeof(struct shown_name *));
    n->is_chosen = true;
    for (struct shown_name *s = n->list; s != NULL; s = s->hh.next) {
        s->brief = short_name(s->name, SHORT_NAME);
        sorted[count++] = s;
    }
    qsort(sorted, count, sizeof(struct shown_name *), compare_briefs);
    for (size_t first = 0; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(sorted[end]->brief, sorted[first]->brief) == 0;)
            end++;
        choose_form(sorted + first, end - first);
    }
    free(sorted);
}

char *names_show(struct names *n, const char *name)
{
    const size_t bytes = name_without_offset(name, strlen(name));
    if (n->full)
        return xstrdup(name);
    if (!n->is_chosen)
        choose_forms(n);
    const struct shown_name *found = find_shown(n, name, bytes);
    char *function = xasprintf("%.*s", (int)bytes, name);
    char *brief = short_name(function, found != NULL ? found->form : SHORT_NAME);
    char *shown = xasprintf("%s%s", brief, name + bytes);
    free(brief);
    free(function);
    return shown;
}
