/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of the code that a profile's images have. The profile needs the parts symbols and code. */
#ifndef HOST_PCPROF_LISTING_H
#define HOST_PCPROF_LISTING_H

#include "host/profile/profile.h"

/* The disassembly of the instruction at an address, with the procedure of a direct destination; NULL: the profile has
 * no code there. The caller frees it. Sets the instruction's length unless `length_bytes` is NULL. */
char *listing_describe(const struct profile *p, uint32_t image, uint64_t address, unsigned *length_bytes);
char *listing_text(const struct profile *p, uint32_t image, uint64_t address);

#endif
