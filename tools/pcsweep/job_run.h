/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a job: pcemu in a working folder of its own, and the result's folder, which appears with all files or not
 * at all. The caller has the job's lock. */
#ifndef TOOLS_PCSWEEP_JOB_RUN_H
#define TOOLS_PCSWEEP_JOB_RUN_H

#include <sys/types.h>
#include <time.h>

#include "host/study/manifest.h"

struct job_run {
    const struct manifest *manifest; /* borrowed */
    const struct job *job;           /* borrowed */
    char *part;                      /* the result's folder until it is complete */
    pid_t process;
    struct timespec start;
    struct errmsg failure; /* after job_run_finish; empty: the job is done */
};

/* Removes what earlier runs of the job have left, and starts pcemu. */
enum status job_run_start(struct job_run *r, const struct manifest *m, const struct job *j,
                          struct errmsg *err) MUST_USE;
/* Completes the result after the process has ended with a status of waitpid, and releases the run. A job that has
 * failed has a result, too, which says why. */
enum status job_run_finish(struct job_run *r, int status, struct errmsg *err) MUST_USE;
/* Ends the process, and removes what it has written. */
void job_run_abort(struct job_run *r);

#endif
