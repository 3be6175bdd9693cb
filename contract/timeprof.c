/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/timeprof.h"

const char *time_category_name(enum time_category c)
{
    static const char *const names[] = {
#define TIME_CATEGORY(sym, name, what) name,
#include "contract/timeprof.def"
    };
    return names[c];
}
