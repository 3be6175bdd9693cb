/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/file_tail.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/linux.h"

struct file_tail {
    int fd; /* a copy of the descriptor */
    uint64_t start, size_bytes, offset;
};

static void remove_at(struct linux_state *os, size_t index)
{
    close(os->tail[index].fd);
    os->tail[index] = os->tail[--os->tails];
}

void linux_tail_add(struct guest *g, int host_fd, uint64_t start, uint64_t size_bytes, uint64_t offset)
{
    int fd = fcntl(host_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0)
        return;
    g->os->tail = xgrow(g->os->tail, g->os->tails, sizeof *g->os->tail);
    g->os->tail[g->os->tails++] = (struct file_tail){fd, start, size_bytes, offset};
}

void linux_tails_drop(struct linux_state *os, uint64_t start, uint64_t size_bytes)
{
    for (size_t i = os->tails; i-- > 0;)
        if (os->tail[i].start < start + size_bytes && start < os->tail[i].start + os->tail[i].size_bytes)
            remove_at(os, i);
}

/* Maps the pages that are in the file now; the permissions may differ from page to page. */
static void map_pages(struct guest *g, struct file_tail *t, uint64_t size_bytes)
{
    struct memory *m = &g->hart.mem;
    for (uint64_t at = 0; at < size_bytes; at += MEM_PAGE_BYTES) {
        unsigned perm = m->perm[(t->start + at) >> MEM_PAGE_BITS] & (MEM_R | MEM_W | MEM_X | MEM_NOWRITE);
        if (memory_map_file(m, t->start + at, MEM_PAGE_BYTES, perm, t->fd, t->offset + at) != ST_OK)
            BUG("cannot map the end of a file");
    }
    rv_discard_code(&g->hart, t->start, size_bytes);
    t->start += size_bytes, t->offset += size_bytes, t->size_bytes -= size_bytes;
}

void linux_tails_update(struct guest *g)
{
    for (size_t i = g->os->tails; i-- > 0;) {
        struct file_tail *t = &g->os->tail[i];
        struct stat sb;
        if (fstat(t->fd, &sb) != 0 || (uint64_t)sb.st_size <= t->offset)
            continue;
        uint64_t grown = ((uint64_t)sb.st_size - t->offset + MEM_PAGE_BYTES - 1) & ~(uint64_t)(MEM_PAGE_BYTES - 1);
        map_pages(g, t, grown < t->size_bytes ? grown : t->size_bytes);
        if (t->size_bytes == 0)
            remove_at(g->os, i);
    }
}
