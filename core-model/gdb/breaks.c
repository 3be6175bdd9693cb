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

static bool insert_ebreak(const struct gdb_breaks *b, struct guest *g, struct gdb_point *p)
{
    p->inserted = gdb_breaks_read(b, g, p->address, p->replaced, p->size_bytes) == p->size_bytes &&
                  guest_write_bytes(g, p->address, code_of(p), p->size_bytes) == p->size_bytes;
    return p->inserted;
}

static int insert_break(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p, bool now)
{
    const size_t i = find_point(b->breaks, b->break_count, p);
    if (p->address % 2 != 0 || (p->size_bytes != 2 && p->size_bytes != 4))
        return EINVAL;
    if (i == GDB_BREAKS_MAX)
        return ENOSPC;
    if (i == b->break_count)
        b->breaks[i] = *p;
    struct gdb_point *new = &b->breaks[i];
    new->wanted = true;
    if (now && !new->inserted && !insert_ebreak(b, g, new))
        return EFAULT;
    b->break_count += i == b->break_count;
    return 0;
}

int gdb_breaks_insert(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p, bool now)
{
    return is_watch(p) ? insert_watch(b, p) : insert_break(b, g, p, now);
}

static bool overlaps(const struct gdb_point *a, const struct gdb_point *b)
{
    return a->address - b->address < b->size_bytes || b->address - a->address < a->size_bytes;
}

/* Removes the breakpoint: the memory has what it had before it. */
static void remove_break(struct gdb_breaks *b, struct guest *g, size_t i)
{
    const struct gdb_point gone = b->breaks[i];
    b->break_count--;
    b->breaks[i] = b->breaks[b->break_count];
    if (!gone.inserted)
        return;
    (void)guest_write_bytes(g, gone.address, gone.replaced, gone.size_bytes);
    for (size_t k = 0; k < b->break_count; k++) {
        const struct gdb_point *p = &b->breaks[k];
        if (p->inserted && overlaps(p, &gone))
            (void)guest_write_bytes(g, p->address, code_of(p), p->size_bytes);
    }
}

int gdb_breaks_remove(struct gdb_breaks *b, struct guest *g, const struct gdb_point *p, bool now)
{
    const size_t i = is_watch(p) ? find_point(b->watches, b->watch_count, p) : find_point(b->breaks, b->break_count, p);
    if (is_watch(p) && i < b->watch_count)
        b->watches[i] = b->watches[--b->watch_count];
    else if (!is_watch(p) && i < b->break_count && now)
        remove_break(b, g, i);
    else if (!is_watch(p) && i < b->break_count)
        b->breaks[i].wanted = false;
    return 0;
}

bool gdb_breaks_are_applied(const struct gdb_breaks *b)
{
    for (size_t i = 0; i < b->break_count; i++)
        if (b->breaks[i].inserted != b->breaks[i].wanted)
            return false;
    return true;
}

void gdb_breaks_apply(struct gdb_breaks *b, struct guest *g)
{
    for (size_t i = b->break_count; i-- > 0;)
        if (!b->breaks[i].wanted)
            remove_break(b, g, i);
    for (size_t i = b->break_count; i-- > 0;)
        if (!b->breaks[i].inserted && !insert_ebreak(b, g, &b->breaks[i]))
            remove_break(b, g, i);
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
        if (b->breaks[i].inserted && b->breaks[i].address == pc)
            return &b->breaks[i];
    return NULL;
}

size_t gdb_breaks_read(const struct gdb_breaks *b, const struct guest *g, uint64_t address, void *to, size_t size_bytes)
{
    const size_t done = guest_read_bytes(g, address, to, size_bytes);
    for (size_t i = 0; i < b->break_count; i++)
        for (size_t n = 0; b->breaks[i].inserted && n < b->breaks[i].size_bytes; n++)
            if (b->breaks[i].address + n - address < done)
                ((uint8_t *)to)[b->breaks[i].address + n - address] = b->breaks[i].replaced[n];
    return done;
}

size_t gdb_breaks_write(struct gdb_breaks *b, struct guest *g, uint64_t address, const void *from, size_t size_bytes)
{
    const size_t done = guest_write_bytes(g, address, from, size_bytes);
    for (size_t i = 0; i < b->break_count; i++) {
        struct gdb_point *p = &b->breaks[i];
        bool is_hit = false;
        for (size_t n = 0; p->inserted && n < p->size_bytes; n++)
            if (p->address + n - address < done) {
                p->replaced[n] = ((const uint8_t *)from)[p->address + n - address];
                is_hit = true;
            }
        if (is_hit)
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
