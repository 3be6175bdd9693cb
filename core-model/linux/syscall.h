/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Handlers of system calls: the rows of syscall.def. A handler returns a value or a negative error number, as the
 * kernel does, or one of the results below. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_SYSCALL_H
#define CORE_MODEL_LINUX_SYSCALL_H

#include <errno.h>

#include "core-model/linux/calls.h"
#include "core-model/linux/guest.h"

enum {
    LINUX_SYSCALL_MAX = 512,
    LINUX_RESTART = 512, /* result: interrupted by a signal; restarted if the action has SA_RESTART */
    LINUX_BLOCK = 600,   /* result: see linux_block */
};

/* `r` if not negative, else -errno. */
static inline int64_t linux_result(int64_t r) { return r < 0 ? -errno : r; }

struct linux_row {
    struct guest_call about;
    const char *arguments; /* how --strace prints each: a letter of call.c */
    int64_t (*perform)(struct guest *g, const uint64_t *a);
};

/* The row of a call's number; that of an unknown number performs nothing. */
const struct linux_row *linux_call_row(uint64_t number);

#define SYSCALL(number, name, ...) int64_t sys_##name(struct guest *g, const uint64_t *a);
#define LIMITED SYSCALL
#define DENIED(...)
#define DECLINED(...)
#define ABSENT(...)
#include "core-model/linux/syscall.def"
#undef SYSCALL
#undef LIMITED
#undef DENIED
#undef DECLINED
#undef ABSENT

#endif
