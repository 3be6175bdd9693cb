/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of exact.def as data. */
#include "contract/exact.h"

#include <stdio.h>
#include <string.h>

#include "contract/slot_format.h"

#define EXACT_KEY(reference, sym, ...) \
    _Static_assert((int)EXACT_KEY_##reference##_##sym < (int)EXACT_KEYS, "exact.def: too many keys of a reference");
#define EXACT_COUNT(reference, sym, ...) \
    _Static_assert((int)EXACT_##reference##_##sym < (int)EXACT_COUNTS, "exact.def: too many counts of a reference");
#include "contract/exact.def"

const struct exact_kind exact_kinds[EXACT_REFERENCES] = {
#define EXACT(sym, symbol, text, help) [EXACT_##sym].name = text, [EXACT_##sym].meaning = help,
#define EXACT_KEY(of, sym, text, as, help) \
    [EXACT_##of].key[EXACT_KEY_##of##_##sym] = {.name = text, .meaning = help, .format = FORMAT_##as},
#define EXACT_COUNT(of, sym, text, per, help) \
    [EXACT_##of].count[EXACT_##of##_##sym] = {.name = text, .unit = per, .meaning = help},
#include "contract/exact.def"
};

unsigned exact_key_count(enum exact_reference e)
{
    unsigned n = 0;
    while (exact_kinds[e].key[n].name != NULL)
        n++;
    return n;
}

unsigned exact_count_count(enum exact_reference e)
{
    unsigned n = 0;
    while (exact_kinds[e].count[n].name != NULL)
        n++;
    return n;
}

const char *exact_name_list(enum exact_reference e, bool keys, char text[EXACT_NAME_LIST])
{
    unsigned n = keys ? exact_key_count(e) : exact_count_count(e);
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < n && length < EXACT_NAME_LIST; i++)
        length += (size_t)snprintf(text + length, EXACT_NAME_LIST - length, "%s%s", i == 0 ? "" : ", ",
                                   keys ? exact_kinds[e].key[i].name : exact_kinds[e].count[i].name);
    return text;
}

int exact_find(const char *name)
{
    for (int e = 0; e < EXACT_REFERENCES; e++)
        if (strcmp(exact_kinds[e].name, name) == 0)
            return e;
    return -1;
}

bool exact_is_event(enum exact_reference e, unsigned count)
{
    return strcmp(exact_kinds[e].count[count].unit, exact_kinds[e].count[0].unit) == 0;
}
