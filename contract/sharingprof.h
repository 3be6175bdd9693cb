/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses to lines that another hart had modified: by instruction, data and hart. Where harts access different bytes
 * of a line, the line is shared without need (false sharing). */
#ifndef CONTRACT_SHARINGPROF_H
#define CONTRACT_SHARINGPROF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contract/code.h"

struct sharing_row {
    uint64_t address; /* of the data, from the first byte accessed */
    uint32_t bytes;
    unsigned hart;
    uint64_t pc;
    bool writes;
    uint64_t accesses; /* whose line another hart had modified */
};

struct sharing_profile {
    const char *label;
    unsigned line_bytes, harts;
    const struct sharing_row *row; /* in the order of sharing_row_compare */
    size_t rows;
};

struct sharing_result {
    const struct sharing_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

/* A line of a profile. */
struct sharing_line {
    uint64_t address;
    size_t first, end; /* its rows, up to `end` */
    uint64_t accesses;
    bool is_known; /* several harts have accesses */
    bool is_false; /* no two of them access the same byte */
};

/* Compares two rows by address, bytes, hart, pc and writes, for qsort. */
int sharing_row_compare(const void *a, const void *b);
/* The lines of a profile, those with most accesses first; the caller frees them. Returns their number. */
size_t sharing_lines(const struct sharing_profile *p, struct sharing_line **line);
/* For qsort, the order of data in reports: those with most accesses first. The elements are rows, or begin with one. */
int sharing_by_accesses(const void *left, const void *right);

#endif
