/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of jobs, and of the folder of an estimate, which end with the process that has them, however it ends. A lock is
 * a byte of FOLDER/locks whose place is the beginning of the job's id, and is owned by an open file (fcntl(2), open
 * file description locks), also through NFS. */
#ifndef TOOLS_PCSWEEP_LOCKS_H
#define TOOLS_PCSWEEP_LOCKS_H

#include <stdbool.h>

#include "base/status.h"

/* Opens the locks of a study's folder; *locks is a descriptor for close. */
enum status locks_open(const char *folder, int *locks, struct errmsg *err) MUST_USE;
/* Takes the lock of a job, unless another process has it. */
enum status locks_take(int locks, const char *id, bool *is_taken, struct errmsg *err) MUST_USE;
void locks_release(int locks, const char *id);
/* Whether another process has the lock. */
bool locks_is_held(int locks, const char *id);

#endif
