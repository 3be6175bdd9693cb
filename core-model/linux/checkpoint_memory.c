/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a guest in a checkpoint: its pages by permissions, the files that are mapped, and the contents of pages
 * that are neither zero nor those of a file. Source: proc_pid_pagemap(5). */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/checkpoint_parts.h"
#include "core-model/linux/proc_maps.h"
#include "core-model/linux/space.h"

enum { STORED_PERM = MEM_R | MEM_W | MEM_X | MEM_MAPPED | MEM_SHARED | MEM_TOUCHED | MEM_NOWRITE | MEM_PLAIN };
_Static_assert((int)CHECKPOINT_PAGE_BYTES == (int)MEM_PAGE_BYTES, "a page of a checkpoint is one of the guest");

/* Pages with the same permissions. */
struct perm_run {
    uint64_t page, count;
    uint16_t perm; /* of STORED_PERM */
};

/* Memory that is shared without a file, on Linux. */
static bool is_shared_anonymous(const struct file_mapping *m) { return strcmp(m->path, "/dev/zero (deleted)") == 0; }

/* ---- writing ---- */

enum status linux_check_mappings(const struct guest *g, const struct file_mapping *list, size_t count,
                                 struct errmsg *err)
{
    for (size_t i = 0; i < count; i++) {
        const struct file_mapping *m = &list[i];
        struct stat sb;
        if (is_shared_anonymous(m))
            continue;
        if (m->is_shared)
            return fail(err, ST_UNMET, "the file %s is mapped to be written, at 0x%" PRIx64, m->path, m->start);
        if (stat(m->path, &sb) != 0 || !S_ISREG(sb.st_mode) || sb.st_ino != m->inode)
            return fail(err, ST_UNMET, "the file mapped at 0x%" PRIx64 " has no name any more, %s", m->start, m->path);
    }
    for (size_t i = 0; i < count; i++)
        for (uint64_t at = list[i].start; is_shared_anonymous(&list[i]) && at < list[i].end; at += MEM_PAGE_BYTES)
            if (!(g->hart.mem.perm[at >> MEM_PAGE_BITS] & MEM_PLAIN))
                return fail(err, ST_UNMET, "shared memory at 0x%" PRIx64 " has been enlarged by mremap", at);
    return ST_OK;
}

/* The next run from r->page + r->count on; false: there is none. */
static bool next_run(const struct memory *m, struct perm_run *r)
{
    uint64_t page = memory_next_mapped(m, r->page + r->count);
    if (page >= MEM_PAGES)
        return false;
    r->page = page;
    r->perm = m->perm[page] & STORED_PERM;
    while (page < MEM_PAGES && (m->perm[page] & STORED_PERM) == r->perm)
        page++;
    r->count = page - r->page;
    return true;
}

static void move_file_mapping(struct file_mapping *m, struct checkpoint_stream *s)
{
    const uint64_t end = UINT64_C(1) << MEM_ADDRESS_BITS;
    char *path = m->path;
    m->start = checkpoint_move(s, m->start, 0, end);
    m->end = checkpoint_move(s, m->end, m->start, end);
    m->offset = checkpoint_move(s, m->offset, 0, INT64_MAX);
    CHECKPOINT_MOVE(s, m->inode);
    CHECKPOINT_MOVE(s, m->is_shared);
    checkpoint_move_text(s, &path);
    if (!s->reads)
        return;
    if (((m->start | m->end | m->offset) & (MEM_PAGE_BYTES - 1)) != 0 || m->start == m->end)
        checkpoint_refuse(s, "expected a mapping of whole pages at 0x%" PRIx64, m->start);
    if (path == NULL || strlen(path) >= sizeof m->path)
        checkpoint_refuse(s, "expected the path of a mapped file");
    else
        strcpy(m->path, path);
    if (!s->failed && m->is_shared != is_shared_anonymous(m))
        checkpoint_refuse(s, "expected a private mapping of a file, or shared memory without one");
    free(path);
}

void linux_write_layout(struct guest *g, const struct file_mapping *list, size_t count, struct checkpoint_stream *s)
{
    uint64_t runs = 0;
    checkpoint_section(s, "the memory");
    for (struct perm_run r = {0}; next_run(&g->hart.mem, &r);)
        runs++;
    checkpoint_move(s, runs, 0, MEM_PAGES);
    for (struct perm_run r = {0}; next_run(&g->hart.mem, &r);) {
        checkpoint_move(s, r.page, 0, MEM_PAGES);
        checkpoint_move(s, r.count, 0, MEM_PAGES);
        checkpoint_move(s, r.perm, 0, STORED_PERM);
    }
    checkpoint_move(s, count, 0, MEM_PAGES);
    for (size_t i = 0; i < count; i++) {
        struct file_mapping m = list[i];
        move_file_mapping(&m, s);
    }
}

static bool is_zero_page(const uint8_t *page)
{
    return page[0] == 0 && memcmp(page, page + 1, MEM_PAGE_BYTES - 1) == 0;
}

/* What the host's page table says of guest pages: by blocks of the file pagemap. */
struct page_map {
    int fd; /* -1: nothing is known */
    const uint8_t *base;
    bool has_entries;
    uint64_t first, entry[512]; /* of the page `first` and those behind it */
};

