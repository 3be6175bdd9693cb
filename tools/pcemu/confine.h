/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --confine, --read-only and --no-network: pcemu gives up rights before the guest's first instruction, by Landlock and
 * by a filter of system calls. The kernel then enforces the limits, on pcemu as on the guest; docs/security.md. */
#ifndef TOOLS_PCEMU_CONFINE_H
#define TOOLS_PCEMU_CONFINE_H

#include "core-model/linux/guest.h"
#include "tools/pcemu/options.h"

/* Exits if the kernel lacks what the options need. */
void confine_check(const struct options *o);
/* Restricts the process to what the options leave to the guest, which has been loaded and is in the working folder of
 * the start. Outputs that are open can still be written and completed. Exits on error. */
void confine_guest(const struct options *o, struct guest *g);

#endif
