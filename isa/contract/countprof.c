/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/contract/countprof.h"

static const struct {
    const char *name, *event, *unit, *meaning;
} kinds[] = {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) {name, event, unit, meaning},
#include "isa/contract/countprof.def"
#undef COUNT
};

const char *count_name(enum count_kind kind) { return kinds[kind].name; }
const char *count_event(enum count_kind kind) { return kinds[kind].event; }
const char *count_unit(enum count_kind kind) { return kinds[kind].unit; }
const char *count_meaning(enum count_kind kind) { return kinds[kind].meaning; }
