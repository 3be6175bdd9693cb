/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on the address space: brk, mmap and similar. File mappings are host mappings inside the guest's address
 * space. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

/* Constants of the generic ABI. */
enum {
    GUEST_PROT_READ = 1,
    GUEST_PROT_WRITE = 2,
    GUEST_PROT_EXEC = 4,
    GUEST_PROT_GROWS = 0x3000000, /* GROWSDOWN, GROWSUP */
    GUEST_PROT_ALL = 7 | GUEST_PROT_GROWS,
    GUEST_MAP_SHARED = 1,
    GUEST_MAP_PRIVATE = 2,
    GUEST_MAP_TYPE = 0xf,
    GUEST_MAP_FIXED = 0x10,
    GUEST_MAP_ANONYMOUS = 0x20,
    GUEST_MAP_FIXED_NOREPLACE = 0x100000,
    GUEST_MREMAP_MAYMOVE = 1,
    GUEST_MREMAP_FIXED = 2,
    GUEST_MADV_DONTNEED = 4,
    GUEST_MADV_FREE = 8,
    GUEST_MADV_REMOVE = 9,
    GUEST_MADV_WIPEONFORK = 18,
    GUEST_MADV_KEEPONFORK = 19,
    GUEST_MADV_COLLAPSE = 25,
};

static const uint64_t space_bytes = UINT64_C(1) << MEM_ADDRESS_BITS;
static const uint64_t lowest = 0x10000;

static uint64_t linux_mem_page_up(uint64_t x) { return (x + MEM_PAGE_BYTES - 1) & ~(uint64_t)(MEM_PAGE_BYTES - 1); }
static bool aligned(uint64_t x) { return (x & (MEM_PAGE_BYTES - 1)) == 0; }

static bool linux_mem_in_space(uint64_t start, uint64_t size_bytes)
{
    return size_bytes <= space_bytes && start <= space_bytes - size_bytes;
}

/* Converts PROT_ flags; writable pages are readable, because RISC-V has no write-only pages. */
static unsigned linux_mem_permissions(uint64_t prot)
{
    return (prot & GUEST_PROT_READ ? MEM_R : 0u) | (prot & GUEST_PROT_WRITE ? MEM_W | MEM_R : 0u) |
           (prot & GUEST_PROT_EXEC ? MEM_X : 0u);
}

static int64_t map_fresh(struct guest *g, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    if (memory_map(&g->hart.mem, start, size_bytes, perm) != ST_OK)
        return -ENOMEM;
    linux_discard_code(g, start, size_bytes);
    return 0;
}

static int64_t unmap(struct guest *g, uint64_t start, uint64_t size_bytes)
{
    if (!memory_unmap(&g->hart.mem, start, size_bytes))
        return -ENOMEM;
    linux_discard_code(g, start, size_bytes);
    return 0;
}

int64_t sys_brk(struct guest *g, const uint64_t *a)
{
    struct linux_space *space = g->space;
    uint64_t old_end = linux_mem_page_up(space->brk);
    if (a[0] < space->brk_start || a[0] > LINUX_MMAP_TOP)
        return (int64_t)space->brk;
    uint64_t new_end = linux_mem_page_up(a[0]);
    if (new_end > old_end) {
        if (!memory_is_free(&g->hart.mem, old_end, new_end - old_end) ||
            map_fresh(g, old_end, new_end - old_end, MEM_R | MEM_W) != 0)
            return (int64_t)space->brk;
    } else if (new_end < old_end && unmap(g, new_end, old_end - new_end) != 0) {
        return (int64_t)space->brk;
    }
    space->brk = a[0];
    return (int64_t)space->brk;
}

static void note_library(struct guest *g, int fd, uint64_t start, uint64_t size_bytes, uint64_t offset)
{
    char path[PATH_MAX];
    if (linux_descriptor_name(fd, path) > 0)
        linux_note_image(g, path, start, size_bytes, offset);
}

/* Maps a file. An access beyond its end raises SIGBUS as long as it ends there. A read-only shared mapping is treated
 * as private. */
