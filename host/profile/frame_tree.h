/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frames of a profile's call stacks, as a tree. Private to host/profile. */
#ifndef HOST_PROFILE_FRAME_TREE_H
#define HOST_PROFILE_FRAME_TREE_H

#include "host/profile/profile.h"

struct frame_tree {
    struct profile_frame *frame; /* element 0 is the root */
    uint32_t frames, capacity;
    uint32_t *slot; /* hash table of numbers, by caller and place; twice `capacity` */
    bool ordered;   /* a frame's number is greater than those of the frames before it in the order of stacks */
};

void frame_tree_init(struct frame_tree *t);
void frame_tree_fini(struct frame_tree *t);
uint32_t frame_tree_enter(struct frame_tree *t, uint32_t caller, struct profile_place at);
/* Numbers the frames anew, in the order of stacks: by their places from the outermost, a stack before those that are
 * longer. Returns the new numbers by the old ones, for the caller to free; NULL: they are in this order. */
uint32_t *frame_tree_order(struct frame_tree *t);

#endif
