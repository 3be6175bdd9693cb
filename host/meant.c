/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/meant.h"

#include <stdlib.h>
#include <string.h>

#include "isa/support/diag.h"

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

char *meant_clones(const char *const *names, size_t count, const char *name)
{
    size_t found = 0, length = strlen(name);
    const char *shown[MAX_SHOWN];
    for (size_t n = 0; n < count && found < MAX_SHOWN; n++)
        if (is_clone(names[n], name, length) && !is_shown(shown, found, names[n]))
            shown[found++] = names[n];
    char *text = xstrdup("");
    for (size_t n = 0; n < found; n++) {
        char *longer = xasprintf("%s%s%s'%s", text,
                                 n == 0          ? " (did you mean '"
                                 : n + 1 < found ? ", '"
                                                 : " or '",
                                 shown[n], n + 1 == found ? "?)" : "");
        free(text);
        text = longer;
    }
    return text;
}

char *meant_names(const char *const *names, size_t count, const char *name)
{
    char *meant = meant_clones(names, count, name);
    const char *near = *meant != '\0' ? NULL : diag_nearest(name, names, count);
    if (near == NULL)
        return meant;
    free(meant);
    return xasprintf(" (did you mean '%s'?)", near);
}

struct names {
    char **name;
    size_t count;
};

static void add_name(void *ctx, const char *name)
{
    struct names *n = ctx;
    n->name = xgrow(n->name, n->count, sizeof *n->name);
    n->name[n->count++] = xstrdup(name);
}

char *meant_symbols(const struct symbols *s, const char *name)
{
    struct names n = {.count = 0};
    if (s != NULL)
        symbols_each(s, add_name, &n);
    char *meant = meant_names((const char *const *)n.name, n.count, name);
    for (size_t i = 0; i < n.count; i++)
        free(n.name[i]);
    free(n.name);
    return meant;
}
