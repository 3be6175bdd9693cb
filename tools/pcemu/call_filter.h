/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filter of the host's system calls (seccomp) for a confined process: what Landlock does not check. */
#ifndef TOOLS_PCEMU_CALL_FILTER_H
#define TOOLS_PCEMU_CALL_FILTER_H

#include <stdbool.h>

#include "base/status.h"

/* Which calls fail. */
struct call_filter {
    bool changes; /* calls that change the host past Landlock: EPERM (blocked.def) */
    bool local;   /* sockets but those of IPv4 and IPv6: EACCES. A pair of Unix sockets is no way out. */
    bool network; /* all sockets, by EACCES, but pairs of Unix sockets */
};

/* Filters the calls of this process and its children from now on. */
enum status call_filter_load(const struct call_filter *filter, struct errmsg *err) MUST_USE;

#endif
