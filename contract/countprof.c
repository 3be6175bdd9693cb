/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/countprof.h"

/* The second of the arguments that `source` expands to, or 0: 1 for PAIR(...) and TOGETHER(...). */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define IS_PAIR(relation) , 1
#define IS_TOGETHER(own, others) , 1
#define NUMBER_TOGETHER(own, others) , 1 + PHASE_##own *PHASES + PHASE_##others

static const struct {
    const char *name, *unit;
    bool of_pairs;
    unsigned together; /* for a row TOGETHER(own, others): its number, from 1; else 0 */
} kinds[] = {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    {name, unit, SECOND(IS_##of_record), SECOND(NUMBER_##of_record)},
#include "contract/countprof.def"
};

const char *count_name(enum count_kind kind) { return kinds[kind].name; }
const char *count_unit(enum count_kind kind) { return kinds[kind].unit; }
bool count_is_of_pairs(enum count_kind kind) { return kinds[kind].of_pairs; }

enum count_kind count_together(enum profileme_phase own, enum profileme_phase others)
{
    int k = 0;
    while (k < COUNT_KINDS && kinds[k].together != 1 + own * PHASES + others)
        k++;
    return (enum count_kind)k;
}

enum count_kind count_phase_cycles(enum profileme_phase p)
{
    static const enum count_kind cycles_in[] = {
#define PHASE(symbol, from, to, cycles, name) COUNT_##cycles,
#include "contract/profileme.def"
    };
    return cycles_in[p];
}
