/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/exact/exact.h"

static const struct exact_ops *const ops[EXACT_REFERENCES] = {
#define EXACT(sym, symbol, ...) [EXACT_##sym] = &exact_##symbol##_ops,
#include "isa/contract/exact.def"
};

struct observer *exact_new(enum exact_reference e, const struct exact_setup *setup) { return ops[e]->create(setup); }

/* Which rows function a source calls depends on its reference, which the observer does not know. */
#define EXACT(sym, symbol, ...) \
    static size_t symbol##_rows(void *ctx, struct exact_row **rows) { return exact_##symbol##_ops.rows(ctx, rows); }
#include "isa/contract/exact.def"

struct exact_source exact_source(enum exact_reference e, struct observer *o)
{
    static size_t (*const rows[EXACT_REFERENCES])(void *ctx, struct exact_row **rows) = {
#define EXACT(sym, symbol, ...) [EXACT_##sym] = symbol##_rows,
#include "isa/contract/exact.def"
    };
    return (struct exact_source){.reference = e, .ctx = o, .rows = rows[e]};
}
