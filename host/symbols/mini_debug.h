/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section .gnu_debugdata of stripped files, as of Fedora: an ELF file with a symbol table, compressed by xz (GDB
 * manual, "Debugging information in a special section"). libdwfl would decompress it in memory, however large it
 * becomes, so it is decompressed here, up to a limit. */
#ifndef HOST_SYMBOLS_MINI_DEBUG_H
#define HOST_SYMBOLS_MINI_DEBUG_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The decompressed file may have MINI_DEBUG_FREE_MIB MiB, or MINI_DEBUG_FACTOR times the size of the section if that is
 * more: xz shrinks symbol tables to a fifth or an eighth. */
enum { MINI_DEBUG_FREE_MIB = 16, MINI_DEBUG_FACTOR = 32 };

struct mini_debug {
    Elf *elf;       /* NULL: there is no such section, or it is not read */
    uint8_t *bytes; /* of the file */
};

/* Reads the section. *remark is a text that says why it is not read, the caller's to free; otherwise NULL. The caller
 * calls mini_debug_close. */
struct mini_debug mini_debug_open(Elf *elf, char **remark);
void mini_debug_close(struct mini_debug *m);

#endif
