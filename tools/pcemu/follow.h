/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processes that the guest forks, with --follow-children. */
#ifndef TOOLS_PCEMU_FOLLOW_H
#define TOOLS_PCEMU_FOLLOW_H

#include "core-model/linux/guest.h"

/* Profiles a forked process of the guest, in the process that pcemu has forked for it; ctx is the session, which the
 * child takes over. A guest_follower's `run`. */
void follow_child(void *ctx, struct guest *g);

#endif
