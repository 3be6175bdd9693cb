/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/place_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum status place_text_offset(const char *text, size_t length, size_t *name_length, uint64_t *bytes)
{
    const char *plus = memrchr(text, '+', length);
    if (plus == NULL || plus == text)
        return ST_INPUT;
    char *digits = xasprintf("%.*s", (int)(text + length - plus - 1), plus + 1);
    const enum status st = number_parse(digits, bytes);
    free(digits);
    *name_length = (size_t)(plus - text);
    return st;
}

bool place_text_line(const char *text, size_t length, size_t *file_length, unsigned *line)
{
    const char *colon = memrchr(text, ':', length);
    if (colon == NULL || colon + 1 == text + length)
        return false;
    *line = 0;
    for (const char *digit = colon + 1; digit < text + length; digit++) {
        const unsigned value = (unsigned)(*digit - '0'); /* of another character: above 9 */
        if (value > 9 || *line > (INT_MAX - value) / 10)
            return false;
        *line = *line * 10 + value;
    }
    *file_length = (size_t)(colon - text);
    return true;
}
