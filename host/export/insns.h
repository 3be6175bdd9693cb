/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a function, from the code of its image, and which of them transfer control. */
#ifndef HOST_EXPORT_INSNS_H
#define HOST_EXPORT_INSNS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/profile/profile.h"

struct export_insn {
    uint64_t address, next; /* next: of the instruction behind it */
    unsigned low;           /* its lower 16 bits */
};

/* Sets `at`, zeros at first, to the next instruction of the function in that code; false: there is no further one. */
bool export_insns_next(struct export_insn *at, const struct profile_code *code, const struct profile_symbol *symbol);

/* Whether it is a conditional branch. */
bool export_insns_is_branch(const struct export_insn *at);
/* Whether control never goes on behind it at once: a jump, call or return. */
bool export_insns_is_jump(const struct export_insn *at);

#endif
