/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directory reading. Entries are sorted by name, so the order is the same on every host. A directory is read completely
 * at the first call; an offset in it is the number of entries returned so far. */
#include "core-model/linux/linux.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct linux_dirent64; the name follows. */
struct entry {
    uint64_t ino;
    int64_t next;
    uint16_t size_bytes;
    uint8_t type;
    char name[];
};

struct linux_dir {
    uint8_t *data;
    struct entry **entry;
    size_t count, position;
};

void linux_dir_drop(struct guest *g, uint32_t fd)
{
    struct linux_dir *dir = g->os->dir[fd];
    if (dir == NULL)
        return;
    free(dir->data);
    free(dir->entry);
    free(dir);
    g->os->dir[fd] = NULL;
}

bool linux_dir_seek(struct guest *g, uint32_t fd, int64_t offset, int whence)
{
    if (g->os->dir[fd] == NULL || whence != SEEK_SET || offset < 0)
        return false;
    if (offset == 0)
        linux_dir_drop(g, fd); /* rewinddir: reads the directory again */
    else
        g->os->dir[fd]->position = (size_t)offset;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct entry *const *)a)->name, (*(struct entry *const *)b)->name);
}

static int64_t read_all(int host_fd, struct linux_dir *dir, size_t *size_bytes)
{
    size_t capacity = 1 << 16;
    dir->data = xmalloc(capacity);
    *size_bytes = 0;
    if (lseek(host_fd, 0, SEEK_SET) < 0)
        return -errno;
    for (;;) {
        if (capacity - *size_bytes < capacity / 2)
            dir->data = xrealloc(dir->data, capacity *= 2);
        int64_t n = linux_result(syscall(SYS_getdents64, host_fd, dir->data + *size_bytes, capacity - *size_bytes));
        if (n <= 0)
            return n;
        *size_bytes += (size_t)n;
    }
}

static void sort_entries(struct linux_dir *dir, size_t size_bytes)
{
    for (size_t at = 0; at < size_bytes; at += ((struct entry *)(void *)(dir->data + at))->size_bytes)
        dir->count++;
    dir->entry = xcalloc(dir->count, sizeof *dir->entry);
    size_t at = 0;
    for (size_t i = 0; i < dir->count; i++) {
        dir->entry[i] = (struct entry *)(void *)(dir->data + at);
        at += dir->entry[i]->size_bytes;
    }
    qsort(dir->entry, dir->count, sizeof *dir->entry, by_name);
    for (size_t i = 0; i < dir->count; i++)
        dir->entry[i]->next = (int64_t)i + 1;
}

static int64_t open_dir(struct guest *g, uint32_t fd, int host_fd)
{
    size_t size_bytes;
    g->os->dir[fd] = xcalloc(1, sizeof *g->os->dir[fd]);
    int64_t r = read_all(host_fd, g->os->dir[fd], &size_bytes);
    if (r < 0)
        linux_dir_drop(g, fd);
    else
        sort_entries(g->os->dir[fd], size_bytes);
    return r;
}

int64_t sys_getdents64(struct guest *g, const uint64_t *a)
{
    uint32_t fd = (uint32_t)a[0];
    int host_fd = linux_fd(g, a[0]);
    if (host_fd < 0)
        return host_fd;
    uint8_t *out = linux_memory(g, a[1], a[2], MEM_W);
    if (out == NULL)
        return -EFAULT;
    int64_t r = g->os->dir[fd] == NULL ? open_dir(g, fd, host_fd) : 0;
    if (r < 0)
        return r;
    struct linux_dir *dir = g->os->dir[fd];
    size_t done = 0;
    for (; dir->position < dir->count; dir->position++) {
        const struct entry *e = dir->entry[dir->position];
        if (e->size_bytes > a[2] - done)
            return done > 0 ? (int64_t)done : -EINVAL;
        memcpy(out + done, e, e->size_bytes);
        done += e->size_bytes;
    }
    return (int64_t)done;
}
