/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals during a run: SIGINT, SIGTERM and SIGHUP end it; SIGUSR1 requests a line of progress. A timer pauses the run,
 * for signals to the guest and for lines of progress at a terminal. */
#ifndef EMU_PCEMU_SIGNALS_H
#define EMU_PCEMU_SIGNALS_H

#include <stdbool.h>

#include "emu/pcemu/progress.h"

/* Installs handlers by which these signals set *stop, which is borrowed for the life of the process. With a debugger
 * only SIGINT and SIGUSR1 are caught, and the timer is off. */
void signals_catch(volatile int *stop, bool debugger);
/* Ends the pauses and the requests of lines: what follows has no caller that resumes it. */
void signals_end_pauses(void);
/* The signal that ends the run; 0: none has come. */
int signals_ended_by(void);

/* Progress line at the terminal. */
struct status_line {
    double phase_start; /* host time in seconds */
    bool shown;
};

/* Starts the timing of a phase. */
void status_line_begin(struct status_line *l);
/* Shows the line, with the time, at a terminal or if it was requested. */
void status_line_show(struct status_line *l, const struct progress *p);
/* Erases the line at the end of a phase. */
void status_line_end(struct status_line *l);

#endif
