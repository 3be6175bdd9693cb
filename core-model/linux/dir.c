/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directory reading. Entries are sorted by name, so the order is the same on every host. A directory is read completely
 * at a call at its beginning. An offset in it is the number of entries returned so far: that of the host's open file,
 * which descriptors and processes share. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

/* struct linux_dirent64; the name follows. */
struct dir_entry {
    uint64_t ino;
    int64_t next;
    uint16_t size_bytes;
    uint8_t type;
    char name[];
};

struct linux_dir {
    uint8_t *data;
    struct dir_entry **entry;
    size_t count;
};

void linux_dir_drop(struct guest *g, uint32_t fd)
{
    struct linux_dir *dir = g->files->dir[fd];
    if (dir == NULL)
        return;
    free(dir->data);
    free(dir->entry);
    free(dir);
    g->files->dir[fd] = NULL;
}

static int dir_by_name(const void *a, const void *b)
{
    return strcmp((*(struct dir_entry *const *)a)->name, (*(struct dir_entry *const *)b)->name);
}

static int64_t read_from(int host_fd, struct linux_dir *dir, size_t *size_bytes)
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

/* Reads by another open file, whose offset is the host's. A directory that cannot be searched is read by the guest's,
 * whose offset is `begin`. */
static int64_t read_all(int host_fd, off_t begin, struct linux_dir *dir, size_t *size_bytes)
{
    const int own = openat(host_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int64_t r = read_from(own >= 0 ? own : host_fd, dir, size_bytes);
    if (own >= 0)
        close(own);
    else
        (void)lseek(host_fd, begin, SEEK_SET);
    return r;
}

/* Replaces the names with numbers of a folder (processes, threads, descriptors or processors) and removes those of its
 * other names that the guest does not have. */
static void replace_entries(struct linux_dir *dir, size_t *size_bytes, const struct proc_listing *listing)
{
    enum { ENTRY_BYTES = 32 };
    size_t kept = 0, prefix_bytes = strlen(listing->prefix), count = listing->count;
    uint8_t type = DT_DIR;
    for (size_t at = 0, next; at < *size_bytes; at = next) {
        const struct dir_entry *e = (const struct dir_entry *)(const void *)(dir->data + at);
        next = at + e->size_bytes;
        char first = strncmp(e->name, listing->prefix, prefix_bytes) == 0 ? e->name[prefix_bytes] : '\0';
        bool is_number = first >= '0' && first <= '9';
        type = is_number ? e->type : type;
        bool is_known = e->name[0] == '.' || (listing->has != NULL && listing->has(e->name));
        if (!is_number && is_known) {
            memmove(dir->data + kept, dir->data + at, next - at);
            kept += next - at;
        }
    }
    dir->data = xrealloc(dir->data, kept + count * ENTRY_BYTES + 1);
    for (size_t i = 0; i < count; i++, kept += ENTRY_BYTES) {
        struct dir_entry *e = (struct dir_entry *)(void *)(dir->data + kept);
        memset(e, 0, ENTRY_BYTES); /* the guest receives the bytes behind the name, too */
        *e = (struct dir_entry){.ino = UINT64_C(1) << 32 | listing->number[i], .size_bytes = ENTRY_BYTES, .type = type};
        snprintf(e->name, ENTRY_BYTES - offsetof(struct dir_entry, name), "%s%" PRIu32, listing->prefix,
                 listing->number[i]);
    }
    *size_bytes = kept;
}

/* The folder above a root is the root. */
static void name_root(const struct guest *g, int host_fd, struct linux_dir *dir, size_t size_bytes)
{
    struct stat sb;
    if (g->names->sysroot == NULL || fstat(host_fd, &sb) != 0 || !linux_root_numbers(g->names, &sb.st_dev, &sb.st_ino))
        return;
    for (size_t at = 0; at < size_bytes;) {
        struct dir_entry *e = (struct dir_entry *)(void *)(dir->data + at);
        if (strcmp(e->name, ".") == 0 || strcmp(e->name, "..") == 0)
            e->ino = sb.st_ino;
        at += e->size_bytes;
    }
}

static void sort_entries(struct linux_dir *dir, size_t size_bytes)
{
    for (size_t at = 0; at < size_bytes; at += ((struct dir_entry *)(void *)(dir->data + at))->size_bytes)
        dir->count++;
    dir->entry = xcalloc(dir->count, sizeof *dir->entry);
    size_t at = 0;
    for (size_t i = 0; i < dir->count; i++) {
        dir->entry[i] = (struct dir_entry *)(void *)(dir->data + at);
        at += dir->entry[i]->size_bytes;
    }
    qsort(dir->entry, dir->count, sizeof *dir->entry, dir_by_name);
    for (size_t i = 0; i < dir->count; i++)
        dir->entry[i]->next = (int64_t)i + 1;
}

static int64_t open_dir(struct guest *g, uint32_t fd, int host_fd, off_t begin)
{
    size_t size_bytes;
    linux_dir_drop(g, fd);
    g->files->dir[fd] = xcalloc(1, sizeof *g->files->dir[fd]);
    int64_t r = read_all(host_fd, begin, g->files->dir[fd], &size_bytes);
    if (r < 0) {
        linux_dir_drop(g, fd);
        return r;
    }
    struct proc_listing listing = linux_proc_list(g, host_fd);
    if (listing.prefix != NULL)
        replace_entries(g->files->dir[fd], &size_bytes, &listing);
    free(listing.number);
    name_root(g, host_fd, g->files->dir[fd], size_bytes);
    sort_entries(g->files->dir[fd], size_bytes);
    return r;
}

/* Gives the guest the entries from a position on for which there is room. Returns their size in bytes. */
static int64_t put_entries(struct guest *g, const struct linux_dir *dir, off_t *position, uint64_t to, uint64_t room)
{
    uint64_t done = 0;
    for (; (size_t)*position < dir->count; ++*position) {
        const struct dir_entry *e = dir->entry[*position];
        if (e->size_bytes > room - done)
            return done > 0 ? (int64_t)done : -EINVAL;
        if (linux_put(g, to + done, e, e->size_bytes) != 0)
            return done > 0 ? (int64_t)done : -EFAULT;
        done += e->size_bytes;
    }
    return (int64_t)done;
}

int64_t sys_getdents64(struct guest *g, const uint64_t *a)
{
    uint32_t fd = (uint32_t)a[0];
    int host_fd = linux_fd(g, a[0]);
    if (host_fd < 0)
        return host_fd;
    if (linux_memory(g, a[1], a[2], MEM_W) == NULL)
        return -EFAULT;
    struct stat sb;
    if (fstat(host_fd, &sb) != 0 || !S_ISDIR(sb.st_mode))
        return -ENOTDIR;
    const off_t begin = lseek(host_fd, 0, SEEK_CUR);
    int64_t r = begin < 0 ? -errno : begin == 0 || g->files->dir[fd] == NULL ? open_dir(g, fd, host_fd, begin) : 0;
    if (r < 0)
        return r;
    off_t position = begin;
    r = put_entries(g, g->files->dir[fd], &position, a[1], a[2]);
    return r < 0 || lseek(host_fd, position, SEEK_SET) >= 0 ? r : -errno;
}
