/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's address space: one reservation of host address space, in which mapped pages are readable and writable for
 * the emulator. The guest's permissions are in the permission bytes only; an erroneous access of the emulator outside
 * mapped pages raises a signal. */
#include "core-model/riscv/memory.h"

#include <errno.h>
#include <sys/mman.h>

static const uint64_t space_bytes = UINT64_C(1) << MEM_ADDRESS_BITS;
static const uint64_t page_count = UINT64_C(1) << (MEM_ADDRESS_BITS - MEM_PAGE_BITS);

enum { RESERVE_FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

enum status memory_init(struct memory *m, struct errmsg *err)
{
    *m = (struct memory){0};
    void *base = mmap(NULL, space_bytes, PROT_NONE, RESERVE_FLAGS, -1, 0);
    if (base == MAP_FAILED)
        return fail(err, ST_IO, "cannot reserve %u GiB of address space for the guest: %s (is `ulimit -v` set?)",
                    1u << (MEM_ADDRESS_BITS - 30), strerror(errno));
    void *perm = mmap(NULL, page_count, PROT_READ | PROT_WRITE, RESERVE_FLAGS, -1, 0);
    if (perm == MAP_FAILED) {
        int why = errno;
        munmap(base, space_bytes);
        return fail(err, ST_IO, "cannot reserve 64 MiB for the guest's page permissions: %s", strerror(why));
    }
    m->base = base;
    m->perm = perm;
    return ST_OK;
}

void memory_fini(struct memory *m)
{
    if (m->base != NULL) {
        munmap(m->base, space_bytes);
        munmap(m->perm, page_count);
    }
    *m = (struct memory){0};
}

static bool in_space(uint64_t start, uint64_t size_bytes)
{
    return start <= space_bytes && size_bytes <= space_bytes - start;
}

static void set_perm(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    memset(m->perm + (start >> MEM_PAGE_BITS), (int)perm, size_bytes >> MEM_PAGE_BITS);
}

enum status memory_map(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    if (!in_space(start, size_bytes) || ((start | size_bytes) & (MEM_PAGE_BYTES - 1)) != 0)
        return ST_RANGE;
    if (size_bytes == 0)
        return ST_OK;
    void *p = mmap(m->base + start, size_bytes, PROT_READ | PROT_WRITE, RESERVE_FLAGS | MAP_FIXED, -1, 0);
    if (p == MAP_FAILED)
        return ST_IO;
    set_perm(m, start, size_bytes, perm | MEM_MAPPED);
    return ST_OK;
}

enum status memory_map_file(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm, int fd,
                            uint64_t offset)
{
    if (!in_space(start, size_bytes) || ((start | size_bytes | offset) & (MEM_PAGE_BYTES - 1)) != 0)
        return ST_RANGE;
    int flags = MAP_FIXED | MAP_NORESERVE | (perm & MEM_SHARED ? MAP_SHARED : MAP_PRIVATE) |
                (fd < 0 ? MAP_ANONYMOUS : 0);
    if (mmap(m->base + start, size_bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset) == MAP_FAILED)
        return ST_IO;
    set_perm(m, start, size_bytes, perm | MEM_MAPPED);
    return ST_OK;
}

bool memory_move(struct memory *m, uint64_t from, uint64_t old_bytes, uint64_t to, uint64_t new_bytes)
{
    unsigned perm = m->perm[from >> MEM_PAGE_BITS];
    if (!in_space(to, new_bytes) ||
        mremap(m->base + from, old_bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, m->base + to) == MAP_FAILED)
        return false;
    set_perm(m, to, new_bytes, perm & ~(unsigned)MEM_TOUCHED);
    for (uint64_t page = 0; page < (old_bytes < new_bytes ? old_bytes : new_bytes) >> MEM_PAGE_BITS; page++)
        m->perm[(to >> MEM_PAGE_BITS) + page] |= m->perm[(from >> MEM_PAGE_BITS) + page] & MEM_TOUCHED;
    memory_unmap(m, from, old_bytes);
    return true;
}

void memory_unmap(struct memory *m, uint64_t start, uint64_t size_bytes)
{
    if (!in_space(start, size_bytes) || size_bytes == 0)
        return;
    set_perm(m, start, size_bytes, 0);
    /* If the host cannot split its mapping, the pages remain mapped, but the guest cannot access them. */
    if (mmap(m->base + start, size_bytes, PROT_NONE, RESERVE_FLAGS | MAP_FIXED, -1, 0) == MAP_FAILED)
        (void)madvise(m->base + start, size_bytes, MADV_DONTNEED);
}

bool memory_protect(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    if (!in_space(start, size_bytes))
        return false;
    if (size_bytes != 0 && !memory_allows_slow(m, start, size_bytes, MEM_MAPPED))
        return false;
    for (uint64_t page = start >> MEM_PAGE_BITS; page < (start + size_bytes) >> MEM_PAGE_BITS; page++)
        m->perm[page] = (uint8_t)(perm | MEM_MAPPED | (m->perm[page] & (MEM_SHARED | MEM_NOWRITE | MEM_TOUCHED)));
    return true;
}

void memory_touch(struct memory *m, uint64_t addr, uint64_t size_bytes)
{
    for (uint64_t page = addr >> MEM_PAGE_BITS; page <= (addr + size_bytes - 1) >> MEM_PAGE_BITS; page++)
        if (!(m->perm[page] & MEM_TOUCHED)) {
            m->perm[page] |= MEM_TOUCHED;
            return;
        }
}

bool memory_allows_slow(const struct memory *m, uint64_t addr, uint64_t size_bytes, unsigned need)
{
    if (size_bytes == 0 || !in_space(addr, size_bytes))
        return false;
    uint64_t last = (addr + size_bytes - 1) >> MEM_PAGE_BITS;
    for (uint64_t page = addr >> MEM_PAGE_BITS; page <= last; page++)
        if ((m->perm[page] & need) != need)
            return false;
    return true;
}
