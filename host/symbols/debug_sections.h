/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed sections of ELF files (gABI, SHF_COMPRESSED; GNU's .zdebug). libdw decompresses those of zlib in memory,
 * however large they become, and in Debian 12 none of zstd. */
#ifndef HOST_SYMBOLS_DEBUG_SECTIONS_H
#define HOST_SYMBOLS_DEBUG_SECTIONS_H

#include <stdbool.h>

/* The sections of a file may have DEBUG_SECTIONS_FREE_MIB MiB together when they are decompressed, or
 * DEBUG_SECTIONS_FACTOR times the size of the file if that is more: compilers' debugging information shrinks to a third
 * or a fifth. */
enum { DEBUG_SECTIONS_FREE_MIB = 16, DEBUG_SECTIONS_FACTOR = 16 };

/* Takes the descriptor of a file that is to be read by libdw, and returns that of a file with the same content in which
 * the sections of zstd are decompressed, or the descriptor itself if there are none. Compressed sections without
 * content are those that are damaged or of an unknown method, and all of a file beyond the limits. *remark is then a
 * text that says which and why, the caller's to free; otherwise NULL. Returns -1 with a remark, and closes the
 * descriptor, if there is no memory for a file without the sections that are beyond the limits. */
int debug_sections_open(int fd, char **remark);

/* Returns whether libdw can read a file as it is: its sections are within the limits, and none is of zstd. */
bool debug_sections_are_plain(const char *path);

#endif
