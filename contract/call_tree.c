/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of calling contexts. Entry points: call_tree.h. */
#include "contract/call_tree.h"

#include <stdlib.h>

#include "base/status.h"

struct call_tree *call_tree_new(uint32_t depth_most)
{
    struct call_tree *t = xcalloc(1, sizeof *t);
    t->depth_most = depth_most;
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
static uint32_t *call_tree_find(const struct call_tree *t, uint32_t caller, uint64_t call)
{
    const uint64_t hash = (call ^ (uint64_t)caller << 36) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash >> 32);
    for (;; at++) {
        uint32_t *slot = &t->slot[at & (2 * (size_t)t->capacity - 1)];
        if (*slot == 0 || (t->node[*slot].caller == caller && t->node[*slot].call == call))
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
        *call_tree_find(t, t->node[n].caller, t->node[n].call) = n;
}

uint32_t call_tree_enter(struct call_tree *t, uint32_t caller, uint64_t call)
{
    uint32_t *slot = call_tree_find(t, caller, call);
    if (*slot != 0)
        return *slot;
    if (t->node[caller].depth >= t->depth_most || t->nodes == CALL_NODES_MOST) {
        t->cut++;
        return caller;
    }
    if (t->nodes == t->capacity) {
        call_tree_grow(t);
        slot = call_tree_find(t, caller, call);
    }
    t->node[t->nodes] = (struct call_node){.call = call, .caller = caller, .depth = t->node[caller].depth + 1};
    return *slot = t->nodes++;
}
