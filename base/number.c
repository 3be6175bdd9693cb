/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum status number_parse(const char *text, uint64_t *value)
{
    static const struct {
        char suffix;
        uint64_t times;
    } units[] = {{'k', 1000}, {'M', 1000000}, {'G', 1000000000}};
    char *end;
    uint64_t times = 1;
    if (!isdigit((unsigned char)text[0]))
        return ST_INPUT;
    errno = 0;
    uint64_t digits = strtoull(text, &end, 0);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (*end == units[i].suffix) {
            times = units[i].times;
            end++;
            break;
        }
    if (*end != '\0')
        return ST_INPUT;
    if (errno != 0 || digits > UINT64_MAX / times)
        return ST_RANGE;
    *value = digits * times;
    return ST_OK;
}