static int64_t linux_mem_map_file(struct guest *g, int fd, uint64_t start, uint64_t size_bytes, unsigned perm,
                                  uint64_t offset)
{
    struct stat sb;
    if (fstat(fd, &sb) != 0 || !(S_ISREG(sb.st_mode) || S_ISBLK(sb.st_mode)))
        return -ENODEV;
    int access_mode = fcntl(fd, F_GETFL) & O_ACCMODE;
    if (access_mode == O_WRONLY || ((perm & MEM_SHARED) && (perm & MEM_W) && access_mode != O_RDWR))
        return -EACCES;
    if (access_mode != O_RDWR && (perm & MEM_SHARED))
        perm = (perm & ~(unsigned)MEM_SHARED) | MEM_NOWRITE;
    int64_t r = memory_map_file(&g->hart.mem, start, size_bytes, perm, fd, offset) == ST_OK ? 0 : -errno;
    linux_discard_code(g, start, size_bytes);
    if (r == 0 && (perm & MEM_X) && !(perm & MEM_SHARED))
        note_library(g, fd, start, size_bytes, offset);
    return r;
}

static int64_t linux_mem_map_anonymous(struct guest *g, uint64_t start, uint64_t size_bytes, unsigned perm)
{
    if (!(perm & MEM_SHARED))
        return map_fresh(g, start, size_bytes, perm);
    enum status st = memory_map_file(&g->hart.mem, start, size_bytes, perm, -1, 0);
    linux_discard_code(g, start, size_bytes);
    return st == ST_OK ? 0 : -ENOMEM;
}

/* Finds room for code of the file (-1: none) in the code region, where no code of another file has been, while there is
 * such room: then an address belongs to one file for the whole run, and profiles by address can name it. */
static uint64_t find_code_gap(const struct guest *g, uint64_t size_bytes, int fd)
{
    const struct memory *m = &g->hart.mem;
    const struct guest_image *other;
    char path[PATH_MAX];
    uint64_t top = LINUX_CODE_TOP, start;
    (void)linux_descriptor_name(fd, path);
    while ((start = memory_find_gap(m, lowest, top, size_bytes)) != 0 &&
           (other = linux_other_image(g, path, start, size_bytes)) != NULL)
        top = other->start;
    return start != 0 ? start : memory_find_gap(m, lowest, LINUX_CODE_TOP, size_bytes);
}

/* Whether the guest's hint can be followed. */
static bool is_good_place(const struct guest *g, uint64_t start, uint64_t size_bytes, bool code, int fd)
{
    char path[PATH_MAX];
    if (start < lowest || !linux_mem_in_space(start, size_bytes) || !memory_is_free(&g->hart.mem, start, size_bytes))
        return false;
    (void)linux_descriptor_name(fd, path);
    return !code || linux_other_image(g, path, start, size_bytes) == NULL;
}

/* Chooses the address of a mapping. Mappings that are or may become code are placed in the code region while it has
 * space: executable memory, and private file mappings, because dynamic linkers map a library before setting the
 * permissions of its segments. */
static int64_t choose_place(struct guest *g, const uint64_t *a, uint64_t size_bytes, int fd, uint64_t *start)
{
    uint64_t flags = a[3];
    if (flags & (GUEST_MAP_FIXED | GUEST_MAP_FIXED_NOREPLACE)) {
        *start = a[0];
        if (!aligned(a[0]))
            return -EINVAL;
        if (!linux_mem_in_space(a[0], size_bytes))
            return -ENOMEM;
        if (a[0] < lowest)
            return -EPERM;
        if ((flags & GUEST_MAP_FIXED_NOREPLACE) && !memory_is_free(&g->hart.mem, a[0], size_bytes))
            return -EEXIST;
        return 0;
    }
    bool code = (a[2] & GUEST_PROT_EXEC) != 0 ||
                ((flags & GUEST_MAP_TYPE) == GUEST_MAP_PRIVATE && (flags & GUEST_MAP_ANONYMOUS) == 0);
    *start = a[0] & ~(uint64_t)(MEM_PAGE_BYTES - 1);
    if (is_good_place(g, *start, size_bytes, code, fd))
        return 0;
    *start = code ? find_code_gap(g, size_bytes, fd) : 0;
    if (*start == 0)
        *start = memory_find_gap(&g->hart.mem, lowest, LINUX_MMAP_TOP, size_bytes);
    return *start != 0 ? 0 : -ENOMEM;
}

