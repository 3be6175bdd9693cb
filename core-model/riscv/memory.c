/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's address space: one reservation of host address space, in which pages that the guest may read are readable
 * and writable for the emulator, and others are not. The other permissions are in the table here only. */
#include "core-model/riscv/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core-model/riscv/memory_guard.h"
#include "core-model/riscv/page_perms.h"

/* A page behind the end is never mapped: an access may begin in the last one. */
static const uint64_t space_bytes = UINT64_C(1) << MEM_ADDRESS_BITS;
static const uint64_t perm_bytes = sizeof(uint16_t) * MEM_PAGES;

enum { RESERVE_FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

/* Pages are searched by groups, each of which has a block of permissions: many are wholly free or wholly mapped. */
enum { GROUP_PAGES = PAGE_PERMS_IN_BLOCK, GROUPS = MEM_PAGES / GROUP_PAGES };

/* Mappings of the emulator's process, of which the host allows a number. `used` is not less than their number. */
struct memory_room {
    uint64_t used, most;
    uint32_t mapped[GROUPS]; /* number of mapped pages in each group; pages that are not mapped have no permission */
};

/* The host's limit, without the mappings that the emulator itself may come to need. */
static uint64_t most_mappings(void)
{
    enum { HOST_DEFAULT = 65530, OTHER = 1024, EMULATOR = OTHER + GROUPS };
    char line[32] = "";
    FILE *f = fopen("/proc/sys/vm/max_map_count", "re");
    const uint64_t limit = f != NULL && fgets(line, sizeof line, f) != NULL ? strtoull(line, NULL, 10) : HOST_DEFAULT;
    if (f != NULL)
        fclose(f);
    return limit > EMULATOR ? limit - EMULATOR : 0;
}

/* Number of the process's mappings, each a line of the file; 0 if it cannot be read. */
static uint64_t count_mappings(void)
{
    char part[MEM_PAGE_BYTES];
    uint64_t lines = 0;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    for (ssize_t n; fd >= 0 && (n = read(fd, part, sizeof part)) > 0;)
        for (ssize_t i = 0; i < n; i++)
            lines += part[i] == '\n';
    if (fd >= 0)
        close(fd);
    return lines;
}

/* Returns whether the process may have the mappings that a call adds: it divides at most two. Beyond the limit for new
 * mappings, `more` are for calls that mostly make mappings fewer. */
static bool memory_has_room(struct memory_room *r, unsigned more)
{
    enum { ADDED = 2 };
    if (r->used + ADDED > r->most + more)
        r->used = count_mappings();
    if (r->used + ADDED > r->most + more) {
        errno = ENOMEM;
        return false;
    }
    r->used += ADDED;
    return true;
}

enum status memory_init(struct memory *m, struct errmsg *err)
{
    *m = (struct memory){0};
    void *base = mmap(NULL, space_bytes + MEM_PAGE_BYTES, PROT_NONE, RESERVE_FLAGS, -1, 0);
    if (base == MAP_FAILED)
        return fail(err, ST_IO, "cannot reserve %u GiB of address space for the guest: %s (is `ulimit -v` set?)",
                    1u << (MEM_ADDRESS_BITS - 30), strerror(errno));
    void *perm = mmap(NULL, perm_bytes, PROT_READ | PROT_WRITE, RESERVE_FLAGS, -1, 0);
    if (perm == MAP_FAILED) {
        int why = errno;
        munmap(base, space_bytes + MEM_PAGE_BYTES);
        return fail(err, ST_IO, "cannot reserve 128 MiB for the guest's page permissions: %s", strerror(why));
    }
    m->base = base;
    m->perm = perm;
    m->room = xmalloc(sizeof *m->room);
    *m->room = (struct memory_room){.used = count_mappings(), .most = most_mappings()};
    memory_guard_install();
    return ST_OK;
}

void memory_fini(struct memory *m)
{
    if (m->base != NULL) {
        munmap(m->base, space_bytes + MEM_PAGE_BYTES);
        munmap(m->perm, perm_bytes);
        free(m->room);
    }
    *m = (struct memory){0};
}

static bool memory_in_space(uint64_t start, uint64_t size_bytes)
{
    return start <= space_bytes && size_bytes <= space_bytes - start;
}

/* A page's permissions with those that follow from them. */
static uint16_t whole_perm(unsigned perm)
{
    perm &= ~(unsigned)(MEM_DIRECT_R | MEM_DIRECT_W);
    if (perm & MEM_PLAIN)
        perm |= (perm & MEM_R ? MEM_DIRECT_R : 0u) | ((perm & (MEM_W | MEM_SHARED)) == MEM_W ? MEM_DIRECT_W : 0u);
    return (uint16_t)perm;
}

void memory_set_page(struct memory *m, uint64_t page, unsigned perm)
{
    const uint16_t value = whole_perm(perm);
    m->room->mapped[page / GROUP_PAGES] += (uint32_t)((value & MEM_MAPPED) != 0) -
                                           (uint32_t)((m->perm[page] & MEM_MAPPED) != 0);
    m->perm[page] = value;
}

/* Number of the first mapped page from `page` on and before `end`; `end`: there is none. */
static uint64_t next_mapped_before(const struct memory *m, uint64_t page, uint64_t end)
{
    for (uint64_t part_end; page < end; page = part_end) {
        const uint64_t group = page / GROUP_PAGES, group_end = (group + 1) * GROUP_PAGES;
        part_end = group_end < end ? group_end : end;
        if (m->room->mapped[group] != 0)
            for (; page < part_end; page++)
                if (m->perm[page] & MEM_MAPPED)
                    return page;
    }
    return end;
}

uint64_t memory_next_mapped(const struct memory *m, uint64_t page) { return next_mapped_before(m, page, MEM_PAGES); }

uint64_t memory_mapped_in(const struct memory *m, uint64_t start, uint64_t size_bytes)
{
    const uint64_t end = (start + size_bytes) >> MEM_PAGE_BITS;
    return next_mapped_before(m, start >> MEM_PAGE_BITS, end < MEM_PAGES ? end : MEM_PAGES) << MEM_PAGE_BITS;
}

uint64_t memory_find_gap(const struct memory *m, uint64_t low, uint64_t top, uint64_t size_bytes)
{
    const uint64_t lowest = low >> MEM_PAGE_BITS, pages = size_bytes >> MEM_PAGE_BITS;
    uint64_t page = top >> MEM_PAGE_BITS, free_end = page; /* [page, free_end) is free */
    while (free_end - page < pages && page > lowest) {
        const uint64_t group = (page - 1) / GROUP_PAGES, start = group * GROUP_PAGES;
        const uint32_t mapped = m->room->mapped[group];
        page = mapped == 0 || mapped == GROUP_PAGES ? (start > lowest ? start : lowest) : page - 1;
        if (mapped == GROUP_PAGES || (m->perm[page] & MEM_MAPPED))
            free_end = page;
    }
    return free_end - page < pages ? 0 : (free_end - pages) << MEM_PAGE_BITS;
}

static uint64_t count_mapped(const uint16_t *perm, uint64_t count)
{
    uint64_t mapped = 0;
    for (uint64_t i = 0; i < count; i++)
        mapped += (perm[i] & MEM_MAPPED) != 0;
    return mapped;
}

/* Sets the permissions of a range. Groups without a mapped page stay untouched without permissions. */
static void set_perm(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    const uint16_t value = whole_perm(perm);
    const uint64_t pages_end = (start + size_bytes) >> MEM_PAGE_BITS;
    for (uint64_t page = start >> MEM_PAGE_BITS, end; page < pages_end; page = end) {
        const uint64_t group = page / GROUP_PAGES, group_end = (group + 1) * GROUP_PAGES;
        uint32_t *mapped = &m->room->mapped[group];
        end = group_end < pages_end ? group_end : pages_end;
        if (value == 0 && *mapped == 0)
            continue;
        *mapped -= (uint32_t)(end - page == GROUP_PAGES ? *mapped : count_mapped(&m->perm[page], end - page));
        *mapped += value != 0 ? (uint32_t)(end - page) : 0;
        page_perms_set(&m->perm[page], end - page, value);
    }
}

/* Tells that mapped pages of the range will change. */
static void announce_change(struct memory *m, uint64_t start, uint64_t size_bytes)
{
    if (m->changing != NULL && !memory_is_free(m, start, size_bytes))
        m->changing(m->changing_ctx);
}

/* Reserves the range again after a call that may have left a hole: the host would place other allocations of the
 * emulator there. */
static void reserve_again(struct memory *m, uint64_t start, uint64_t size_bytes)
{
    int why = errno;
    set_perm(m, start, size_bytes, 0);
    if (mmap(m->base + start, size_bytes, PROT_NONE, RESERVE_FLAGS | MAP_FIXED, -1, 0) == MAP_FAILED &&
        madvise(m->base + start, size_bytes, MADV_DONTNEED) != 0) /* it succeeds only where all is mapped */
        BUG("cannot reserve the guest's address space again: %s", strerror(errno));
    errno = why;
}

static int access_of_host(unsigned perm) { return perm & MEM_R ? PROT_READ | PROT_WRITE : PROT_NONE; }

static enum status memory_map_anonymous(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    int flags = MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED | (perm & MEM_SHARED ? MAP_SHARED : MAP_PRIVATE);
    if (mmap(m->base + start, size_bytes, access_of_host(perm), flags, -1, 0) == MAP_FAILED) {
        reserve_again(m, start, size_bytes);
        return ST_IO;
    }
    set_perm(m, start, size_bytes, perm | MEM_MAPPED | MEM_PLAIN);
    return ST_OK;
}

/* Maps a file, at first elsewhere: where a file cannot be mapped, the host may have removed the old mapping already. */
static enum status riscv_memory_map_file(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm, int fd,
                                         uint64_t offset)
{
    int flags = MAP_NORESERVE | (perm & MEM_SHARED ? MAP_SHARED : MAP_PRIVATE);
    void *p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, flags, fd, (off_t)offset);
    if (p == MAP_FAILED)
        return ST_IO;
    if (!(perm & MEM_R))
        (void)mprotect(p, size_bytes, PROT_NONE); /* of a whole mapping: it takes no room */
    if (mremap(p, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, m->base + start) == MAP_FAILED) {
        reserve_again(m, start, size_bytes);
        munmap(p, size_bytes);
        return ST_IO;
    }
    set_perm(m, start, size_bytes, perm | MEM_MAPPED);
    return ST_OK;
}

