/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permissions of many pages at once. A guest may map 100 GiB of which it uses little: to write the permissions of
 * each page would take the host 25 million stores and the memory for them. Large ranges are copy-on-write mappings of a
 * block that is written once instead. */
#ifndef CORE_MODEL_RISCV_PAGE_PERMS_H
#define CORE_MODEL_RISCV_PAGE_PERMS_H

#include <stdint.h>

/* Permissions in a block: those of 1 GiB. */
enum { PAGE_PERMS_BLOCK_BYTES = 512 << 10, PAGE_PERMS_IN_BLOCK = PAGE_PERMS_BLOCK_BYTES / sizeof(uint16_t) };

/* Sets `count` permissions from `perm` on, in a private anonymous mapping, to `value`: at most a block, a whole one at
 * a multiple of the host's page size. A whole block may become a mapping of its own. */
void page_perms_set(uint16_t *perm, uint64_t count, uint16_t value);

#endif
