/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-ups in a control-flow graph that is built. Entry points: cfg.h. */
#include <stdlib.h>

#include "host/cfg_parts.h"
#include "isa/support/status.h"

const struct cfg_block *cfg_blocks(const struct cfg *g, size_t *count)
{
    *count = g->blocks;
    return g->block;
}

const struct cfg_edge *cfg_edges(const struct cfg *g, size_t *count)
{
    *count = g->edges;
    return g->edge;
}

const uint32_t *cfg_out(const struct cfg *g, uint32_t block, size_t *count)
{
    *count = g->out_first[block + 1] - g->out_first[block];
    return g->out + g->out_first[block];
}

const uint32_t *cfg_in(const struct cfg *g, uint32_t block, size_t *count)
{
    *count = g->in_first[block + 1] - g->in_first[block];
    return g->in + g->in_first[block];
}

uint64_t cfg_pc(const struct cfg *g, uint32_t insn) { return g->insn[insn].pc; }

enum code_kind cfg_kind(const struct cfg *g, uint32_t insn) { return (enum code_kind)g->insn[insn].kind; }

/* The number of the first instruction of the block that is not below pc. */
static uint32_t lower_bound(const struct cfg *g, const struct cfg_block *b, uint64_t pc)
{
    uint32_t low = b->first, high = b->first + b->insns;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (g->insn[mid].pc < pc)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

uint32_t cfg_find(const struct cfg *g, uint64_t pc)
{
    size_t low = 0, high = g->blocks;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (g->block[mid].start <= pc)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0 || pc > g->block[low - 1].last)
        return CFG_NONE;
    return g->insn[lower_bound(g, &g->block[low - 1], pc)].pc == pc ? (uint32_t)(low - 1) : CFG_NONE;
}

uint32_t cfg_insn(const struct cfg *g, uint32_t block, uint64_t pc) { return lower_bound(g, &g->block[block], pc); }

/* Adds the blocks that control reaches from b within the function and its tail calls, if they are new, to `work`. */
static void add_successors(const struct cfg *g, uint32_t b, bool *seen, uint32_t *work, size_t *count)
{
    size_t edges;
    const uint32_t *out = cfg_out(g, b, &edges);
    for (size_t i = 0; i < edges; i++) {
        const struct cfg_edge *e = &g->edge[out[i]];
        if (e->kind == CFG_CALL || seen[e->to])
            continue;
        seen[e->to] = true;
        work[(*count)++] = e->to;
    }
}

static void find_returns(struct cfg *g, uint32_t entry, struct cfg_return_list *list)
{
    bool *seen = xcalloc(g->blocks, sizeof *seen);
    uint32_t *work = xcalloc(g->blocks, sizeof *work);
    size_t count = 1;
    work[0] = entry;
    seen[entry] = true;
    for (size_t i = 0; i < count; i++) {
        if (g->block[work[i]].ends == CODE_RETURN) {
            list->block = xrealloc(list->block, (list->count + 1) * sizeof *list->block);
            list->block[list->count++] = work[i];
        }
        add_successors(g, work[i], seen, work, &count);
    }
    list->known = true;
    free(work);
    free(seen);
}

const uint32_t *cfg_returns(struct cfg *g, uint32_t entry, size_t *count)
{
    struct cfg_return_list *list = &g->returns[entry];
    if (!list->known)
        find_returns(g, entry, list);
    *count = list->count;
    return list->block;
}