enum status memory_map_file(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm, int fd,
                            uint64_t offset)
{
    if (!memory_in_space(start, size_bytes) || ((start | size_bytes | offset) & (MEM_PAGE_BYTES - 1)) != 0)
        return ST_RANGE;
    if (size_bytes == 0)
        return ST_OK;
    if (!memory_has_room(m->room, 0))
        return ST_IO;
    announce_change(m, start, size_bytes);
    return fd < 0 ? memory_map_anonymous(m, start, size_bytes, perm)
                  : riscv_memory_map_file(m, start, size_bytes, perm, fd, offset);
}

enum status memory_map(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    return memory_map_file(m, start, size_bytes, perm & ~(unsigned)MEM_SHARED, -1, 0);
}

bool memory_move(struct memory *m, uint64_t from, uint64_t old_bytes, uint64_t to, uint64_t new_bytes)
{
    unsigned perm = m->perm[from >> MEM_PAGE_BITS];
    if (!memory_in_space(to, new_bytes) || !memory_has_room(m->room, 0))
        return false;
    announce_change(m, from, old_bytes);
    announce_change(m, to, new_bytes);
    if (new_bytes < old_bytes) {
        if (!memory_unmap(m, from + new_bytes, old_bytes - new_bytes))
            return false;
        old_bytes = new_bytes;
    }
    if (mremap(m->base + from, old_bytes, new_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, m->base + to) == MAP_FAILED) {
        reserve_again(m, to, new_bytes);
        return false;
    }
    perm &= ~(unsigned)MEM_TOUCHED;
    set_perm(m, to, new_bytes, perm);
    if (perm & MEM_SHARED) /* the memory that is shared has not grown: its end is like that of a file */
        set_perm(m, to + old_bytes, new_bytes - old_bytes, perm & ~(unsigned)MEM_PLAIN);
    for (uint64_t page = 0; page < old_bytes >> MEM_PAGE_BITS; page++)
        m->perm[(to >> MEM_PAGE_BITS) + page] |= m->perm[(from >> MEM_PAGE_BITS) + page] & MEM_TOUCHED;
    reserve_again(m, from, old_bytes);
    return true;
}

