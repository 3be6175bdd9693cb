/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints of a guest: its whole state between two instructions, from which another run goes on exactly as this one
 * does. docs/checkpoints.md says what a checkpoint holds, and which guests have none. */
#ifndef CORE_MODEL_LINUX_CHECKPOINT_H
#define CORE_MODEL_LINUX_CHECKPOINT_H

#include "core-model/checkpoint/reader.h"
#include "core-model/checkpoint/stream.h"
#include "core-model/checkpoint/writer.h"
#include "core-model/linux/guest.h"

/* The run of a checkpoint. */
struct guest_origin {
    char *version; /* of the tools */
    char *path;    /* of the program, as the user gave it */
    char **argv, **envp;
    char *sysroot;  /* absolute, without links; NULL: none */
    uint64_t names; /* enum guest_names */
    char *folder;   /* the folder at the start, of which relative names are */
    uint64_t clock_hz, quantum, processors;
    uint64_t instructions; /* before the checkpoint */
};

/* A checkpoint that is read: struct guest_config has it. */
struct guest_checkpoint;
/* Errors name the file, and the offset, what was expected and what was found. */
enum status guest_checkpoint_open(struct guest_checkpoint **c, const char *path, struct errmsg *err) MUST_USE;
void guest_checkpoint_close(struct guest_checkpoint *c);
const struct guest_origin *guest_checkpoint_origin(const struct guest_checkpoint *c);

/* The state that the run has warmed, as a stream to be read, and the offset of its part; size 0: there is none. The
 * bytes are the checkpoint's. */
enum status guest_checkpoint_warmed(struct guest_checkpoint *c, struct checkpoint_stream *s, uint64_t *offset,
                                    struct errmsg *err) MUST_USE;

/* The state of the guest that was begun with `config`, for a checkpoint; freed by checkpoint_stream_free, also after an
 * error. ST_UNMET, with the reason: the guest has what a checkpoint does not hold. */
enum status guest_checkpoint_state(struct guest *g, const struct guest_config *config, struct checkpoint_stream *s,
                                   struct errmsg *err) MUST_USE;
/* Writes the checkpoint with this state, and the warmed state unless that has no bytes. The process's folder and mask
 * may be others than the guest's by then. */
enum status guest_checkpoint_write(struct guest *g, const struct checkpoint_stream *s,
                                   const struct checkpoint_stream *warmed, struct checkpoint_writer *w,
                                   struct errmsg *err) MUST_USE;

#endif
