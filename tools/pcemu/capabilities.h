/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Privileges of a confined process that root has started. */
#ifndef TOOLS_PCEMU_CAPABILITIES_H
#define TOOLS_PCEMU_CAPABILITIES_H

#include <stdbool.h>

/* Gives up all capabilities but those over files (owners, permissions), for ever. Returns false with errno. */
bool capabilities_limit(void);

#endif
