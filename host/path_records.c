/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths from control transfer records (RISC-V Smctr; LBR and BRBE elsewhere): sources and targets of the last taken
 * transfers. Between two of them control went straight on, so the conditional branches there were not taken. */
#include "host/path_graph.h"

struct replay {
    const struct path_graph *g;
    const struct path_sample *sample;
    enum path_scope scope;
    unsigned length, branches, transfers, depth; /* depth: returns met, less calls */
    bool ends, differs;
};

/* Adds a transfer to the path, and compares it with the true one. */
static void add(struct replay *r, uint64_t pc, uint64_t next, bool branch)
{
    const struct path_transfer *t = path_transfers(r->g, r->sample);
    if (r->transfers >= r->sample->transfers || t[r->transfers].pc != pc || t[r->transfers].next != next)
        r->differs = true;
    r->transfers++;
    r->branches += branch;
    r->ends |= r->branches == r->length;
}

/* The branches in the straight code from `start` up to, but not at, `end`, the last one first. */
static void add_straight(struct replay *r, uint64_t start, uint64_t end)
{
    uint32_t first = cfg_find(r->g->cfg, start), last = cfg_find(r->g->cfg, end);
    if (first == CFG_NONE || last == CFG_NONE || start > end) {
        r->differs = true;
        return;
    }
    uint32_t low = cfg_insn(r->g->cfg, first, start);
    for (uint32_t i = cfg_insn(r->g->cfg, last, end); i > low && !r->ends; i--)
        if (cfg_kind(r->g->cfg, i - 1) == CODE_BRANCH)
            add(r, cfg_pc(r->g->cfg, i - 1), cfg_pc(r->g->cfg, i), true);
}

/* Goes back over a record. */
static void add_record(struct replay *r, const struct path_transfer *t)
{
    uint32_t to = cfg_find(r->g->cfg, t->next);
    bool call = t->kind == CODE_CALL || t->kind == CODE_INDIRECT_CALL;
    if (r->scope == PATH_INTRAPROCEDURAL && r->depth == 0 && to != CFG_NONE && path_enters_routine(r->g, t, to)) {
        r->ends = true;
        return;
    }
    add(r, t->pc, t->next, t->kind == CODE_BRANCH);
    if (t->kind == CODE_RETURN)
        r->depth++;
    else if (call && r->depth > 0)
        r->depth--;
}

enum path_outcome path_from_records(const struct path_graph *g, const struct path_sample *s, enum path_scope scope,
                                    unsigned length)
{
    struct replay r = {.g = g, .sample = s, .scope = scope, .length = length};
    const struct path_transfer *t = path_transfers(g, s);
    uint64_t end = s->pc;
    unsigned records = 0;
    for (unsigned i = 0; i < s->transfers && records < PATH_RECORDS_KEPT && !r.ends && !r.differs; i++) {
        if (!t[i].taken)
            continue;
        records++;
        add_straight(&r, t[i].next, end);
        if (!r.ends)
            add_record(&r, &t[i]);
        end = t[i].pc;
    }
    if (r.differs)
        return PATH_WRONG;
    return r.ends ? PATH_RIGHT : PATH_NONE;
}
