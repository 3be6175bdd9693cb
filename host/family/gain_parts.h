/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions about several places, each of which is asked about alone, too. What they gain together, less the sum of
 * what each gains alone, is their interaction cost (B. A. Fields, R. Bodik, M. D. Hill and C. J. Newburn, Interaction
 * cost and shotgun profiling, ACM TACO 1 (2004)). */
#ifndef HOST_FAMILY_GAIN_PARTS_H
#define HOST_FAMILY_GAIN_PARTS_H

#include <stddef.h>

enum { GAIN_PARTS = 16 };

/* The rows that ask about the parts of a row's question: asked[n] is the text of row n, its places apart by blanks;
 * NULL: none. Returns their number; 0: the question has one place or more than GAIN_PARTS, or a part is not asked
 * about. */
size_t gain_parts(const char *const *asked, size_t rows, size_t row, size_t part[GAIN_PARTS]);

#endif
