/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --record and --core replay: a run's probe stream in a file, and the run of that file without the core. */
#ifndef EMU_PCEMU_RECORDING_H
#define EMU_PCEMU_RECORDING_H

#include "core-model/prof/log/recorder.h"
#include "core-model/prof/observers.h"
#include "core-model/record/replay.h"
#include "emu/pcemu/machine.h"
#include "emu/pcemu/outputs.h"
#include "emu/pcemu/target.h"

struct recording {
    struct recorder *recorder;  /* owned by the observers; NULL: the run is not recorded */
    FILE *in;                   /* the recording that is replayed; NULL: none */
    const char *name;           /* of that, for messages; borrowed */
    struct core_replay *replay; /* NULL: none */
};

/* Adds the recorder to the set if the options ask for it; the target has its core. */
void recording_add(struct recording *r, const struct options *o, const struct machine_config *m, struct target *t,
                   struct outputs *outputs, struct observers *set);
/* To be called when the run is over and the observers have finished: completes the file. */
void recording_conclude(struct recording *r, const struct target *t, bool partial, struct outputs *outputs);

/* Opens the recording that the options name: sets the machine and the path of the guest; or ends pcemu. */
void recording_open(struct recording *r, const struct options *o, struct machine_config *m, struct target *t);
/* Makes the core of the replay, without a guest. */
void recording_start(struct recording *r, struct target *t);
/* Attaches the observers to the core, or ends pcemu if one of them needs what a replay lacks. */
void recording_attach(struct recording *r, struct observers *set, struct core *core);
/* To be called when the replay is over: ends pcemu if the recording is damaged; else the code and the libraries of the
 * guest are known. Returns whether the recorded run was cut short. */
bool recording_finish(struct recording *r, struct target *t);
void recording_release(struct recording *r, struct target *t);

#endif
