/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The associative array: entries of 64 bits with a valid bit; those of the co-processor paper, section 3.3, have 32.
 * Hardware compares all entries in parallel; the model hashes the tags and chains the valid entries of each bucket. */
#ifndef EMU_CAM_H
#define EMU_CAM_H

#include "emu/cop.h"

enum { CAM_BUCKET_BITS = 11, CAM_BUCKETS = 1 << CAM_BUCKET_BITS, CAM_NO_ENTRY = 0xffff };

struct cam {
    unsigned entries;
    uint64_t tag[COP_MAX_cam_entries];
    uint8_t valid[COP_MAX_cam_entries];
    uint16_t bucket[CAM_BUCKETS]; /* first entry of each chain, or CAM_NO_ENTRY */
    uint16_t next[COP_MAX_cam_entries], previous[COP_MAX_cam_entries];
};

void cam_init(struct cam *m, unsigned entries);
/* Sets the tag and the valid bit: the write operation of a microinstruction. */
void cam_write(struct cam *m, unsigned entry, uint64_t tag);
void cam_set_valid(struct cam *m, unsigned entry, bool valid);
/* Sets the tag and keeps the valid bit: a bus write. */
void cam_set_tag(struct cam *m, unsigned entry, uint64_t tag);

static inline unsigned cam_bucket(uint64_t tag)
{
    uint32_t mixed = (uint32_t)tag + (uint32_t)(tag >> 32) * 0x85ebca6bu;
    return (mixed * 0x9e3779b1u) >> (32 - CAM_BUCKET_BITS);
}

/* Index of the lowest valid entry in [first, first + count) with the tag, or -1. */
static inline int cam_match(const struct cam *m, uint64_t tag, unsigned first, unsigned count)
{
    int best = -1;
    for (unsigned e = m->bucket[cam_bucket(tag)]; e != CAM_NO_ENTRY; e = m->next[e])
        if (m->tag[e] == tag && e - first < count && (best < 0 || (int)e < best))
            best = (int)e;
    return best;
}

#endif
