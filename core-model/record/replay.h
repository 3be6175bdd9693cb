/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replay core: sends the recorded probe stream to its observers, without executing instructions. As with other cores,
 * observers can tag instructions. Interrupt lines can be connected and raised, but interrupts are never taken. */
#ifndef CORE_MODEL_RECORD_REPLAY_H
#define CORE_MODEL_RECORD_REPLAY_H

#include <stdio.h>

#include "core-model/record/facts.h"

struct core_replay;

/* Reads the part HEAD. `in` and `name`, which is for messages, are borrowed. */
enum status replay_open(struct core_replay **r, FILE *in, const char *name, struct errmsg *err) MUST_USE;
/* To be called after the replay core was freed. */
void replay_close(struct core_replay *r);

/* Metadata of the run (HEAD); the replay owns the texts. */
const struct record_head *replay_head(const struct core_replay *r);
/* Metadata of the run (TAIL), available after the whole recording was replayed. */
const struct record_tail *replay_tail(const struct core_replay *r);

/* Creates the replay core; to be called once. `guest` is borrowed: only its hart's stop flag is used, which stops a
 * run. core_run ignores the instruction limit and returns RV_TRAP_NONE at the end of the recording or if it is damaged;
 * core_warm and core_begin must not be called. */
struct core *replay_core(struct core_replay *r, struct guest *guest);
/* The error that ended the replay; ST_OK: none. */
enum status replay_error(const struct core_replay *r, struct errmsg *err) MUST_USE;
/* Number of interrupt lines connected by observers. */
unsigned replay_interrupts(const struct core_replay *r);

/* Copies the guest's executable pages, as of the end of the recorded run, to the hart's memory. */
enum status replay_restore_code(const struct core_replay *r, struct hart *hart, struct errmsg *err) MUST_USE;

#endif
