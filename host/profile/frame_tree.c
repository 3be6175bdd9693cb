/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/profile/frame_tree.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"

enum { FIRST_CAPACITY = 64 };

static void frame_tree_allocate(struct frame_tree *t, uint32_t capacity)
{
    t->capacity = capacity;
    t->frame = xrealloc(t->frame, capacity * sizeof *t->frame);
    free(t->slot);
    t->slot = xcalloc(2 * (size_t)capacity, sizeof *t->slot);
}

void frame_tree_init(struct frame_tree *t)
{
    *t = (struct frame_tree){.frames = 1};
    frame_tree_allocate(t, FIRST_CAPACITY);
    t->frame[0] = (struct profile_frame){.caller = 0};
}

void frame_tree_fini(struct frame_tree *t)
{
    free(t->frame);
    free(t->slot);
    free(t->rank);
}

/* Where the frame is, or the free slot where it would be. */
static uint32_t *frame_tree_find(const struct frame_tree *t, uint32_t caller, struct profile_place at)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t of_caller = ((uint64_t)caller << 32 | at.image) * factor;
    const uint64_t key = (at.address ^ of_caller ^ of_caller >> 29) * factor;
    const size_t mask = 2 * (size_t)t->capacity - 1;
    for (size_t n = (key ^ key >> 31) >> 8;; n++) {
        uint32_t *slot = &t->slot[n & mask];
        const struct profile_frame *f = &t->frame[*slot];
        if (*slot == 0 || (f->caller == caller && f->at.address == at.address && f->at.image == at.image))
            return slot;
    }
}

static void frame_tree_enter_all(struct frame_tree *t)
{
    for (uint32_t n = 1; n < t->frames; n++)
        *frame_tree_find(t, t->frame[n].caller, t->frame[n].at) = n;
}

uint32_t frame_tree_enter(struct frame_tree *t, uint32_t caller, struct profile_place at)
{
    uint32_t *slot = frame_tree_find(t, caller, at);
    if (*slot != 0)
        return *slot;
    if (t->frames == t->capacity) {
        frame_tree_allocate(t, 2 * t->capacity);
        frame_tree_enter_all(t);
        slot = frame_tree_find(t, caller, at);
    }
    t->frame[t->frames] = (struct profile_frame){.at = at, .caller = caller, .depth = t->frame[caller].depth + 1};
    return *slot = t->frames++;
}

/* ---- order ---- */

/* A frame as its caller's child. */
struct frame_child {
    uint32_t caller, image;
    uint64_t address;
    uint32_t number;
};

ORDER(frame_tree_compare, struct frame_child, RISING(caller) RISING(image) RISING(address))

/* All frames but the root, those of a caller together and in order. */
static struct frame_child *frame_tree_children(const struct frame_tree *t)
{
    struct frame_child *child = xcalloc(t->frames, sizeof *child);
    for (uint32_t n = 1; n < t->frames; n++)
        child[n - 1] = (struct frame_child){t->frame[n].caller, t->frame[n].at.image, t->frame[n].at.address, n};
    qsort(child, t->frames - 1, sizeof *child, frame_tree_compare);
    return child;
}

/* Ranks the frames from callers to called ones; `next` is the index of each frame's first child. */
static void frame_tree_rank_from(struct frame_tree *t, const struct frame_child *child, uint32_t *next)
{
    for (uint32_t at = 0, count = 0;;) {
        if (next[at] < t->frames - 1 && child[next[at]].caller == at) {
            at = child[next[at]++].number;
            t->rank[at] = ++count;
        } else if (at == 0) {
            return;
        } else {
            at = t->frame[at].caller;
        }
    }
}

bool frame_tree_rank(struct frame_tree *t)
{
    if (t->ranked == t->frames)
        return false;
    struct frame_child *child = frame_tree_children(t);
    uint32_t *next = xcalloc(t->frames, sizeof *next);
    for (uint32_t n = 0; n < t->frames; n++)
        next[n] = t->frames;
    for (uint32_t n = t->frames - 1; n > 0; n--)
        next[child[n - 1].caller] = n - 1;
    t->rank = xrealloc(t->rank, t->frames * sizeof *t->rank);
    t->rank[0] = 0;
    frame_tree_rank_from(t, child, next);
    t->ranked = t->frames;
    free(child);
    free(next);
    return true;
}
