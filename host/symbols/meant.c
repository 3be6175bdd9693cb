/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/symbols/meant.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "host/symbols/demangle.h"

enum { MAX_SHOWN = 4 };

/* Returns whether a function is a part or a clone of that named: NAME.SUFFIX, or demangled "NAME [clone .SUFFIX]". */
static bool is_clone(const char *function, const char *name, size_t length)
{
    return length > 0 && strncmp(function, name, length) == 0 &&
           (function[length] == '.' || strncmp(function + length, " [clone ", 8) == 0);
}

static bool is_shown(const char *const *shown, size_t count, const char *name)
{
    for (size_t n = 0; n < count; n++)
        if (strcmp(shown[n], name) == 0)
            return true;
    return false;
}

/* " (did you mean 'A', 'B' or 'C'?)"; "" without names. The caller frees it. */
static char *question(const char *const *shown, size_t count)
{
    char *text = xstrdup("");
    for (size_t n = 0; n < count; n++) {
        char *longer = xasprintf("%s%s%s'%s", text,
                                 n == 0          ? " (did you mean '"
                                 : n + 1 < count ? ", '"
                                                 : " or '",
                                 shown[n], n + 1 == count ? "?)" : "");
        free(text);
        text = longer;
    }
    return text;
}

char *meant_clones(const char *const *names, size_t count, const char *name)
{
    size_t found = 0, length = strlen(name);
    const char *shown[MAX_SHOWN];
    for (size_t n = 0; n < count && found < MAX_SHOWN; n++)
        if (is_clone(names[n], name, length) && !is_shown(shown, found, names[n]))
            shown[found++] = names[n];
    return question(shown, found);
}

char *meant_names(const char *const *names, size_t count, const char *name)
{
    char *meant = meant_clones(names, count, name);
    const char *near = *meant != '\0' ? NULL : diag_nearest(name, names, count);
    if (near == NULL)
        return meant;
    free(meant);
    return question(&near, 1);
}

/* Names of functions; of those whose name without parameters is the wanted one, the names with parameters. */
struct symbols_meant_names {
    const char *wanted;
    char **name;
    char *full[MAX_SHOWN];
    size_t count, fulls;
};

static void meant_add_name(void *ctx, const char *name)
{
    struct symbols_meant_names *n = ctx;
    n->name = xgrow(n->name, n->count, sizeof *n->name);
    n->name[n->count++] = xstrdup(name);
    char *shorter = strcmp(name, n->wanted) != 0 ? demangle(name, DEMANGLE_SHORT) : NULL;
    if (shorter != NULL && n->fulls < MAX_SHOWN && strcmp(shorter, n->wanted) == 0)
        n->full[n->fulls++] = demangle(name, DEMANGLE_FULL);
    free(shorter);
}

char *meant_symbols(const struct symbols *s, const char *name)
{
    struct symbols_meant_names n = {.wanted = name};
    if (s != NULL)
        symbols_each(s, meant_add_name, &n);
    char *meant = n.fulls > 0 ? question((const char *const *)n.full, n.fulls)
                              : meant_names((const char *const *)n.name, n.count, name);
    for (size_t i = 0; i < n.count; i++)
        free(n.name[i]);
    for (size_t i = 0; i < n.fulls; i++)
        free(n.full[i]);
    free(n.name);
    return meant;
}
