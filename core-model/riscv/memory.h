/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's address space: 256 GiB (the user half of Sv39) reserved in one piece of the host's, so that a guest
 * address is a host address after one addition, with a permission byte per 4 KiB page. Pages cost memory only when
 * touched. */
#ifndef CORE_MODEL_RISCV_MEMORY_H
#define CORE_MODEL_RISCV_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "isa/support/status.h"

/* Sv39's user half. `make CALLGRIND=1` makes do with less: valgrind leaves a process 64 GiB. */
#ifndef GUEST_ADDRESS_BITS
#define GUEST_ADDRESS_BITS 38
#endif

enum { MEM_PAGE_BITS = 12, MEM_PAGE_BYTES = 1 << MEM_PAGE_BITS, MEM_ADDRESS_BITS = GUEST_ADDRESS_BITS };
enum mem_perm {
    MEM_R = 1,
    MEM_W = 2,
    MEM_X = 4,
    MEM_MAPPED = 8,
    MEM_SHARED = 16,  /* with other processes, or a file */
    MEM_TOUCHED = 32, /* noted by memory_touch since it was mapped: of concern to the cores' timing only */
};

struct memory {
    uint8_t *base; /* host address of guest address 0 */
    uint8_t *perm; /* enum mem_perm, indexed by page number */
};

enum status memory_init(struct memory *m, struct errmsg *err) MUST_USE;
void memory_fini(struct memory *m);

/* Maps [start, start + size) (both multiples of the page size) with `perm`; fresh pages read as zero. */
enum status memory_map(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm) MUST_USE;
/* The same for memory shared with the processes forked from now on (fd -1), or for the part of a file from `offset` on:
 * a private copy, made as it is touched, or with MEM_SHARED in `perm` the file itself. */
enum status memory_map_file(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm, int fd,
                            uint64_t offset) MUST_USE;
/* Moves pages, contents and sharing; false where the host cannot, since they are of several kinds. What was there
 * before is lost. */
bool memory_move(struct memory *m, uint64_t from, uint64_t old_bytes, uint64_t to, uint64_t new_bytes);
void memory_unmap(struct memory *m, uint64_t start, uint64_t size_bytes);
/* Changes permissions; false where a page of the range is not mapped. */
bool memory_protect(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm);

/* Notes that the first page of the mapped range [addr, addr + size) that has not been touched has been. */
void memory_touch(struct memory *m, uint64_t addr, uint64_t size_bytes);

/* May the guest access [addr, addr + size) with all of `need`? size is 1 or more and may cross pages. */
bool memory_allows_slow(const struct memory *m, uint64_t addr, uint64_t size_bytes, unsigned need);

/* Is [addr, addr + size) in one page, which the guest may access so? The hot path of every load and store. */
static inline bool memory_allows_inside(const struct memory *m, uint64_t addr, unsigned size_bytes, unsigned need)
{
    return (addr >> MEM_ADDRESS_BITS) == 0 && (addr & (MEM_PAGE_BYTES - 1)) + size_bytes <= MEM_PAGE_BYTES &&
           (m->perm[addr >> MEM_PAGE_BITS] & need) == need;
}

/* The same, wherever it is. */
static inline bool memory_allows(const struct memory *m, uint64_t addr, unsigned size_bytes, unsigned need)
{
    return memory_allows_inside(m, addr, size_bytes, need) || memory_allows_slow(m, addr, size_bytes, need);
}

/* Has every page of the range, of at most a page's length, been noted? */
static inline bool memory_touched(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    return (m->perm[addr >> MEM_PAGE_BITS] & m->perm[(addr + size_bytes - 1) >> MEM_PAGE_BITS] & MEM_TOUCHED) != 0;
}

/* Host address of a guest address that has been allowed. */
static inline uint8_t *memory_at(const struct memory *m, uint64_t addr) { return m->base + addr; }

#endif
