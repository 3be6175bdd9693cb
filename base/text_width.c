/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text_width.h"

#include <stdint.h>

#include "base/order.h"
#include "base/text.h"

struct width_range {
    uint32_t first, last;
    unsigned columns;
};

static const struct width_range ranges[] = {
#define R(first, last, columns) {first, last, columns},
#include "base/text_width.def"
};

static unsigned columns_of(uint32_t character)
{
    size_t low = 0, high = sizeof ranges / sizeof ranges[0];
    SEARCH(low, high, middle, ranges[middle].last < character);
    return low < sizeof ranges / sizeof ranges[0] && ranges[low].first <= character ? ranges[low].columns : 1;
}

/* The bytes of the character at `text`, and its columns. */
static size_t text_width_step(const char *text, size_t size_bytes, size_t *columns)
{
    uint32_t character;
    *columns = 1;
    if ((unsigned char)*text < 0x80)
        return 1;
    unsigned bytes = text_decode(text, size_bytes, &character);
    if (bytes == 0)
        return 1;
    *columns = columns_of(character);
    return bytes;
}

size_t text_columns(const char *text, size_t size_bytes)
{
    size_t sum = 0, columns;
    for (size_t n = 0; n < size_bytes; sum += columns)
        n += text_width_step(text + n, size_bytes - n, &columns);
    return sum;
}

size_t text_beginning(const char *text, size_t size_bytes, size_t columns)
{
    size_t n = 0, used = 0, more;
    while (n < size_bytes) {
        size_t bytes = text_width_step(text + n, size_bytes - n, &more);
        if (used + more > columns)
            break;
        used += more;
        n += bytes;
    }
    return n;
}

size_t text_end(const char *text, size_t size_bytes, size_t columns)
{
    size_t left = text_columns(text, size_bytes), n = 0, more;
    while (n < size_bytes && left > columns) {
        n += text_width_step(text + n, size_bytes - n, &more);
        left -= more;
    }
    for (size_t bytes; n > 0 && n < size_bytes; n += bytes) { /* marks of a character that is left out */
        bytes = text_width_step(text + n, size_bytes - n, &more);
        if (more > 0)
            break;
    }
    return size_bytes - n;
}
