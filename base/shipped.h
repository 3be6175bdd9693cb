/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are installed with the tools. */
#ifndef BASE_SHIPPED_H
#define BASE_SHIPPED_H

/* The path of a file below the folder above that of the running tool, e.g. "share/pcemu/config/boom.conf"; the caller
 * frees it. */
char *shipped_file(const char *path);

#endif
