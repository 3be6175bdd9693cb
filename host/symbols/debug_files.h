/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Separate debug files: what an ELF file says of its own, and where that is. libdwfl's look-up compares build IDs by
 * opening the file for its own use, so the file that it reads could not be another with decompressed sections. */
#ifndef HOST_SYMBOLS_DEBUG_FILES_H
#define HOST_SYMBOLS_DEBUG_FILES_H

#include <stddef.h>
#include <stdint.h>

enum { DEBUG_FILES_ID_BYTES = 64 }; /* longer build IDs are not looked up */

/* Reference of a file to its debug file. */
struct debug_link {
    uint8_t id[DEBUG_FILES_ID_BYTES];
    size_t id_bytes; /* 0: it has no build ID */
    char *name;      /* of .gnu_debuglink; NULL: none */
    uint32_t crc;    /* of the debug file's content */
};

/* Reads that of an open file; of one that is no ELF file nothing. The name is freed by the caller. */
void debug_link_read(struct debug_link *l, int fd);

/* Opens the debug file of the file `path` and sets its path, which the caller frees; -1: there is none. The folders are
 * those of `debug_path` in libdwfl's notation (symbols_new). First the build ID is looked up in the absolute ones, each
 * a tree of debug files or a cache of debuginfod clients, then
 * the name in each: in an absolute one below the path of the file, with fewer and fewer of its folders, at last in the
 * folder itself. A debug file is one with the build ID or, where the file has none, with the checksum. */
int debug_link_open(const struct debug_link *l, const char *path, const char *debug_path, char **found);

#endif
