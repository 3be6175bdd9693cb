/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that a run writes. They are opened before the run, so that a bad name does not cost a run. */
#ifndef EMU_PCEMU_OUTPUTS_H
#define EMU_PCEMU_OUTPUTS_H

#include "emu/pcemu/options.h"
#include "isa/support/file.h"

/* Files that the options do not name have no stream. */
struct outputs {
    struct outfile report, stats, kanata, trace, record;
};

/* Opens those that the options name, or ends pcemu. However pcemu ends from then on, a file that has not been committed
 * is removed. `outputs` is borrowed for the life of the process, which has one. */
void outputs_open(struct outputs *outputs, const struct options *o);
/* Completes a file, if it was asked for; a failure ends pcemu. */
void outputs_commit(struct outfile *file);

#endif