/* Maps a file of the host, or without one (-1) anonymous memory. */
int64_t linux_map_host(struct guest *g, const uint64_t *a, int fd)
{
    uint64_t type = a[3] & GUEST_MAP_TYPE, size_bytes = linux_mem_page_up(a[1]), start;
    unsigned perm = linux_mem_permissions(a[2]) | (type == GUEST_MAP_PRIVATE ? 0u : MEM_SHARED);
    int64_t r = choose_place(g, a, size_bytes, fd, &start);
    if (r == 0)
        r = fd < 0 ? linux_mem_map_anonymous(g, start, size_bytes, perm)
                   : linux_mem_map_file(g, fd, start, size_bytes, perm, a[5]);
    return r < 0 ? r : (int64_t)start;
}

int64_t sys_mmap(struct guest *g, const uint64_t *a)
{
    uint64_t type = a[3] & GUEST_MAP_TYPE;
    bool anonymous = (a[3] & GUEST_MAP_ANONYMOUS) != 0;
    if (a[1] == 0 || (a[2] & ~(uint64_t)GUEST_PROT_ALL) != 0 || type == 0 || type > 3 || !aligned(a[5]))
        return -EINVAL;
    if (a[1] > space_bytes)
        return -ENOMEM;
    int fd = anonymous ? -1 : linux_fd(g, a[4]);
    return anonymous || fd >= 0 ? linux_map_host(g, a, fd) : fd;
}

int64_t sys_munmap(struct guest *g, const uint64_t *a)
{
    uint64_t size_bytes = linux_mem_page_up(a[1]);
    if (!aligned(a[0]) || a[1] == 0 || a[1] > space_bytes || !linux_mem_in_space(a[0], size_bytes))
        return -EINVAL;
    return unmap(g, a[0], size_bytes);
}

int64_t sys_mprotect(struct guest *g, const uint64_t *a)
{
    struct memory *m = &g->hart.mem;
    uint64_t size_bytes = linux_mem_page_up(a[1]);
    if (!aligned(a[0]) || (a[2] & ~(uint64_t)GUEST_PROT_ALL) != 0 || (a[2] & GUEST_PROT_GROWS) == GUEST_PROT_GROWS)
        return -EINVAL;
    if (a[1] == 0)
        return 0;
    if (a[1] > space_bytes || !memory_allows_slow(m, a[0], size_bytes, MEM_MAPPED))
        return -ENOMEM;
    for (uint64_t at = a[0]; (a[2] & GUEST_PROT_WRITE) && at < a[0] + size_bytes; at += MEM_PAGE_BYTES)
        if (m->perm[at >> MEM_PAGE_BITS] & MEM_NOWRITE)
            return -EACCES;
    if (!memory_protect(m, a[0], size_bytes, linux_mem_permissions(a[2])))
        return -ENOMEM;
    linux_discard_code(g, a[0], size_bytes);
    return 0;
}

static int64_t move_mapping(struct guest *g, uint64_t from, uint64_t old_bytes, uint64_t to, uint64_t new_bytes)
{
    struct memory *m = &g->hart.mem;
    unsigned perm = m->perm[from >> MEM_PAGE_BITS];
    linux_discard_code(g, from, old_bytes);
    linux_discard_code(g, to, new_bytes);
    if (memory_move(m, from, old_bytes, to, new_bytes))
        return (int64_t)to;
    if ((perm & (MEM_SHARED | MEM_PLAIN)) != MEM_PLAIN)
        return -EFAULT;
    int64_t r = map_fresh(g, to, new_bytes, perm & (MEM_R | MEM_W | MEM_X));
    if (r < 0)
        return r;
    if (!memory_copy(m, to, from, old_bytes < new_bytes ? old_bytes : new_bytes))
        return -ENOMEM;
    (void)memory_unmap(m, from, old_bytes); /* without room it remains */
    return (int64_t)to;
}

