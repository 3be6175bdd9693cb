/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a core: it sends the recorded probe stream to observers that are attached to it, and executes nothing.
 * Observers can tag instructions, as at a core. An interrupt line can be connected and raised, but is never taken. */
#ifndef CORE_MODEL_RECORD_REPLAY_H
#define CORE_MODEL_RECORD_REPLAY_H

#include <stdio.h>

#include "core-model/record/facts.h"

struct core_replay;

/* Reads the part HEAD. `in` and `name`, which is for messages, are borrowed. */
enum status replay_open(struct core_replay **r, FILE *in, const char *name, struct errmsg *err) MUST_USE;
/* To be called when the core of the replay has been freed. NULL is allowed. */
void replay_close(struct core_replay *r);

/* What the recording says about its run; the texts are the replay's. */
const struct record_head *replay_head(const struct core_replay *r);
/* The same, once the whole recording has been replayed. */
const struct record_tail *replay_tail(const struct core_replay *r);

/* The core of the replay, which may be made once. `guest` is borrowed: a run stops when its hart's stop flag is set,
 * and nothing else of it is used. core_run ignores the limit of instructions, and returns RV_TRAP_NONE when the
 * recording is over or damaged; core_warm and core_begin are not for such a core. */
struct core *replay_core(struct core_replay *r, struct guest *guest);
/* The error that ended the replay; ST_OK: none. */
enum status replay_error(const struct core_replay *r, struct errmsg *err) MUST_USE;
/* The number of interrupt lines that observers have connected. */
unsigned replay_interrupts(const struct core_replay *r);

/* Writes the guest's executable pages, as they stood when the recorded run was over, into the hart's memory. */
enum status replay_restore_code(const struct core_replay *r, struct hart *hart, struct errmsg *err) MUST_USE;

#endif
