/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places of --checkpoint-at: numbers of instructions, in the argument or in a file. */
#ifndef TOOLS_PCEMU_CHECKPOINT_PLACES_H
#define TOOLS_PCEMU_CHECKPOINT_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct checkpoint_place {
    uint64_t at;   /* number of instructions, from 1 on */
    unsigned line; /* of the file; 0: of the argument */
};

struct checkpoint_places {
    struct checkpoint_place *place; /* owned; ascending, each number once */
    size_t count;
};

/* Reads N,... or @FILE, which has a number a line. Errors name the option, or file and line. */
enum status checkpoint_places_read(struct checkpoint_places *p, const char *argument, struct errmsg *err) MUST_USE;
void checkpoint_places_free(struct checkpoint_places *p);
/* The first place behind a number of instructions; UINT64_MAX: there is none. */
uint64_t checkpoint_places_next(const struct checkpoint_places *p, uint64_t instructions);

#endif
