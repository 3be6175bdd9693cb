/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions of the code that a profile's images have. The profile needs the parts symbols and code. */
#ifndef TOOLS_PCPROF_LISTING_H
#define TOOLS_PCPROF_LISTING_H

#include "contract/code.h"
#include "host/profile/profile.h"

/* Decodes the instruction at an address. What is none is half a word. Returns false if the image has no code there. */
bool listing_decode(const struct profile_image *i, uint64_t address, struct code_insn *out);
/* Its text, with the procedure of a direct destination. The caller frees it. */
char *listing_with_target(const struct profile_image *i, const struct code_insn *in);
/* listing_with_target for an instruction of a profile; NULL: the profile has no code there. The caller frees it. */
char *listing_text(const struct profile *p, uint32_t image, uint64_t address);

#endif
