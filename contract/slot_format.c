/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of slot_format.def as data. */
#include "contract/slot_format.h"

#include <stddef.h>
#include <stdio.h>

const struct slot_format_row slot_formats[FORMAT_KINDS] = {
#define FORMAT(sym, name, merge, print, shift, text) {name, text, MERGE_##merge, PRINT_##print, shift},
#include "contract/slot_format.def"
};

bool slot_format_is_sound(unsigned f)
{
    unsigned last = f - FORMAT_LAST;
    return f < FORMAT_KINDS || (last < FORMAT_KINDS && slot_formats[last].merge == MERGE_IDENTITY);
}

enum slot_merge slot_format_merge(unsigned f)
{
    return (f & FORMAT_LAST) != 0 ? MERGE_LAST : f < FORMAT_KINDS ? slot_formats[f].merge : MERGE_ADD;
}

uint64_t slot_format_value(unsigned f, uint64_t held, unsigned bits)
{
    const struct slot_format_row *row = &slot_formats[slot_format_row_of(f)];
    if (bits == 64)
        return held;
    if (row->print == PRINT_SIGNED && (held >> (bits - 1) & 1) != 0)
        return held | UINT64_MAX << bits;
    return held << row->shift;
}

uint64_t slot_format_held(unsigned f, uint64_t value, unsigned bits)
{
    return bits == 64 ? value : value >> slot_formats[slot_format_row_of(f)].shift & ((UINT64_C(1) << bits) - 1);
}

/* Returns whether slot_format_list names the format: all but pcx, or those of the identity. */
static bool slot_format_is_listed(unsigned f, bool all)
{
    return f != FORMAT_PCX && (all || slot_format_is_identity(f));
}

const char *slot_format_list(bool all, char text[SLOT_FORMAT_LIST])
{
    unsigned left = 0;
    for (unsigned f = 0; f < FORMAT_KINDS; f++)
        left += slot_format_is_listed(f, all);
    size_t length = 0;
    for (unsigned f = 0; f < FORMAT_KINDS && length < SLOT_FORMAT_LIST; f++)
        if (slot_format_is_listed(f, all)) {
            const char *separator = left > 2 ? ", " : left == 2 ? " or " : "";
            length += (size_t)snprintf(text + length, SLOT_FORMAT_LIST - length, "%s%s", slot_formats[f].name,
                                       separator);
            left--;
        }
    return text;
}
