/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of calling contexts. Entry points: call_tree.h. */
#include "contract/call_tree.h"

#include <stdlib.h>

#include "base/status.h"

struct call_tree *call_tree_new(uint32_t depth_most, uint32_t recursion_most)
{
    struct call_tree *t = xcalloc(1, sizeof *t);
    t->depth_most = depth_most;
    t->recursion_most = recursion_most;
    t->capacity = 1024;
    t->node = xcalloc(t->capacity, sizeof *t->node);
    t->slot = xcalloc(2 * (size_t)t->capacity, sizeof *t->slot);
    t->nodes = 1;
    return t;
}

void call_tree_free(struct call_tree *t)
{
    if (t == NULL)
        return;
    free(t->node);
    free(t->slot);
    free(t);
}

/* Where the node is, or the free slot where it would be. */
static uint32_t *call_tree_find(const struct call_tree *t, uint32_t caller, uint64_t call, uint64_t entry)
{
    const uint64_t hash = (call ^ entry << 16 ^ (uint64_t)caller << 36) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash >> 32);
    for (;; at++) {
        uint32_t *slot = &t->slot[at & (2 * (size_t)t->capacity - 1)];
        const struct call_node *n = &t->node[*slot];
        if (*slot == 0 || (n->caller == caller && n->call == call && n->entry == entry))
            return slot;
    }
}

static void call_tree_grow(struct call_tree *t)
{
    t->capacity *= 2;
    t->node = xrealloc(t->node, t->capacity * sizeof *t->node);
    free(t->slot);
    t->slot = xcalloc(2 * (size_t)t->capacity, sizeof *t->slot);
    for (uint32_t n = 1; n < t->nodes; n++)
        *call_tree_find(t, t->node[n].caller, t->node[n].call, t->node[n].entry) = n;
}

/* The youngest node of a function in the stack of the node `from`; 0: none. */
static uint32_t call_tree_youngest(const struct call_tree *t, uint32_t from, uint64_t entry)
{
    uint32_t n = from;
    while (n != 0 && t->node[n].entry != entry)
        n = t->node[n].caller;
    return n;
}

/* The node that a call made in the node `caller` is folded to; 0: it is not. */
static uint32_t call_tree_fold(const struct call_tree *t, uint32_t caller, uint64_t entry)
{
    if (t->recursion_most == 0 || entry == 0)
        return 0;
    const uint32_t youngest = call_tree_youngest(t, caller, entry);
    uint32_t oldest = youngest;
    for (uint32_t times = 1; oldest != 0 && times < t->recursion_most; times++)
        oldest = call_tree_youngest(t, t->node[oldest].caller, entry);
    if (oldest == 0)
        return 0;
    for (uint32_t n = caller; n != youngest; n = t->node[n].caller)
        if (t->node[n].entry == 0 || call_tree_youngest(t, youngest, t->node[n].entry) == 0)
            return 0;
    return youngest;
}

uint32_t call_tree_enter(struct call_tree *t, uint32_t caller, uint64_t call, uint64_t entry)
{
    uint32_t *slot = call_tree_find(t, caller, call, entry);
    if (*slot != 0)
        return *slot;
    const uint32_t folded = call_tree_fold(t, caller, entry);
    if (folded != 0)
        return folded;
    if (t->node[caller].depth >= t->depth_most || t->nodes == CALL_NODES_MOST) {
        t->cut++;
        return caller;
    }
    if (t->nodes == t->capacity) {
        call_tree_grow(t);
        slot = call_tree_find(t, caller, call, entry);
    }
    t->node[t->nodes] = (struct call_node){
        .call = call, .entry = entry, .caller = caller, .depth = t->node[caller].depth + 1};
    return *slot = t->nodes++;
}
