/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The partitions of the program that PC filter 1 makes when the co-processor thrashes (co-processor paper,
 * section 5.1.3 and A.5), and the order in which they are visited.
 *
 * A partition that is left is only returned to at an interrupt, and one with nothing to offer never interrupts. So the
 * next one is always that from which the most samples are to be expected: those never visited first, in the order in
 * which they were made; then by the rate of samples that its last visit left unmasked, times one plus the interrupts it
 * has waited. Partitions of equal rates thus take turns, slower ones have turns in proportion, and one with next to
 * nothing left does not hold up the others. */
#ifndef HOST_VALUE_PARTITION_H
#define HOST_VALUE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "host/value_mask.h"

struct partition {
    uint16_t mask, match; /* instructions with hash & mask == match */
    bool visited, finished;
    double expected;         /* samples per cycle */
    unsigned waited;         /* interrupts elsewhere since its last visit */
    struct value_mask known; /* its loads that are masked */
    unsigned hidden_from;    /* so many were when the hash function was chosen */
    bool refill;             /* known is empty, and to be filled anew */
};

struct partitions {
    struct partition *list;
    unsigned count, room, open; /* leaves: a partition that was split is none; those that are not finished */
    unsigned current;           /* valid while any is open */
    unsigned splits;
};

/* One partition: all that the program's own filter lets through. Its loads are masked under that hash function. */
void partitions_init(struct partitions *p, uint16_t mask, uint16_t match, unsigned function);
void partitions_fini(struct partitions *p);
struct partition *partitions_current(const struct partitions *p);
/* The partition that a load with this hash belongs to; NULL where the program's own filter keeps it out. */
struct partition *partitions_of(const struct partitions *p, uint32_t hash);

/* Replaces the current partition by 2 or 4, which are unvisited and mask nothing. False, and no change, where the hash
 * has too few bits left. */
bool partitions_split(struct partitions *p, unsigned ways);
/* All masks have been filled anew. */
void partitions_refilled(struct partitions *p);
/* Notes what to expect of the current partition. */
void partitions_leave(struct partitions *p, double expected);
/* The current partition is not visited any more. */
void partitions_finish(struct partitions *p);
/* The finished ones are to be visited again, as if for the first time. Nothing is masked any more. */
void partitions_reopen(struct partitions *p);
/* Makes the next partition current; false: none is left. */
bool partitions_next(struct partitions *p);

#endif
