/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's address space: 256 GiB (the user half of Sv39) in one contiguous host reservation, so that address
 * translation is one addition, with permissions per 4 KiB page. Pages are allocated when first accessed. Of a page that
 * the guest may not read, the host refuses accesses too, so loads by translated code need no test of permissions. */
#ifndef CORE_MODEL_RISCV_MEMORY_H
#define CORE_MODEL_RISCV_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* User half of Sv39. `make CALLGRIND=1` uses less, because valgrind limits a process to 64 GiB. */
#ifndef GUEST_ADDRESS_BITS
#define GUEST_ADDRESS_BITS 38
#endif

enum {
    MEM_PAGE_BITS = 12,
    MEM_PAGE_BYTES = 1 << MEM_PAGE_BITS,
    MEM_ADDRESS_BITS = GUEST_ADDRESS_BITS,
    MEM_PAGES = 1 << (MEM_ADDRESS_BITS - MEM_PAGE_BITS),
};
enum mem_perm {
    MEM_DIRECT_R = 1, /* MEM_R and MEM_PLAIN */
    MEM_DIRECT_W = 2, /* MEM_W and MEM_PLAIN without MEM_SHARED; MEM_W implies MEM_R */
    MEM_R = 4,
    MEM_W = 8,
    MEM_X = 16,
    MEM_MAPPED = 32,
    MEM_SHARED = 64,   /* shared with other processes or a file */
    MEM_TOUCHED = 128, /* accessed since it was mapped (memory_touch); used only by the timing models */
    MEM_NOWRITE = 256, /* a shared mapping of a file that is open for reading: cannot become writable */
    MEM_PLAIN = 512,   /* not a page of a file, which an access may find missing: see memory_read */
};

struct memory_room;

struct memory {
    uint8_t *base;               /* host address of guest address 0 */
    uint16_t *perm;              /* enum mem_perm, indexed by page number */
    struct memory_room *room;    /* owned; copies of the structure share all three */
    void (*changing)(void *ctx); /* called before mapped pages or their permissions change; NULL: nothing is */
    void *changing_ctx;
};

enum status memory_init(struct memory *m, struct errmsg *err) MUST_USE;
void memory_fini(struct memory *m);

/* Maps [start, start + size) (both multiples of the page size) with `perm`; fresh pages read as zero. ST_IO: the host
 * refuses, for the reason in errno, or has no room for more mappings (ENOMEM). */
enum status memory_map(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm) MUST_USE;
/* Maps memory shared with processes forked later (fd -1), or a file from `offset` on: copy-on-write or, with MEM_SHARED
 * in `perm`, shared. A file that cannot be mapped leaves the range as it was. */
enum status memory_map_file(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm, int fd,
                            uint64_t offset) MUST_USE;
/* Moves pages with contents and sharing, replacing the destination; returns false if the host cannot move them because
 * the range consists of several mappings. */
bool memory_move(struct memory *m, uint64_t from, uint64_t old_bytes, uint64_t to, uint64_t new_bytes);
/* Returns false, without an effect, if the host has no room for the mappings into which the range divides others. */
bool memory_unmap(struct memory *m, uint64_t start, uint64_t size_bytes);
/* Changes permissions; returns false if a page of the range is not mapped. */
bool memory_protect(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm);

/* Changes the permissions of pages that are mapped, or marks them as unmapped with 0. For the direct bits see enum
 * mem_perm. */
void memory_set_page(struct memory *m, uint64_t page, unsigned perm);

/* Number of the first mapped page from number `page` on; MEM_PAGES: none. This and the next three pass over wholly free
 * GiB in one step; the last passes over wholly mapped ones, too. */
uint64_t memory_next_mapped(const struct memory *m, uint64_t page);
/* Address of the first mapped page in [start, start + size), multiples of the page size; its end: there is none. */
uint64_t memory_mapped_in(const struct memory *m, uint64_t start, uint64_t size_bytes);
static inline bool memory_is_free(const struct memory *m, uint64_t start, uint64_t size_bytes)
{
    return memory_mapped_in(m, start, size_bytes) >= start + size_bytes;
}
/* Start of the highest free range of this size, at least a page, in [low, top); 0: none. */
uint64_t memory_find_gap(const struct memory *m, uint64_t low, uint64_t top, uint64_t size_bytes);

/* Marks the first untouched page of the mapped range [addr, addr + size) as touched. */
void memory_touch(struct memory *m, uint64_t addr, uint64_t size_bytes);

/* Returns whether the guest may access [addr, addr + size) with all of `need`. size is at least 1; the range may cross
 * pages. */
bool memory_allows_slow(const struct memory *m, uint64_t addr, uint64_t size_bytes, unsigned need);

