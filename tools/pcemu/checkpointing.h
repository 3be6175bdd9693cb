/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing checkpoints during a functional run (--checkpoint-at, --checkpoint-every). */
#ifndef TOOLS_PCEMU_CHECKPOINTING_H
#define TOOLS_PCEMU_CHECKPOINTING_H

#include "core-model/linux/checkpoint.h"
#include "tools/pcemu/checkpoint_places.h"
#include "tools/pcemu/options.h"
#include "tools/pcemu/target.h"

struct checkpointing {
    const char *folder; /* NULL: no checkpoints are written */
    struct checkpoint_writer *writer;
    struct checkpoint_places places;
    uint64_t every;   /* 0: only those of `places` */
    uint64_t reached; /* the last place of a checkpoint, written or refused; 0: none */
    uint64_t written, refused;
};

/* Whether the options ask for checkpoints. The run is functional then, and -o is the folder. */
static inline bool checkpointing_is_asked(const struct options *o)
{
    return o->checkpoint_at != NULL || o->checkpoint_every != 0;
}
/* If they do, takes the folder from them and makes the run functional. `start` (NULL: none) is the checkpoint that the
 * run goes on from; exits if a place is before it, or is no number. */
void checkpointing_begin(struct checkpointing *c, struct options *o, const struct guest_checkpoint *start);
/* Makes the folder; exits on error. */
void checkpointing_open(struct checkpointing *c);
/* Number of instructions at the next checkpoint behind `instructions`; UINT64_MAX: there is none. */
uint64_t checkpointing_next(const struct checkpointing *c, uint64_t instructions);
/* Writes a checkpoint of the guest. One that it cannot have is a message; a file that cannot be written ends pcemu. */
void checkpointing_write(struct checkpointing *c, struct target *t);
/* Says what has been written, and which places have no checkpoint, when the run is over. */
void checkpointing_end(struct checkpointing *c, uint64_t instructions, bool exited);
void checkpointing_release(struct checkpointing *c);

#endif
