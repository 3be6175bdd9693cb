/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/family/gain_parts.h"

#include <string.h>

static const char blanks[] = " \t";

/* The row whose question is the text; `rows`: there is none. */
static size_t gain_parts_find(const char *const *asked, size_t rows, const char *text, size_t length)
{
    size_t n = 0;
    while (n < rows && (asked[n] == NULL || strlen(asked[n]) != length || strncmp(asked[n], text, length) != 0))
        n++;
    return n;
}

size_t gain_parts(const char *const *asked, size_t rows, size_t row, size_t part[GAIN_PARTS])
{
    size_t count = 0;
    const char *at = asked[row] != NULL ? asked[row] : "";
    while (*(at += strspn(at, blanks)) != '\0') {
        const size_t length = strcspn(at, blanks);
        if (count == GAIN_PARTS)
            return 0;
        part[count] = gain_parts_find(asked, rows, at, length);
        if (part[count] == rows || part[count] == row)
            return 0;
        at += length;
        count++;
    }
    return count > 1 ? count : 0;
}
