/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are installed with pcemu. */
#ifndef TOOLS_PCEMU_SHIPPED_H
#define TOOLS_PCEMU_SHIPPED_H

/* The path of a file below the folder above that of pcemu, e.g. "share/pcemu/config/boom.conf"; the caller frees it. */
char *shipped_file(const char *path);

#endif
