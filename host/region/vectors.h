/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Basic-block vectors, in the format of SimPoint: a line `T:BLOCK:COUNT :BLOCK:COUNT ...` for each interval of a run,
 * with the instructions executed in each block. Lines that begin with # are comments.
 *
 * A vector is normalised and projected to 15 dimensions by a random matrix, whose elements are uniform from -1 to 1 (T.
 * Sherwood et al., ASPLOS 2002, section 4.2). The matrix is a function of the seed, so vectors are projected while they
 * are read, and a long run takes 136 bytes for each. */
#ifndef HOST_REGION_VECTORS_H
#define HOST_REGION_VECTORS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

enum { REGION_DIMENSIONS = 15 };

struct region_unit {
    uint64_t first, insns; /* number of the first instruction, from 0, and their number */
    double point[REGION_DIMENSIONS];
};

/* The units of a run, in order. */
struct region_vectors {
    size_t count;
    struct region_unit *unit;
    uint64_t instructions; /* of all units */
};

/* Reads all vectors; `name` is for messages. `unit` 0: each vector is a unit. Otherwise so many vectors are joined that
 * a unit has `unit` instructions; the last one can have fewer. At least one vector is expected. */
enum status region_vectors_read(struct region_vectors *v, FILE *in, const char *name, uint64_t unit, uint64_t seed,
                                struct errmsg *err) MUST_USE;
void region_vectors_release(struct region_vectors *v);

#endif
