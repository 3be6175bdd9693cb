/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/record/column.h"

#include "base/status.h"

void column_grow(struct column *c, size_t more)
{
    enum { LEAST = 1 << 12 };
    if (c->capacity >= c->size + more)
        return;
    while (c->capacity < c->size + more)
        c->capacity = c->capacity != 0 ? 2 * c->capacity : LEAST;
    c->byte = xrealloc(c->byte, c->capacity);
}

uint64_t cursor_long_number(struct column_cursor *c)
{
    uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = cursor_get(c);
        n |= (uint64_t)(byte & (VARINT_MORE - 1)) << shift;
        if (byte < VARINT_MORE)
            return n;
    }
    *c->failed = true;
    return 0;
}
