/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function that runs in a process of its own, whose output is kept: the server answers meanwhile, and goes on
 * whatever a store makes of that process. */
#ifndef TOOLS_PCPROF_SERVER_WORK_H
#define TOOLS_PCPROF_SERVER_WORK_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

/* Limits of the output of a process, and of what is kept of its messages, in bytes. */
enum { WORK_MOST_BYTES = 1 << 30, WORK_MESSAGE = 4096 };

struct serve_work {
    pid_t process;              /* 0: none runs */
    unsigned seconds;           /* its limit */
    int output;                 /* a file in memory; standard output of the process */
    int said;                   /* a pipe; its standard error */
    char message[WORK_MESSAGE]; /* the beginning of what it has written there, NUL-terminated */
    size_t message_bytes;
};

/* Runs `run` with its context in a new process, with no open file but standard output and error, and with the actions
 * of signals of a new process. It ends with the caller, after so many seconds, or with an error at WORK_MOST_BYTES. */
enum status serve_work_start(struct serve_work *w, unsigned seconds, int (*run)(const void *ctx), const void *ctx,
                             struct errmsg *err) MUST_USE;
/* Reads what there is in the pipe; true: the process has ended. */
bool serve_work_advance(struct serve_work *w);
/* After that: waits for the process. If its status is not 0 the error is its message. The caller takes the output, and
 * closes it. */
enum status serve_work_finish(struct serve_work *w, struct errmsg *err) MUST_USE;
/* Ends the process, if one runs. */
void serve_work_abort(struct serve_work *w);

#endif
