/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The partitions of the program by PC filter 1, made when the co-processor thrashes (co-processor paper, section
 * 5.1.3 and A.5), and the order of their visits.
 *
 * The driver changes the partition only at an interrupt, and a partition without samples never interrupts. The next
 * partition is therefore the one with the most expected samples: first those never visited, in the order of their
 * creation; then by the rate of unmasked samples at the last visit, times one plus the number of interrupts since
 * then. Partitions with equal rates are visited in turn, slower ones proportionally less often, and a partition with
 * almost no samples does not delay the others. */
#ifndef HOST_DRIVER_VALUE_VALUE_PARTITION_H
#define HOST_DRIVER_VALUE_VALUE_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

#include "host/driver/value/value_mask.h"

struct partition {
    uint16_t mask, match; /* instructions with hash & mask == match */
    bool visited, finished;
    double expected;         /* samples per cycle */
    unsigned waited;         /* interrupts in other partitions since its last visit */
    struct value_mask known; /* its loads that are masked */
    unsigned hidden_from;    /* number of masked loads when the hash function was chosen */
    bool refill;             /* `known` is empty and must be filled again */
};

struct partitions {
    struct partition *list;
    unsigned count, room, open; /* number of partitions (a split one is replaced by its parts); capacity; number of
                                   unfinished partitions */
    unsigned current;           /* valid while any is open */
    unsigned splits;
};

/* Makes one partition of all loads that pass the program's own filter, with the empty mask `known`. */
void partitions_init(struct partitions *p, uint16_t mask, uint16_t match, const struct value_mask *known);
void partitions_fini(struct partitions *p);
struct partition *partitions_current(const struct partitions *p);
/* The partition of a load with this hash; NULL: excluded by the program's own filter. */
struct partition *partitions_of(const struct partitions *p, uint32_t hash);

/* Replaces the current partition by 2 or 4 unvisited ones with empty masks. Returns false without a change if the
 * hash has too few unused bits. */
bool partitions_split(struct partitions *p, unsigned ways);
/* Called when all masks have been filled again. */
void partitions_refilled(struct partitions *p);
/* Records the expected sample rate of the current partition. */
void partitions_leave(struct partitions *p, double expected);
/* Marks the current partition as finished: it is not visited again. */
void partitions_finish(struct partitions *p);
/* Reopens the finished partitions, with their masks: they are visited in the order of what they left. */
void partitions_resume(struct partitions *p);
/* Reopens the finished partitions as unvisited, and clears all masks. */
void partitions_reopen(struct partitions *p);
/* Makes the next partition current; false: none is left. */
bool partitions_next(struct partitions *p);

#endif