/* Whether all pages have the permissions of the first: mremap does not take several mappings. The end of a shared
 * mapping that has grown is not plain; its host tells whether it is one. */
static bool is_one_mapping(const struct memory *m, uint64_t start, uint64_t size_bytes)
{
    enum { DIRECT = MEM_DIRECT_R | MEM_DIRECT_W, PLAIN = MEM_PLAIN | DIRECT };
    unsigned first = m->perm[start >> MEM_PAGE_BITS], ignored = MEM_TOUCHED | (first & MEM_SHARED ? PLAIN : 0u);
    for (uint64_t at = start; at < start + size_bytes; at += MEM_PAGE_BYTES)
        if ((m->perm[at >> MEM_PAGE_BITS] ^ first) & ~ignored)
            return false;
    return true;
}

int64_t sys_mremap(struct guest *g, const uint64_t *a)
{
    struct memory *m = &g->hart.mem;
    uint64_t from = a[0], old_bytes = linux_mem_page_up(a[1]), new_bytes = linux_mem_page_up(a[2]), flags = a[3],
             to = a[4];
    if (!aligned(from) || new_bytes == 0 || old_bytes == 0 || a[1] > space_bytes || a[2] > space_bytes ||
        (flags & ~(uint64_t)(GUEST_MREMAP_MAYMOVE | GUEST_MREMAP_FIXED)) != 0)
        return -EINVAL;
    if (!memory_allows_slow(m, from, old_bytes, MEM_MAPPED))
        return -EFAULT;
    if (flags & GUEST_MREMAP_FIXED) {
        bool overlap = to < from + old_bytes && from < to + new_bytes;
        if (!(flags & GUEST_MREMAP_MAYMOVE) || !aligned(to) || to < lowest || !linux_mem_in_space(to, new_bytes) ||
            overlap)
            return -EINVAL;
        if (!is_one_mapping(m, from, old_bytes < new_bytes ? old_bytes : new_bytes))
            return -EFAULT;
        return move_mapping(g, from, old_bytes, to, new_bytes);
    }
    if (new_bytes <= old_bytes) {
        int64_t r = unmap(g, from + new_bytes, old_bytes - new_bytes);
        return r < 0 ? r : (int64_t)from;
    }
    if (!is_one_mapping(m, from, old_bytes))
        return -EFAULT;
    uint64_t grow = new_bytes - old_bytes, end = from + old_bytes;
    /* Memory that is shared, or of a file, must stay one mapping of the host. */
    bool own = (m->perm[from >> MEM_PAGE_BITS] & (MEM_SHARED | MEM_PLAIN)) == MEM_PLAIN;
    if (own && linux_mem_in_space(end, grow) && memory_is_free(m, end, grow)) {
        int64_t r = map_fresh(g, end, grow, m->perm[from >> MEM_PAGE_BITS] & (MEM_R | MEM_W | MEM_X));
        return r < 0 ? r : (int64_t)from;
    }
    to = flags & GUEST_MREMAP_MAYMOVE ? memory_find_gap(m, lowest, LINUX_MMAP_TOP, new_bytes) : 0;
    return to == 0 ? -ENOMEM : move_mapping(g, from, old_bytes, to, new_bytes);
}

/* Advice of Linux 6.1, except that which stops the machine's use of a page. */
static bool is_advice(uint64_t advice)
{
    return advice <= GUEST_MADV_DONTNEED || (advice >= GUEST_MADV_FREE && advice <= GUEST_MADV_COLLAPSE);
}

