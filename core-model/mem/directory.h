/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coherence of the harts' private caches (MESI): the last-level cache includes them, and a directory in it holds, for
 * each of its lines, which harts may have a copy and whether one may write to it. A private line is invalid if absent,
 * shared if `shared` is set, else modified if dirty, else exclusive.
 *
 * A line that a hart has requested is its own until it has arrived: conflicting requests of others are made then.
 *
 * Simplifications: a request changes all states at once, when it is made, and what it waits for is a fixed time:
 * transfer_cycles for a line that another hart has modified, invalidate_cycles for other copies. A silent eviction is
 * known to the directory, which asks no hart in vain. Source of states and transitions: Nagarajan, Sorin, Hill, Wood,
 * "A Primer on Memory Consistency and Cache Coherence", chapters 7, 8. */
#ifndef CORE_MODEL_MEM_DIRECTORY_H
#define CORE_MODEL_MEM_DIRECTORY_H

#include "core-model/mem/cache.h"
#include "isa/sample.h"

struct hierarchy;
struct directory;

/* Waits of a request besides the caches' own latencies. */
struct directory_wait {
    uint64_t cycles;
    bool transfer; /* for a line that another hart has modified */
    bool upgrade;  /* for the right to write to a line that the hart has */
    bool is_asked; /* the directory was asked: the hart lacked the line or the right */
};

struct directory_stats {
    uint64_t hitm;          /* requests answered by another hart, which has modified the line */
    uint64_t upgrades;      /* writes to shared lines */
    uint64_t invalidations; /* lines of this hart that others have invalidated */
};

/* The directory of `first`, whose last-level cache the hierarchies that join share. */
struct directory *directory_new(struct hierarchy *first, uint32_t transfer_cycles, uint32_t invalidate_cycles);
void directory_free(struct directory *d);
/* Adds a hierarchy, whose number is returned. At most SAMPLE_HARTS_MAX. */
unsigned directory_join(struct directory *d, struct hierarchy *h);

/* Before an access by hart `n` to its L1 cache `l1`, the data or the instruction cache: makes the other harts give up
 * what the access needs. */
struct directory_wait directory_request(struct directory *d, unsigned n, const struct cache *l1, uint64_t addr,
                                        bool is_write);
/* After the access: records its state, and adds the wait to *r and to the arrival of the line. */
void directory_grant(struct directory *d, unsigned n, struct cache *l1, uint64_t addr, bool is_write,
                     const struct directory_wait *wait, struct cache_result *r);
/* The cycle in which another hart's conflicting request of the line will be complete, if that is after `now`; else 0.
 * Until then an access should wait. */
uint64_t directory_busy_until(const struct directory *d, unsigned n, const struct cache *l1, uint64_t addr,
                              bool is_write, uint64_t now);
/* Returns whether another hart may have the line. */
bool directory_is_elsewhere(const struct directory *d, unsigned n, uint64_t addr);

/* Checks that every dirty line of an L2 is in the last-level cache and, of the harts that the directory names, that a
 * line that one may write to is nowhere else. Violations end in BUG(). */
void directory_check(const struct directory *d);

#endif
