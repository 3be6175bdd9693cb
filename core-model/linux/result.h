/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of handlers of system calls: a value or a negative error number, as the kernel's, or one of these. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_RESULT_H
#define CORE_MODEL_LINUX_RESULT_H

#include <errno.h>
#include <stdint.h>

enum {
    LINUX_RESTART = 512, /* interrupted by a signal; restarted if the action has SA_RESTART */
    LINUX_BLOCK = 600,   /* see linux_block */
};

/* `r` if not negative, else -errno. */
static inline int64_t linux_result(int64_t r) { return r < 0 ? -errno : r; }

#endif