/* Whether the page may have contents of its own: it is in memory or swapped, and not a page of a file. */
static bool page_is_own(struct page_map *map, uint64_t page)
{
    enum { ENTRIES = sizeof map->entry / sizeof map->entry[0] };
    const uint64_t present = UINT64_C(1) << 63, swapped = UINT64_C(1) << 62, of_file = UINT64_C(1) << 61;
    if (map->fd < 0)
        return true;
    if (!map->has_entries || page - map->first >= ENTRIES) {
        const uint64_t at = (((uintptr_t)map->base >> MEM_PAGE_BITS) + page) * sizeof map->entry[0];
        map->first = page;
        map->has_entries = true;
        if (pread(map->fd, map->entry, sizeof map->entry, (off_t)at) != (ssize_t)sizeof map->entry) {
            close(map->fd);
            map->fd = -1;
            return true;
        }
    }
    const uint64_t e = map->entry[page - map->first];
    return (e & swapped) != 0 || (e & (present | of_file)) == present;
}

/* Pages of memory that is shared are the host's, in whatever way it holds them: all are read. */
static void put_perm_run(struct guest *g, const struct perm_run *r, struct page_map *map, struct checkpoint_writer *w)
{
    uint8_t page[MEM_PAGE_BYTES];
    for (uint64_t n = r->page; n < r->page + r->count; n++)
        if (((r->perm & MEM_SHARED) != 0 || page_is_own(map, n)) &&
            memory_read(&g->hart.mem, n << MEM_PAGE_BITS, page, sizeof page) &&
            (!(r->perm & MEM_PLAIN) || !is_zero_page(page)))
            checkpoint_put_page(w, n, page);
}

void linux_put_pages(struct guest *g, struct checkpoint_writer *w)
{
    struct page_map *map = xcalloc(1, sizeof *map);
    map->fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    map->base = g->hart.mem.base;
    for (struct perm_run r = {0}; next_run(&g->hart.mem, &r);)
        put_perm_run(g, &r, map, w);
    if (map->fd >= 0)
        close(map->fd);
    free(map);
}

/* ---- reading ---- */

/* The layout that a checkpoint has. */
struct saved_layout {
    struct perm_run *run;
    size_t runs;
    struct file_mapping *mapping;
    size_t mappings;
};

static void read_perm_runs(struct saved_layout *l, struct checkpoint_stream *s)
{
    enum { RUN_BYTES = 24 };
    uint64_t next = 0;
    const uint64_t runs = checkpoint_move(s, 0, 0, (s->size - s->at) / RUN_BYTES);
    l->run = xcalloc(runs + 1, sizeof *l->run);
    for (; l->runs < runs && !s->failed; l->runs++) {
        struct perm_run *r = &l->run[l->runs];
        r->page = checkpoint_move(s, 0, next, MEM_PAGES - 1);
        r->count = checkpoint_move(s, 0, 1, MEM_PAGES - r->page);
        r->perm = (uint16_t)checkpoint_move(s, 0, MEM_MAPPED, STORED_PERM);
        if ((r->perm & ~STORED_PERM) != 0 || !(r->perm & MEM_MAPPED) || (r->perm & (MEM_R | MEM_W)) == MEM_W)
            checkpoint_refuse(s, "expected permissions of a page, found 0x%x", r->perm);
        next = r->page + r->count;
    }
}

static void read_mappings(struct saved_layout *l, struct checkpoint_stream *s)
{
    enum { MAPPING_BYTES = 56 };
    const uint64_t mappings = checkpoint_move(s, 0, 0, (s->size - s->at) / MAPPING_BYTES);
    uint64_t end = 0;
    for (uint64_t i = 0; i < mappings && !s->failed; i++) {
        l->mapping = xgrow(l->mapping, l->mappings, sizeof *l->mapping);
        struct file_mapping *m = &l->mapping[l->mappings++];
        *m = (struct file_mapping){0};
        move_file_mapping(m, s);
        if (!s->failed && m->start < end)
            checkpoint_refuse(s, "expected mappings in the order of their addresses, found 0x%" PRIx64, m->start);
        end = m->end;
    }
}

static enum status map_runs(struct guest *g, const struct saved_layout *l, const char *name, struct errmsg *err)
{
    for (size_t i = 0; i < l->runs; i++) {
        const struct perm_run *r = &l->run[i];
        if (memory_map(&g->hart.mem, r->page << MEM_PAGE_BITS, r->count << MEM_PAGE_BITS,
                       r->perm & (MEM_R | MEM_W | MEM_X)) != ST_OK)
            return fail(err, ST_IO, "%s: cannot map 0x%" PRIx64 " pages at 0x%" PRIx64 ": %s", name, r->count,
                        r->page << MEM_PAGE_BITS, strerror(errno));
    }
    return ST_OK;
}

