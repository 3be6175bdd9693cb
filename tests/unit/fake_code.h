/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Code made by hand, as a struct code: instructions of 4 bytes from FAKE_START on. */
#ifndef TESTS_UNIT_FAKE_CODE_H
#define TESTS_UNIT_FAKE_CODE_H

#include "host/analysis/code_graph.h"

enum { FAKE_START = 0x1000, FAKE_MOST = 64 };

struct fake_insn {
    enum code_kind kind;
    int target; /* of a direct transfer: number of the instruction */
};

struct fake_code {
    const struct fake_insn *insn;
    int count;
};

static inline uint64_t fake_pc(int n) { return FAKE_START + 4 * (uint64_t)n; }

static inline bool fake_describe(void *ctx, uint64_t pc, struct code_insn *out)
{
    const struct fake_code *f = ctx;
    if (pc < FAKE_START || pc % 4 != 0 || pc >= fake_pc(f->count))
        return false;
    const struct fake_insn *in = &f->insn[(pc - FAKE_START) / 4];
    bool direct = in->kind == CODE_BRANCH || in->kind == CODE_JUMP || in->kind == CODE_CALL;
    *out = (struct code_insn){.length_bytes = 4, .kind = in->kind, .target = direct ? fake_pc(in->target) : 0};
    return true;
}

/* A graph of all of it, to be built. `f` is borrowed. */
static inline struct code_graph *fake_graph(struct fake_code *f)
{
    struct code_graph *g = code_graph_new(&(struct code){.ctx = f, .describe = fake_describe});
    code_graph_add_range(g, FAKE_START, fake_pc(f->count));
    code_graph_add_entry(g, FAKE_START);
    return g;
}

#endif
