/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths from control transfer records (RISC-V Smctr; LBR and BRBE elsewhere): sources and targets of the last taken
 * transfers. Between two of them the code was executed sequentially, so the conditional branches there were not
 * taken. */
#include "host/family/path_graph.h"

struct retrace {
    const struct path_graph *g;
    const struct path_sample *sample;
    enum path_scope scope;
    unsigned length, branches, transfers, depth; /* depth: number of returns minus calls */
    bool ends, differs;
};

/* Adds a transfer to the path, and compares it with the true one. */
static void path_records_add(struct retrace *r, uint64_t pc, uint64_t next, bool branch)
{
    const struct path_transfer *t = path_transfers(r->g, r->sample);
    if (r->transfers >= r->sample->transfers || t[r->transfers].pc != pc || t[r->transfers].next != next)
        r->differs = true;
    r->transfers++;
    r->branches += branch;
    r->ends |= r->branches == r->length;
}

/* Whether an intraprocedural path ends here. */
static bool begins_routine(const struct retrace *r, uint64_t pc)
{
    size_t count;
    if (r->scope != PATH_INTRAPROCEDURAL || r->depth != 0)
        return false;
    const struct code_graph_block *b = &code_graph_blocks(r->g->cfg, &count)[code_graph_find(r->g->cfg, pc)];
    return b->entry && b->start == pc;
}

/* Extends the path backward over sequential code from `end`, which is already on the path, to `start`. */
static void add_straight(struct retrace *r, uint64_t start, uint64_t end)
{
    uint32_t first = code_graph_find(r->g->cfg, start), last = code_graph_find(r->g->cfg, end);
    if (first == CODE_GRAPH_NONE || last == CODE_GRAPH_NONE || start > end) {
        r->differs = true;
        return;
    }
    uint32_t low = code_graph_insn(r->g->cfg, first, start), i = code_graph_insn(r->g->cfg, last, end);
    r->ends |= begins_routine(r, end);
    for (; i > low && !r->ends; i--) {
        if (code_graph_kind(r->g->cfg, i - 1) == CODE_BRANCH)
            path_records_add(r, code_graph_pc(r->g->cfg, i - 1), code_graph_pc(r->g->cfg, i), true);
        r->ends |= begins_routine(r, code_graph_pc(r->g->cfg, i - 1));
    }
}

/* Extends the path backward by a record. */
static void path_records_add_record(struct retrace *r, const struct path_transfer *t)
{
    bool call = t->kind == CODE_CALL || t->kind == CODE_INDIRECT_CALL;
    path_records_add(r, t->pc, t->next, t->kind == CODE_BRANCH);
    if (t->kind == CODE_RETURN)
        r->depth++;
    else if (call && r->depth > 0)
        r->depth--;
}

enum path_outcome path_from_records(const struct path_graph *g, const struct path_sample *s, enum path_scope scope,
                                    unsigned length)
{
    struct retrace r = {.g = g, .sample = s, .scope = scope, .length = length};
    const struct path_transfer *t = path_transfers(g, s);
    uint64_t end = s->pc;
    unsigned records = 0;
    for (unsigned i = 0; i < s->transfers && records < PATH_RECORDS_KEPT && !r.ends && !r.differs; i++) {
        if (!t[i].taken)
            continue;
        records++;
        add_straight(&r, t[i].next, end);
        if (!r.ends)
            path_records_add_record(&r, &t[i]);
        end = t[i].pc;
    }
    if (r.differs)
        return PATH_WRONG;
    return r.ends ? PATH_RIGHT : PATH_NONE;
}