/* Maps a file, or shared memory: mappings of the same memory that follow one another are one. Returns their number. */
static size_t map_one(struct guest *g, const struct saved_layout *l, size_t i, const char *name, enum status *st,
                      struct errmsg *err)
{
    const struct file_mapping *m = &l->mapping[i];
    const bool anonymous = is_shared_anonymous(m);
    size_t n = 1;
    uint64_t end = m->end;
    for (; anonymous && i + n < l->mappings && is_shared_anonymous(m + n) && m[n].start == end &&
           m[n].inode == m->inode && m[n].offset == m->offset + (end - m->start);
         n++)
        end = m[n].end;
    if (!memory_allows_slow(&g->hart.mem, m->start, end - m->start, MEM_MAPPED)) {
        *st = fail(err, ST_FORMAT, "%s: the mapping at 0x%" PRIx64 " has pages that are not mapped", name, m->start);
        return n;
    }
    struct stat sb;
    const int fd = anonymous ? -1 : open(m->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    const bool is_file = fd >= 0 && fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode);
    if (!anonymous && !is_file)
        *st = fail(err, ST_INPUT, "%s: expected the mapped file %s: %s", name, m->path,
                   fd < 0 ? strerror(errno) : "it is no regular file");
    else if (memory_map_file(&g->hart.mem, m->start, end - m->start, MEM_R | MEM_W | (anonymous ? MEM_SHARED : 0u), fd,
                             anonymous ? 0 : m->offset) != ST_OK)
        *st = fail(err, ST_IO, "%s: cannot map %s: %s", name, m->path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return n;
}

static enum status map_files(struct guest *g, const struct saved_layout *l, const char *name, struct errmsg *err)
{
    enum status st = ST_OK;
    for (size_t i = 0; i < l->mappings && st == ST_OK;)
        i += map_one(g, l, i, name, &st, err);
    return st;
}

/* The permissions of the run, where the pages of files have made it another. */
static bool protect_run(struct memory *m, const struct perm_run *r)
{
    enum { RIGHTS = MEM_R | MEM_W | MEM_X, OF_MAPPING = MEM_SHARED | MEM_PLAIN };
    for (uint64_t n = r->page, end; n < r->page + r->count; n = end) {
        const uint16_t now = m->perm[n] & STORED_PERM;
        for (end = n + 1; end < r->page + r->count && (m->perm[end] & STORED_PERM) == now;)
            end++;
        if (now == r->perm)
            continue;
        if (((now ^ r->perm) & OF_MAPPING) != 0)
            return false;
        if (((now ^ r->perm) & RIGHTS) != 0 &&
            !memory_protect(m, n << MEM_PAGE_BITS, (end - n) << MEM_PAGE_BITS, r->perm & RIGHTS))
            return false;
        for (uint64_t page = n; page < end; page++)
            memory_set_page(m, page, r->perm);
    }
    return true;
}

static enum status protect_runs(struct guest *g, const struct saved_layout *l, const char *name, struct errmsg *err)
{
    for (size_t i = 0; i < l->runs; i++)
        if (!protect_run(&g->hart.mem, &l->run[i]))
            return fail(err, ST_FORMAT, "%s: the pages at 0x%" PRIx64 " cannot have the permissions 0x%x", name,
                        l->run[i].page << MEM_PAGE_BITS, l->run[i].perm);
    return ST_OK;
}

enum status linux_restore_layout(struct guest *g, struct checkpoint_stream *s, const char *name, struct errmsg *err)
{
    struct saved_layout l = {0};
    enum status st = ST_OK;
    checkpoint_section(s, "the memory");
    read_perm_runs(&l, s);
    read_mappings(&l, s);
    if (!s->failed) {
        st = map_runs(g, &l, name, err);
        if (st == ST_OK)
            st = map_files(g, &l, name, err);
        if (st == ST_OK)
            st = protect_runs(g, &l, name, err);
    }
    free(l.run);
    free(l.mapping);
    return st;
}

/* Plain pages that the guest may read are copied at once. The host is asked for all of them before, which takes less
 * time than a fault for each. */
static bool restore_range(void *ctx, uint64_t page, unsigned pages, const uint8_t *bytes)
{
    struct memory *m = ctx;
    const size_t size_bytes = (size_t)pages << MEM_PAGE_BITS;
    const uint64_t addr = page << MEM_PAGE_BITS;
    unsigned plain = 0;
    if (page >= MEM_PAGES || pages > MEM_PAGES - page)
        return false;
    while (plain < pages && (m->perm[page + plain] & MEM_DIRECT_R) != 0)
        plain++;
    if (plain == pages) {
        (void)madvise(memory_at(m, addr), size_bytes, MADV_POPULATE_WRITE);
        memcpy(memory_at(m, addr), bytes, size_bytes);
        return true;
    }
    for (unsigned n = 0; n < pages; n++)
        if (!(m->perm[page + n] & MEM_MAPPED) || !memory_write(m, addr + ((uint64_t)n << MEM_PAGE_BITS),
                                                               bytes + ((size_t)n << MEM_PAGE_BITS), MEM_PAGE_BYTES))
            return false;
    return true;
}

enum status linux_restore_pages(struct guest *g, struct checkpoint_reader *r, struct errmsg *err)
{
    return checkpoint_reader_pages(r, restore_range, &g->hart.mem, err);
}