bool memory_unmap(struct memory *m, uint64_t start, uint64_t size_bytes)
{
    enum { FOR_UNMAPPING = 512 };
    if (!memory_in_space(start, size_bytes) || size_bytes == 0)
        return true;
    if (!memory_has_room(m->room, FOR_UNMAPPING))
        return false;
    announce_change(m, start, size_bytes);
    reserve_again(m, start, size_bytes);
    return true;
}

/* Has the host refuse or allow accesses to the range, as the permissions tell. */
static bool change_access(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    bool changes = false;
    for (uint64_t page = start >> MEM_PAGE_BITS; page < (start + size_bytes) >> MEM_PAGE_BITS; page++)
        changes |= ((m->perm[page] ^ perm) & MEM_R) != 0;
    return !changes ||
           (memory_has_room(m->room, 0) && mprotect(m->base + start, size_bytes, access_of_host(perm)) == 0);
}

bool memory_protect(struct memory *m, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    enum { KEPT = MEM_SHARED | MEM_NOWRITE | MEM_TOUCHED | MEM_PLAIN };
    if (!memory_in_space(start, size_bytes))
        return false;
    if (size_bytes != 0 && !memory_allows_slow(m, start, size_bytes, MEM_MAPPED))
        return false;
    announce_change(m, start, size_bytes);
    if (!change_access(m, start, size_bytes, perm))
        return false;
    for (uint64_t page = start >> MEM_PAGE_BITS; page < (start + size_bytes) >> MEM_PAGE_BITS; page++)
        memory_set_page(m, page, perm | MEM_MAPPED | (m->perm[page] & KEPT));
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
    if (size_bytes == 0 || !memory_in_space(addr, size_bytes))
        return false;
    uint64_t last = (addr + size_bytes - 1) >> MEM_PAGE_BITS;
    for (uint64_t page = addr >> MEM_PAGE_BITS; page <= last; page++)
        if ((m->perm[page] & need) != need)
            return false;
    return true;
}

