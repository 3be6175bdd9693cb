/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/contract/sample.h"

#include <string.h>

const struct sample_field_row sample_fields[FIELD_COUNT] = {
#define FIELD(sym, name, width, group, meaning) [FIELD_##sym] = {name, width, group, meaning},
#include "isa/contract/sample.def"
#undef FIELD
};

int sample_find_field(const char *name)
{
    for (int f = 0; f < FIELD_COUNT; f++)
        if (strcmp(sample_fields[f].name, name) == 0)
            return f;
    return -1;
}
