/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/pcprof/no_procedure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "isa/support/diag.h"

enum { MAX_SHOWN = 4 };

/* The shown names of all procedures; the caller frees the array, not the names. */
static const char **names_of(const struct profile *p, size_t *count)
{
    size_t all = 0;
    for (uint32_t n = 0; n < profile_images(p); n++)
        all += profile_image(p, n)->symbols;
    const char **names = xcalloc(all + 1, sizeof *names);
    *count = 0;
    for (uint32_t n = 0; n < profile_images(p); n++)
        for (size_t k = 0; k < profile_image(p, n)->symbols; k++)
            names[(*count)++] = profile_image(p, n)->symbol[k].shown;
    return names;
}

/* Returns whether a procedure is a part or a clone of that named: NAME.SUFFIX, or demangled "NAME [clone .SUFFIX]". */
static bool is_clone(const char *procedure, const char *name, size_t length)
{
    return length > 0 && strncmp(procedure, name, length) == 0 &&
           (procedure[length] == '.' || strncmp(procedure + length, " [clone ", 8) == 0);
}

char *procedure_clones(const struct profile *p, const char *name)
{
    size_t count, found = 0, length = strlen(name);
    const char **names = names_of(p, &count), *shown[MAX_SHOWN];
    for (size_t n = 0; n < count && found < MAX_SHOWN; n++)
        if (is_clone(names[n], name, length) && (found == 0 || strcmp(names[n], shown[found - 1]) != 0))
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
    free(names);
    return text;
}

size_t procedure_name_bytes(const char *text, uint64_t *offset)
{
    const char *plus = strrchr(text, '+');
    char *end = NULL;
    *offset = 0;
    if (plus == NULL || strncmp(plus, "+0x", 3) != 0 || !isxdigit((unsigned char)plus[3]))
        return strlen(text);
    uint64_t found = strtoull(plus + 3, &end, 16);
    if (*end != '\0')
        return strlen(text);
    *offset = found;
    return (size_t)(plus - text);
}

enum status no_procedure(const char *input, const struct profile *p, const char *name, struct errmsg *err)
{
    size_t count;
    char *meant = procedure_clones(p, name);
    const char **names = names_of(p, &count), *near = *meant != '\0' ? NULL : diag_nearest(name, names, count);
    if (near != NULL) {
        free(meant);
        meant = xasprintf(" (did you mean '%s'?)", near);
    }
    enum status st = fail(err, ST_INPUT, "%s: there is no procedure '%s'%s; pcprof prof %s has those with samples",
                          input, name, meant, input);
    free(meant);
    free(names);
    return st;
}
