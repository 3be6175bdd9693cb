/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files of a run. They are opened before the run, so that a bad file name is reported before the simulation. */
#ifndef TOOLS_PCEMU_OUTPUTS_H
#define TOOLS_PCEMU_OUTPUTS_H

#include "base/outfile.h"
#include "core-model/linux/guest.h"
#include "tools/pcemu/options.h"

/* The stream of a file that no option names is NULL. */
struct outputs {
    struct outfile report, stats, kanata, perf, timeline, trace, record, samples, bbv;
    struct outfile of_hart[GUEST_HARTS_MAX]; /* reports of --by-hart, unless they follow the report */
};

/* Opens the files that the options name, and standard error for a trace without a file; exits on error. A process that
 * the guest has forked calls it again: its parent's files stay the parent's. */
void outputs_open(struct outputs *outputs, const struct options *o);
/* Completes a file, if it was opened; exits on error. */
void outputs_commit(struct outfile *file);
/* Removes a file that remains unwritten, if it was opened. */
void outputs_abort(struct outfile *file);

#endif