/* Copies from or to mapped pages; size is at least 1. False: a page is behind the end of the
 * file that is mapped there; memory_missing then is its first byte in the range. */
bool memory_read_slow(const struct memory *m, uint64_t addr, void *to, size_t size_bytes);
bool memory_write_slow(struct memory *m, uint64_t addr, const void *from, size_t size_bytes);
/* Replaces the 4 or 8 bytes at a multiple of their number, in a page whose permissions were checked, by those of `to`
 * if they are *from, and sets *from to what they were. Other processes see it as one access. False: as above. */
bool memory_replace(struct memory *m, uint64_t addr, unsigned size_bytes, uint64_t *from, uint64_t to);
uint64_t memory_missing(const struct memory *m, uint64_t addr);
/* Copies between mapped ranges that are private memory. False: the host has no room for the mappings that this needs
 * meanwhile. */
bool memory_copy(struct memory *m, uint64_t to, uint64_t from, uint64_t size_bytes);

/* Returns whether the emulator can access the mapped range, at most a page long, in any case. */
static inline bool memory_is_plain(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    return (m->perm[addr >> MEM_PAGE_BITS] & m->perm[(addr + size_bytes - 1) >> MEM_PAGE_BITS] & MEM_DIRECT_R) != 0;
}

/* Returns whether [addr, addr + size) is in one page with all permissions of `need`. Hot path of every load and
 * store. */
static inline bool memory_allows_inside(const struct memory *m, uint64_t addr, unsigned size_bytes, unsigned need)
{
    return (addr >> MEM_ADDRESS_BITS) == 0 && (addr & (MEM_PAGE_BYTES - 1)) + size_bytes <= MEM_PAGE_BYTES &&
           (m->perm[addr >> MEM_PAGE_BITS] & need) == need;
}

/* Returns whether a store that may be undone can be made at once: the range is in one page with MEM_DIRECT_W, and it is
 * not code. */
static inline bool memory_takes_store(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    return (addr >> MEM_ADDRESS_BITS) == 0 && (addr & (MEM_PAGE_BYTES - 1)) + size_bytes <= MEM_PAGE_BYTES &&
           (m->perm[addr >> MEM_PAGE_BITS] & (MEM_DIRECT_W | MEM_X)) == MEM_DIRECT_W;
}

/* The general case of memory_allows_inside. */
static inline bool memory_allows(const struct memory *m, uint64_t addr, unsigned size_bytes, unsigned need)
{
    return memory_allows_inside(m, addr, size_bytes, need) || memory_allows_slow(m, addr, size_bytes, need);
}

/* Returns whether other processes may see what is written to the range, at most a page long. */
static inline bool memory_is_shared(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    const uint64_t last = addr + size_bytes - 1;
    return ((addr | last) >> MEM_ADDRESS_BITS) == 0 &&
           ((m->perm[addr >> MEM_PAGE_BITS] | m->perm[last >> MEM_PAGE_BITS]) & MEM_SHARED) != 0;
}

/* The same, or whether it is code: what is decoded from it stays decoded when the write is undone. */
static inline bool memory_is_observed(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    const uint64_t last = addr + size_bytes - 1;
    return ((addr | last) >> MEM_ADDRESS_BITS) == 0 &&
           ((m->perm[addr >> MEM_PAGE_BITS] | m->perm[last >> MEM_PAGE_BITS]) & (MEM_SHARED | MEM_X)) != 0;
}

/* Returns whether all pages of the range, at most a page long, have been touched. */
static inline bool memory_touched(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    return (m->perm[addr >> MEM_PAGE_BITS] & m->perm[(addr + size_bytes - 1) >> MEM_PAGE_BITS] & MEM_TOUCHED) != 0;
}

/* Host address of a guest address whose access was checked. Only a plain page may be accessed there without a guard
 * (memory_guard.h); the host's kernel may access any. */
static inline uint8_t *memory_at(const struct memory *m, uint64_t addr) { return m->base + addr; }

static inline bool memory_read(const struct memory *m, uint64_t addr, void *to, size_t size_bytes)
{
    if (size_bytes > MEM_PAGE_BYTES || !memory_is_plain(m, addr, (unsigned)size_bytes))
        return memory_read_slow(m, addr, to, size_bytes);
    memcpy(to, memory_at(m, addr), size_bytes);
    return true;
}

static inline bool memory_write(struct memory *m, uint64_t addr, const void *from, size_t size_bytes)
{
    if (size_bytes > MEM_PAGE_BYTES || !memory_is_plain(m, addr, (unsigned)size_bytes))
        return memory_write_slow(m, addr, from, size_bytes);
    memcpy(memory_at(m, addr), from, size_bytes);
    return true;
}

#endif
