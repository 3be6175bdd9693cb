/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/exact/exact.h"

static const struct exact_ops *const ops[EXACT_REFERENCES] = {
#define EXACT(sym, symbol, ...) [EXACT_##sym] = &exact_##symbol##_ops,
#include "contract/exact.def"
};

struct observer *exact_new(enum exact_reference e, const struct exact_setup *setup) { return ops[e]->create(setup); }

bool exact_is_of_all_harts(enum exact_reference e) { return ops[e]->of_all_harts; }

struct exact_source exact_source(enum exact_reference e, struct observer *o)
{
    return (struct exact_source){.reference = e, .ctx = o, .rows = ops[e]->rows};
}
