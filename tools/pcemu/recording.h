/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --record and --core replay: writes a run's probe stream to a file, and replays it without a core. */
#ifndef TOOLS_PCEMU_RECORDING_H
#define TOOLS_PCEMU_RECORDING_H

#include "core-model/prof/log/recorder.h"
#include "core-model/prof/observers.h"
#include "core-model/record/replay.h"
#include "tools/pcemu/machine.h"
#include "tools/pcemu/outputs.h"
#include "tools/pcemu/target.h"

struct recording {
    struct recorder *recorder;  /* owned by the observers; NULL: the run is not recorded */
    FILE *in;                   /* recording to replay; NULL: none */
    const char *name;           /* its path, for messages; borrowed */
    struct core_replay *replay; /* NULL: none */
};

/* Facts of the run in a recording, from before the run and from its end; the texts and the images are borrowed.
 * recording_describe exits, with the option's name, if the ELF file cannot be read. */
void recording_describe(struct record_head *head, const char *option, const struct options *o,
                        const struct machine_config *m, const struct target *t);
struct record_tail recording_tail(const struct target *t, bool partial);
/* Whether the file is the recorded ELF file. */
bool recording_is_of(const struct record_head *h, const char *path);

/* Adds the recorder to the set if the options request it. The target must have its core. */
void recording_add(struct recording *r, const struct options *o, const struct machine_config *m, struct target *t,
                   struct outputs *outputs, struct observers *set);
/* Completes the recording. To be called after the run, when the observers have finished. */
void recording_conclude(struct recording *r, const struct target *t, bool partial, struct outputs *outputs);

/* Opens the recording that the options name; sets the machine and the path of the guest; exits on error. */
void recording_open(struct recording *r, const struct options *o, struct machine_config *m, struct target *t);
/* Creates the replay core, which has no guest. */
void recording_start(struct recording *r, struct target *t);
/* Attaches the observers to the core; exits if one of them needs data that a replay lacks. */
void recording_attach(struct recording *r, struct observers *set, struct core *core);
/* To be called at the end of the replay; exits if the recording is damaged. Afterwards the code and the libraries of
 * the guest are known. Returns whether the recorded run was cut short. */
bool recording_finish(struct recording *r, struct target *t);
void recording_release(struct recording *r, struct target *t);

#endif
