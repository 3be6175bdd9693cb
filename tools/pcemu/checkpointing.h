/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing checkpoints during a functional run (--checkpoint-at, --checkpoint-every). */
#ifndef TOOLS_PCEMU_CHECKPOINTING_H
#define TOOLS_PCEMU_CHECKPOINTING_H

#include "core-model/linux/checkpoint.h"
#include "tools/pcemu/options.h"
#include "tools/pcemu/target.h"

struct checkpointing {
    const char *folder; /* NULL: no checkpoints are written */
    struct checkpoint_writer *writer;
    uint64_t at[OPTION_LIST_MAX]; /* numbers of instructions, ascending */
    size_t count;
    uint64_t every; /* 0: only those of `at` */
    uint64_t written, refused;
};

/* Whether the options ask for checkpoints. The run is functional then, and -o is the folder. */
static inline bool checkpointing_is_asked(const struct options *o)
{
    return o->checkpoint_at != NULL || o->checkpoint_every != 0;
}
/* Reads a list of numbers, separated by commas, into at most OPTION_LIST_MAX elements; false: it is none. */
bool checkpointing_read_list(const char *text, uint64_t *at, size_t *count);
/* If they do, takes the folder from them and makes the run functional. */
void checkpointing_begin(struct checkpointing *c, struct options *o);
/* Makes the folder; exits on error. */
void checkpointing_open(struct checkpointing *c);
/* Number of instructions at the next checkpoint behind `instructions`; UINT64_MAX: there is none. */
uint64_t checkpointing_next(const struct checkpointing *c, uint64_t instructions);
/* Writes a checkpoint of the guest. One that it cannot have is a message; a file that cannot be written ends pcemu. */
void checkpointing_write(struct checkpointing *c, struct target *t);
/* Says what has been written, when the run is over. */
void checkpointing_end(struct checkpointing *c, uint64_t instructions, bool exited);
void checkpointing_release(struct checkpointing *c);

#endif
