/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals to pcemu, beyond base/ending.h. During a run one whose default action ends a process ends the run. One
 * that comes as the results are written is reported when they are complete. While an output has waited long for its
 * reader (outfile_is_stuck), a signal ends pcemu. SIGUSR1 requests a line of progress. What the guest's processes send
 * is the guest's, and so is what the guest handles, ignores or blocks: that does not come here. A timer (SIGVTALRM)
 * pauses the run, for signals to the guest and for lines of progress at a terminal. */
#ifndef TOOLS_PCEMU_SIGNALS_H
#define TOOLS_PCEMU_SIGNALS_H

#include <stdbool.h>

#include "core-model/linux/guest.h"
#include "tools/pcemu/progress.h"

/* To be called before tool_start. */
void signals_begin(void);
/* The run begins: signals set *stop. `stop` is borrowed for the life of the process, the guest (NULL: none) until
 * signals_forget_guest. With a debugger only SIGINT and SIGUSR1 do, and the timer is off. In processes that are forked,
 * the signals have their default action until this is called there. */
void signals_catch(volatile int *stop, struct guest *guest, bool debugger);
/* The run is over, and its results are being written: a signal is kept for signals_ended_by. */
void signals_conclude(void);
/* The results are written, and all outputs are complete: a signal ends pcemu, unless one has come before. */
void signals_finish(void);
/* To be called before the guest is released. */
void signals_forget_guest(void);
/* Ends the pauses, and gives the signals their default action: what follows has no caller that resumes it. */
void signals_release(void);
/* The signal that ends the run, or has come since; 0: none has. */
int signals_ended_by(void);

/* Progress line at the terminal. */
struct status_line {
    double phase_start; /* host time in seconds */
    bool shown;
};

/* Starts the timing of a phase. */
void status_line_begin(struct status_line *l);
/* Shows the line, with the time, at a terminal or if it was requested. `in_line`: the terminal's cursor is behind
 * output that does not end a line, which the line of progress would erase; it is shown only if it was requested, behind
 * that line. */
void status_line_show(struct status_line *l, const struct progress *p, bool in_line);
/* Erases the line at the end of a phase. */
void status_line_end(struct status_line *l);

#endif
