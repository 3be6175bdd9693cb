/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --record-samples, and recordings as the input of --core samples: the samples of a run in a file, over which programs
 * are run without the core. */
#ifndef TOOLS_PCEMU_SAMPLE_RECORDING_H
#define TOOLS_PCEMU_SAMPLE_RECORDING_H

#include "core-model/prof/observers.h"
#include "core-model/record/sample_file.h"
#include "isa/image.h"
#include "tools/pcemu/machine.h"
#include "tools/pcemu/outputs.h"
#include "tools/pcemu/target.h"

struct sample_recording {
    struct sample_writer *writer; /* owned; NULL: samples are not recorded */
    FILE *in;                     /* the input of --core samples; owned; NULL: none */
    struct sample_file *file;     /* owned; the recording that it is; NULL: text */
};

/* Adds to the set the program's sampler with a recorder as its sink, if the options request it. */
void sample_recording_add(struct sample_recording *r, const struct options *o, const struct machine_config *m,
                          const struct image *im, struct target *t, struct outputs *outputs, struct observers *set);
/* Completes the recording, after the run. */
void sample_recording_conclude(struct sample_recording *r, const struct target *t, bool partial,
                               struct outputs *outputs);

/* Opens the input of --core samples, if that is a recording, and sets the machine and the path of the guest; exits on
 * error. Returns false for samples as text. */
bool sample_recording_open(struct sample_recording *r, const struct options *o, struct machine_config *m,
                           struct target *t);
/* Prepares the recording for a program; exits if it lacks what the program asks for. Names of the guest's functions
 * are known afterwards. */
void sample_recording_start(struct sample_recording *r, const struct image *im, struct target *t);
/* To be called at the end of the samples; exits if the recording is damaged. Afterwards the guest's libraries are
 * known. Returns whether the recorded run was cut short. */
bool sample_recording_finish(struct sample_recording *r, struct target *t);
void sample_recording_release(struct sample_recording *r, struct target *t);

#endif
