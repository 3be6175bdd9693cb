/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files of a run. They are opened before the run, so that a bad file name is reported before the simulation. */
#ifndef EMU_PCEMU_OUTPUTS_H
#define EMU_PCEMU_OUTPUTS_H

#include "emu/pcemu/options.h"
#include "isa/support/file.h"

/* The stream of a file that no option names is NULL. */
struct outputs {
    struct outfile report, stats, kanata, trace, record;
};

/* Opens the files that the options name; exits on error. At any later exit of pcemu, files that were not committed are
 * removed. `outputs` is borrowed for the life of the process; there is one per process. */
void outputs_open(struct outputs *outputs, const struct options *o);
/* In a process that the guest has forked: forgets its parent's files, which stay the parent's, and opens its own. */
void outputs_forked(struct outputs *outputs, const struct options *o);
/* Completes a file, if it was opened; exits on error. */
void outputs_commit(struct outfile *file);

#endif
