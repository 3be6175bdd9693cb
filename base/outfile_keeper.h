/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keeper of output files (outfile_delegate): a process that performs requests of the process that started it. It is
 * no child of that process, so no wait finds it, and it is in a session of its own, so signals of the terminal do not
 * end it. Private to outfile.c. */
#ifndef BASE_OUTFILE_KEEPER_H
#define BASE_OUTFILE_KEEPER_H

#include <stdbool.h>

struct keeper_request {
    unsigned number; /* of the output */
    bool removes;    /* the partial file is removed; otherwise the output is completed */
};

/* Starts the keeper, which answers requests by `serve`, a function that returns 0 or an error number. Returns the
 * caller's end of the socket, or -1 with errno. The keeper ends when no process has that end open. */
int outfile_keeper_start(int (*serve)(const struct keeper_request *request));
/* Has the keeper perform the request; returns the error number of `serve`, or ECONNRESET if the keeper has ended. */
int outfile_keeper_ask(int keeper, const struct keeper_request *request);

#endif
