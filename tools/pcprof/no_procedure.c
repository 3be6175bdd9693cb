/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/no_procedure.h"

#include <stdlib.h>
#include <string.h>

#include "host/symbols/meant.h"
#include "host/symbols/short_name.h"

/* The shown names of all procedures; the caller frees the array, not the names. */
static const char **no_procedure_names_of(const struct profile *p, size_t *count)
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

char *procedure_clones(const struct profile *p, const char *name)
{
    size_t count;
    const char **names = no_procedure_names_of(p, &count);
    char *meant = meant_clones(names, count, name);
    free(names);
    return meant;
}

size_t procedure_name_bytes(const char *text, uint64_t *offset)
{
    const size_t bytes = name_without_offset(text, strlen(text));
    *offset = text[bytes] != '\0' ? strtoull(text + bytes + strlen("+0x"), NULL, 16) : 0;
    return bytes;
}

bool procedure_is_named(const struct profile_symbol *s, const char *name)
{
    return strcmp(s->name, name) == 0 || strcmp(s->shown, name) == 0 || strcmp(s->unique, name) == 0;
}

bool procedure_is_shortened_to(const struct profile_symbol *s, const char *name)
{
    bool same = false;
    for (enum short_form form = SHORT_NAME; !same && form != SHORT_NONE; form++) {
        char *brief = short_name(s->unique, form);
        same = strcmp(brief, name) == 0;
        free(brief);
    }
    return same;
}

enum status no_procedure(const char *input, const struct profile *p, const char *name, struct errmsg *err)
{
    size_t count;
    const char **names = no_procedure_names_of(p, &count);
    char *meant = meant_names(names, count, name);
    enum status st = fail(err, ST_INPUT, "%s: there is no procedure '%s'%s; pcprof prof %s has those with samples",
                          input, name, meant, input);
    free(meant);
    free(names);
    return st;
}
