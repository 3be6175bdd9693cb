/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "host/store/parts.h"

static const char *const names[] = {[PROFILE_EXACT] = "exact",
                                    [PROFILE_COUNTER] = "counter",
                                    [PROFILE_TIME] = "time",
                                    [PROFILE_COUNTS] = "counts",
                                    [PROFILE_PROGRAM] = "program"};

const char *store_source_name(enum profile_source source) { return names[source]; }

enum profile_source store_source_of(const char *name)
{
    unsigned n = 0;
    while (n + 1 < sizeof names / sizeof names[0] && strcmp(names[n], name) != 0)
        n++;
    return (enum profile_source)n;
}
