/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/gdb/breaks.h"

#include <errno.h>

static const uint8_t ebreak[2][4] = {{0x02, 0x90}, {0x73, 0x00, 0x10, 0x00}}; /* c.ebreak, ebreak */

static const uint8_t *code_of(const struct gdb_point *p) { return ebreak[p->size_bytes == 4]; }

static bool is_watch(const struct gdb_point *p) { return p->kind >= GDB_WATCH_WRITE; }

/* Index of an equal one; `count` if there is none. */
static size_t find_point(const struct gdb_point *list, size_t count, const struct gdb_point *p)
{
    size_t i = 0;
    while (i < count &&
           (list[i].address != p->address || list[i].size_bytes != p->size_bytes || list[i].kind != p->kind))
        i++;
    return i;
}

static int insert_watch(struct gdb_breaks *b, const struct gdb_point *p)
{
    if (p->size_bytes == 0)
        return EINVAL;
    if (find_point(b->watches, b->watch_count, p) < b->watch_count)
        return 0;
    if (b->watch_count == GDB_WATCHES_MAX)
        return ENOSPC;
    b->watches[b->watch_count++] = *p;
    return 0;
}

int gdb_breaks_insert(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p)
{
    if (is_watch(p))
        return insert_watch(b, p);
    if (p->address % 2 != 0 || (p->size_bytes != 2 && p->size_bytes != 4))
        return EINVAL;
    if (find_point(b->breaks, b->break_count, p) < b->break_count)
        return 0;
    if (b->break_count == GDB_BREAKS_MAX)
        return ENOSPC;
    struct gdb_point *new = &b->breaks[b->break_count];
    *new = *p;
    if (guest_read_bytes(g, p->address, new->replaced, p->size_bytes) != p->size_bytes ||
        guest_write_bytes(g, p->address, code_of(p), p->size_bytes) != p->size_bytes)
        return EFAULT;
    b->break_count++;
    return 0;
}

/* Removes the breakpoint: the memory has what it had before. Those that were set later at the same place have its
 * ebreak as what they replace. */
static void remove_break(struct gdb_breaks *b, struct guest *g, size_t i)
{
    const struct gdb_point gone = b->breaks[i];
    for (size_t k = i + 1; k < b->break_count; k++) {
        struct gdb_point *later = &b->breaks[k];
        for (size_t n = 0; n < later->size_bytes; n++)
            if (later->address + n - gone.address < gone.size_bytes)
                later->replaced[n] = gone.replaced[later->address + n - gone.address];
        b->breaks[k - 1] = *later;
    }
    b->break_count--;
    (void)guest_write_bytes(g, gone.address, gone.replaced, gone.size_bytes);
    for (size_t k = 0; k < b->break_count; k++) {
        const struct gdb_point *p = &b->breaks[k];
        if (p->address - gone.address < gone.size_bytes || gone.address - p->address < p->size_bytes)
            (void)guest_write_bytes(g, p->address, code_of(p), p->size_bytes);
    }
}

int gdb_breaks_remove(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p)
{
    const size_t i = is_watch(p) ? find_point(b->watches, b->watch_count, p) : find_point(b->breaks, b->break_count, p);
    if (!is_watch(p) && i < b->break_count)
        remove_break(b, g, i);
    else if (is_watch(p) && i < b->watch_count)
        b->watches[i] = b->watches[--b->watch_count];
    return 0;
}

void gdb_breaks_remove_all(struct gdb_breaks *b, struct guest *g)
{
    while (b->break_count > 0)
        remove_break(b, g, b->break_count - 1);
    gdb_breaks_forget(b);
}

void gdb_breaks_forget(struct gdb_breaks *b) { b->break_count = b->watch_count = 0; }

const struct gdb_point *gdb_breaks_at(const struct gdb_breaks *b, uint64_t pc)
{
    for (size_t i = 0; i < b->break_count; i++)
        if (b->breaks[i].address == pc)
            return &b->breaks[i];
    return NULL;
}

/* The last one has what was in memory when it was set, ebreaks of earlier ones included. */
size_t gdb_breaks_read(const struct gdb_breaks *b, const struct guest *g, uint64_t address, void *to, size_t size_bytes)
{
    const size_t done = guest_read_bytes(g, address, to, size_bytes);
    for (size_t i = b->break_count; i-- > 0;)
        for (size_t n = 0; n < b->breaks[i].size_bytes; n++)
            if (b->breaks[i].address + n - address < done)
                ((uint8_t *)to)[b->breaks[i].address + n - address] = b->breaks[i].replaced[n];
    return done;
}

size_t gdb_breaks_write(struct gdb_breaks *b, struct guest *g, uint64_t address, const void *from, size_t size_bytes)
{
    const size_t done = guest_write_bytes(g, address, from, size_bytes);
    for (size_t i = 0; i < b->break_count; i++) {
        struct gdb_point *p = &b->breaks[i];
        bool overlaps = false;
        for (size_t n = 0; n < p->size_bytes; n++)
            if (p->address + n - address < done) {
                p->replaced[n] = ((const uint8_t *)from)[p->address + n - address];
                overlaps = true;
            }
        if (overlaps)
            (void)guest_write_bytes(g, p->address, code_of(p), p->size_bytes);
    }
    return done;
}

const struct gdb_point *gdb_breaks_met(const struct gdb_breaks *b, const struct gdb_access *a)
{
    for (size_t i = 0; i < b->watch_count; i++) {
        const struct gdb_point *p = &b->watches[i];
        const bool kind = (p->kind != GDB_WATCH_WRITE && a->reads) || (p->kind != GDB_WATCH_READ && a->writes);
        if (kind && (a->address - p->address < p->size_bytes || p->address - a->address < a->size_bytes))
            return p;
    }
    return NULL;
}