/* Has the host allow accesses to those pages of the range that the guest may not read, or refuse them again. */
static bool open_pages(const struct memory *m, uint64_t addr, size_t size_bytes, bool open)
{
    bool done = true;
    for (uint64_t page = addr >> MEM_PAGE_BITS; page <= (addr + size_bytes - 1) >> MEM_PAGE_BITS; page++)
        if ((m->perm[page] & (MEM_R | MEM_MAPPED)) == MEM_MAPPED)
            done &= mprotect(m->base + (page << MEM_PAGE_BITS), MEM_PAGE_BYTES, access_of_host(open ? MEM_R : 0)) == 0;
    return done;
}

bool memory_read_slow(const struct memory *m, uint64_t addr, void *to, size_t size_bytes)
{
    const bool done = open_pages(m, addr, size_bytes, true) && memory_guarded_copy(to, memory_at(m, addr), size_bytes);
    (void)open_pages(m, addr, size_bytes, false);
    return done;
}

bool memory_write_slow(struct memory *m, uint64_t addr, const void *from, size_t size_bytes)
{
    const bool done = open_pages(m, addr, size_bytes, true) &&
                      memory_guarded_copy(memory_at(m, addr), from, size_bytes);
    (void)open_pages(m, addr, size_bytes, false);
    return done;
}

bool memory_copy(struct memory *m, uint64_t to, uint64_t from, uint64_t size_bytes)
{
    const bool open = open_pages(m, to, size_bytes, true) && open_pages(m, from, size_bytes, true);
    if (open)
        memcpy(memory_at(m, to), memory_at(m, from), size_bytes);
    (void)open_pages(m, from, size_bytes, false);
    (void)open_pages(m, to, size_bytes, false);
    return open;
}

static uint64_t exchange(uint8_t *at, unsigned size_bytes, uint64_t from, uint64_t to)
{
    uint32_t low = (uint32_t)from;
    if (size_bytes == sizeof to) {
        __atomic_compare_exchange_n((uint64_t *)(void *)at, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
        return from;
    }
    __atomic_compare_exchange_n((uint32_t *)(void *)at, &low, (uint32_t)to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return low;
}

bool memory_replace(struct memory *m, uint64_t addr, unsigned size_bytes, uint64_t *from, uint64_t to)
{
    struct memory_guard g;
    if (memory_is_plain(m, addr, size_bytes)) {
        *from = exchange(memory_at(m, addr), size_bytes, *from, to);
        return true;
    }
    if (!MEMORY_GUARDED(&g))
        return false; /* NOLINT(clang-analyzer-core.StackAddressEscape): the handler has ended the guard */
    *from = exchange(memory_at(m, addr), size_bytes, *from, to);
    memory_guard_end(&g);
    return true;
}

uint64_t memory_missing(const struct memory *m, uint64_t addr)
{
    uint64_t page = (uint64_t)((const uint8_t *)memory_guard_address() - m->base) & ~(uint64_t)(MEM_PAGE_BYTES - 1);
    return page > addr ? page : addr;
}