int64_t sys_madvise(struct guest *g, const uint64_t *a)
{
    uint64_t size_bytes = linux_mem_page_up(a[1]);
    if (!is_advice((uint32_t)a[2]) || !aligned(a[0]) || a[1] > space_bytes || !linux_mem_in_space(a[0], size_bytes))
        return -EINVAL;
    if (size_bytes == 0)
        return 0;
    if (!memory_allows_slow(&g->hart.mem, a[0], size_bytes, MEM_MAPPED))
        return -ENOMEM;
    bool acts = a[2] == GUEST_MADV_DONTNEED || a[2] == GUEST_MADV_REMOVE || a[2] == GUEST_MADV_WIPEONFORK ||
                a[2] == GUEST_MADV_KEEPONFORK;
    if (!acts)
        return 0;
    linux_discard_code(g, a[0], size_bytes); /* the contents may change */
    int64_t r = linux_result(madvise(memory_at(&g->hart.mem, a[0]), size_bytes, (int)a[2]));
    if (a[2] == GUEST_MADV_REMOVE)
        linux_flush_code(g); /* other mappings of the file */
    return r;
}

int64_t sys_msync(struct guest *g, const uint64_t *a)
{
    if (!aligned(a[0]) || a[1] > space_bytes)
        return -EINVAL;
    uint64_t size_bytes = linux_mem_page_up(a[1]);
    if (linux_memory(g, a[0], size_bytes, MEM_MAPPED) == NULL)
        return -ENOMEM;
    return linux_result(msync(memory_at(&g->hart.mem, a[0]), size_bytes, (int)a[2])); /* flags are equal on all hosts */
}

bool linux_accepts_flush(uint64_t flags)
{
    enum { THREAD_ALONE = 1 };
    return (flags & ~(uint64_t)THREAD_ALONE) == 0;
}

/* The range is ignored, as in Linux. A flush for the calling thread alone is one for all. */
int64_t sys_riscv_flush_icache(struct guest *g, const uint64_t *a)
{
    if (!linux_accepts_flush(a[2]))
        return -EINVAL;
    linux_flush_code(g);
    return 0;
}

/* Locks have no effect, because paging is not modelled. */
static int64_t lock_range(struct guest *g, uint64_t addr, uint64_t size_bytes)
{
    uint64_t start = addr & ~(uint64_t)(MEM_PAGE_BYTES - 1), end = linux_mem_page_up(addr + size_bytes);
    if (end < start)
        return -EINVAL;
    return end == start || memory_allows_slow(&g->hart.mem, start, end - start, MEM_MAPPED) ? 0 : -ENOMEM;
}

int64_t sys_mlock(struct guest *g, const uint64_t *a) { return lock_range(g, a[0], a[1]); }
int64_t sys_munlock(struct guest *g, const uint64_t *a) { return lock_range(g, a[0], a[1]); }

int64_t sys_mlock2(struct guest *g, const uint64_t *a)
{
    enum { ON_FAULT = 1 };
    return (uint32_t)a[2] & ~(uint32_t)ON_FAULT ? -EINVAL : lock_range(g, a[0], a[1]);
}

int64_t sys_mlockall(struct guest *g, const uint64_t *a)
{
    enum { CURRENT = 1, FUTURE = 2, ON_FAULT = 4 };
    (void)g;
    return a[0] == 0 || a[0] == ON_FAULT || a[0] > (CURRENT | FUTURE | ON_FAULT) ? -EINVAL : 0;
}

int64_t sys_munlockall(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return 0;
}

/* Every mapped page is resident, whatever the host has paged in. */
int64_t sys_mincore(struct guest *g, const uint64_t *a)
{
    if (!aligned(a[0]))
        return -EINVAL;
    if (a[1] > space_bytes)
        return -ENOMEM;
    uint64_t size_bytes = linux_mem_page_up(a[1]), pages = size_bytes >> MEM_PAGE_BITS;
    if (linux_memory(g, a[2], pages, MEM_W) == NULL)
        return -EFAULT;
    if (pages > 0 && !memory_allows_slow(&g->hart.mem, a[0], size_bytes, MEM_MAPPED))
        return -ENOMEM;
    uint8_t part[MEM_PAGE_BYTES];
    memset(part, 1, sizeof part);
    for (uint64_t done = 0, n; done < pages; done += n) {
        n = pages - done < sizeof part ? pages - done : sizeof part;
        if (linux_put(g, a[2] + done, part, n) != 0)
            return -EFAULT;
    }
    return 0;
}
