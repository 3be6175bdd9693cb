/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/event_alias.h"

#include <string.h>
#include <strings.h>

#include "base/diag.h"

static const struct {
    const char *perf, *name;
} aliases[] = {
#define ALIAS(perf, name) {perf, name},
#include "contract/event_alias.def"
};

const char *event_alias(const char *name)
{
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcasecmp(aliases[i].perf, name) == 0)
            return aliases[i].name;
    return NULL;
}

const char *event_meant(const char *name, const char *const *names, size_t count)
{
    const char *alias = event_alias(name);
    for (size_t i = 0; i < count && alias != NULL; i++)
        if (names[i] != NULL && strcmp(names[i], alias) == 0)
            return names[i];
    return diag_nearest(name, names, count);
}
