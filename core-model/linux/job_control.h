/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job control of the controlling terminal. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_JOB_CONTROL_H
#define CORE_MODEL_LINUX_JOB_CONTROL_H

#include <stdint.h>

struct guest;

/* Before a process reads a terminal (SIGTTIN), or changes it (SIGTTOU): 0 if it may, as each does that is not a
 * background process of its controlling terminal. Otherwise the signal goes to its process group, and the result is
 * -LINUX_RESTART; or, if that signal has no effect, -EIO. */
int64_t linux_check_foreground(struct guest *g, int host_fd, int signal);
/* linux_check_foreground before a process writes, which is restricted if the terminal has the mode TOSTOP. */
int64_t linux_check_output(struct guest *g, int host_fd);

#endif
