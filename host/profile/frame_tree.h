/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of a profile's call stacks, as a tree. Private to host/profile. */
#ifndef HOST_PROFILE_FRAME_TREE_H
#define HOST_PROFILE_FRAME_TREE_H

#include "host/profile/profile.h"

struct frame_tree {
    struct profile_frame *frame; /* element 0 is the root */
    uint32_t frames, capacity;
    uint32_t *slot; /* hash table of numbers, by caller and place; twice `capacity` */
    uint32_t *rank; /* by number, in the order of stacks; of the first `ranked` frames */
    uint32_t ranked;
};

void frame_tree_init(struct frame_tree *t);
void frame_tree_fini(struct frame_tree *t);
uint32_t frame_tree_enter(struct frame_tree *t, uint32_t caller, struct profile_place at);
/* Sets t->rank of all frames. The order of stacks is that of their places from the outermost; a stack is before those
 * that are longer. Returns whether frames have other ranks than before. */
bool frame_tree_rank(struct frame_tree *t);

#endif
