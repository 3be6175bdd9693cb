/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary folders that disappear with the process, however it ends. */
#ifndef TOOLS_PCSWEEP_TEMPORARY_H
#define TOOLS_PCSWEEP_TEMPORARY_H

#include "base/status.h"

/* Creates a folder in TMPDIR, or /tmp. Another process removes it when this one has ended, or has closed *watched, and
 * so have all that it started; children that execute a program close it. The caller frees the path. */
enum status temporary_folder(char **path, int *watched, struct errmsg *err) MUST_USE;

#endif
