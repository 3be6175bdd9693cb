/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calling contexts of a run, as a tree: a node is a stack of calls, each by the address of its call instruction. The
 * core model makes the tree from the calls and returns that retire; profiles refer to its nodes.
 *
 * Recursion is folded: a call of a function that is already in the stack leads back to the function's youngest node, as
 * in the calling context tree of Ammons, Ball and Larus (Exploiting Hardware Performance Counters with Flow and Context
 * Sensitive Profiling, PLDI 1997), if the functions called since then are in the stack before that node, too. So a
 * folded stack has the same set of functions, and what is summed over a function and its callees is the same. Without
 * folding each call of a function that calls itself twice has a node of its own.
 *
 * A place is an instruction address in a calling context, in one number: in the node 0 it is the address itself. The
 * rows of a profile by place are those of the profile by address with a place for an address. */
#ifndef CONTRACT_CALL_TREE_H
#define CONTRACT_CALL_TREE_H

#include <stdint.h>

enum {
    CALL_ADDRESS_BITS = 40, /* of a place: no address of the guest has more */
    CALL_NODES_MOST = 1 << 21,
    CALL_DEPTH_MOST = 4096,
    CALL_DEPTH_USUAL = 127
};

struct call_node {
    uint64_t call;   /* address of the call instruction; of a signal handler, where it interrupted */
    uint64_t entry;  /* where the call went; 0: unknown, as of a signal handler, which is not folded */
    uint32_t caller; /* node in which the call was made; smaller than this node's number */
    uint32_t depth;  /* number of calls */
};

/* Node 0 is the root: no call is known. */
struct call_tree {
    struct call_node *node;
    uint32_t nodes, capacity;
    uint32_t *slot; /* hash table of nodes, by caller, call and entry; twice `capacity` */
    uint32_t depth_most, recursion_most;
    uint64_t cut; /* calls that have no node, as their stack has the greatest depth, or the tree all its nodes */
};

/* A tree of stacks of at most `depth_most` calls, at most CALL_DEPTH_MOST, of the same function at most
 * `recursion_most`; 0: any number. The caller frees it. */
struct call_tree *call_tree_new(uint32_t depth_most, uint32_t recursion_most);
void call_tree_free(struct call_tree *t); /* NULL is allowed */
/* The node of a call made in the node `caller`; of one that is folded, the youngest node of its function; `caller`
 * itself, counted in `cut`, if it can have no node. */
uint32_t call_tree_enter(struct call_tree *t, uint32_t caller, uint64_t call, uint64_t entry);

/* A wrong path can be at any number: one that is no address of the guest is a place without a context, with these bits
 * set. */
#define CALL_PLACE_WILD (UINT64_C(3) << 62)
static inline uint64_t call_place(uint32_t node, uint64_t pc)
{
    return pc >> CALL_ADDRESS_BITS == 0 ? (uint64_t)node << CALL_ADDRESS_BITS | pc : pc | CALL_PLACE_WILD;
}
static inline uint64_t call_place_pc(uint64_t place)
{
    return place >= CALL_PLACE_WILD ? place : place & ((UINT64_C(1) << CALL_ADDRESS_BITS) - 1);
}
static inline uint32_t call_place_node(uint64_t place)
{
    return place >= CALL_PLACE_WILD ? 0 : (uint32_t)(place >> CALL_ADDRESS_BITS);
}

#endif
