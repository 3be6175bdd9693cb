/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/contract/countprof.h"

/* The second of the arguments that `source` expands to, or 0: 1 for PAIR(...). */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define IS_PAIR(relation) , 1

static const struct {
    const char *name, *event, *unit, *meaning;
    bool of_pairs;
} kinds[] = {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) {name, event, unit, meaning, SECOND(IS_##of_record)},
#include "isa/contract/countprof.def"
#undef COUNT
};

const char *count_name(enum count_kind kind) { return kinds[kind].name; }
const char *count_event(enum count_kind kind) { return kinds[kind].event; }
const char *count_unit(enum count_kind kind) { return kinds[kind].unit; }
const char *count_meaning(enum count_kind kind) { return kinds[kind].meaning; }
bool count_is_of_pairs(enum count_kind kind) { return kinds[kind].of_pairs; }
