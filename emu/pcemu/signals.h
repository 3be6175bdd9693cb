/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes in between while a run goes on: the request to end it (SIGINT, SIGTERM, SIGHUP), the question how far it is (SIGUSR1), and the
 * timer of a terminal, which gets a line of progress. */
#ifndef EMU_PCEMU_SIGNALS_H
#define EMU_PCEMU_SIGNALS_H

#include <stdbool.h>

#include "emu/pcemu/progress.h"

/* From now on *stop is set (borrowed for ever) by a signal that wants the run to end, by one that asks how far it is, and at a terminal now and
 * then. With a debugger only Ctrl-C is caught, and no progress is shown. */
void signals_catch(volatile int *stop, bool debugger);
/* The signal that wants the run to end; 0: none has come. */
int signals_ended_by(void);

/* The line of progress at the terminal. */
struct status_line {
    double phase_start; /* seconds */
    bool shown;
};

/* The time of a phase counts from here on. */
void status_line_begin(struct status_line *l);
/* Shows `p`, whose time is filled in. */
void status_line_show(struct status_line *l, const struct progress *p);
/* Wipes the line, at the end of a phase. */
void status_line_end(struct status_line *l);

#endif
