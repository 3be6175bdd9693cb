/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/opclass.h"

#include <stddef.h>
#include <string.h>

_Static_assert(OPCLASS_COUNT < 31, "a set of classes is an int in constant expressions");

static const char *const names[OPCLASS_COUNT] = {
#define OPCLASS(sym, name, what) [OPCLASS_##sym] = name,
#include "contract/opclass.def"
};

const char *opclass_name(enum opclass c) { return (unsigned)c < OPCLASS_COUNT ? names[c] : NULL; }

int opclass_find(const char *name)
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        if (strcmp(names[c], name) == 0)
            return c;
    return -1;
}
