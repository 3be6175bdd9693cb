/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System V shared memory. The segments are parts of one file without a name, and the table of segments is in memory
 * that all processes of the guest share, so the guest neither sees nor leaves segments of the host. A process that has
 * ended is found when its attachments are counted. Source: shmget(2), shmop(2), shmctl(2); Linux ipc/shm.c,
 * include/uapi/asm-generic/{ipcbuf,shmbuf}.h. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { SEGMENTS = 64, ATTACHMENTS = 512, ID_BITS = 15, PERMISSIONS = 0777, MARKED = 01000 };
static const uint64_t segment_bytes_max = UINT64_C(1) << 30;

struct segment {
    bool exists;
    int32_t key;
    uint16_t generation; /* of the identifier; counts the segments that had this place */
    uint32_t mode;       /* permissions, and MARKED for removal with the last attachment */
    uint32_t creator, last;
    uint64_t size_bytes, attach_s, detach_s, change_s; /* times in seconds */
};

struct attachment {
    int32_t host; /* process; 0: free */
    uint32_t segment;
    uint64_t addr;
};

struct linux_shm {
    _Atomic int32_t owner; /* host process that changes the table; 0: none */
    struct segment segment[SEGMENTS];
    struct attachment attachment[ATTACHMENTS];
};

/* Without the table or the file there is no room for a segment. */
void linux_shm_init(struct guest *g)
{
    struct linux_space *space = g->space;
    void *p = mmap(NULL, sizeof *space->shm, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int fd = memfd_create("segments", MFD_CLOEXEC);
    space->shm = p != MAP_FAILED ? p : NULL;
    space->shm_fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (fd >= 0)
        close(fd);
    if (space->shm_fd >= 0 && ftruncate(space->shm_fd, (off_t)(SEGMENTS * segment_bytes_max)) != 0) {
        close(space->shm_fd);
        space->shm_fd = -1;
    }
}

void linux_shm_fini(struct guest *g)
{
    if (g->space->shm != NULL)
        munmap(g->space->shm, sizeof *g->space->shm);
    if (g->space->shm_fd >= 0)
        close(g->space->shm_fd);
}

bool linux_shm_was_used(const struct guest *g)
{
    bool used = false;
    for (size_t i = 0; g->space->shm != NULL && i < SEGMENTS; i++)
        used |= g->space->shm->segment[i].exists || g->space->shm->segment[i].generation != 0;
    return used;
}

/* Whether the process has not ended. A zombie has. */
static bool is_alive(int32_t host)
{
    char path[32], state = 'X';
    snprintf(path, sizeof path, "/proc/%d/stat", host);
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return kill(host, 0) == 0;
    if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = 'X';
    fclose(f);
    return state != 'X' && state != 'Z';
}

static struct linux_shm *shm_lock(const struct guest *g)
{
    struct linux_shm *all = g->space->shm;
    int32_t self = getpid(), owner = 0;
    while (!atomic_compare_exchange_strong(&all->owner, &owner, self)) {
        if (!is_alive(owner) && atomic_compare_exchange_strong(&all->owner, &owner, self))
            break;
        sched_yield();
        owner = 0;
    }
    return all;
}

static void shm_unlock(struct linux_shm *all) { atomic_store(&all->owner, 0); }

static uint64_t seconds(const struct guest *g) { return linux_clock_ns(g) / 1000000000; }

static uint64_t shm_place_of(const struct linux_shm *all, const struct segment *s)
{
    return (uint64_t)(s - all->segment) * segment_bytes_max;
}

/* The number of attachments. A segment marked for removal is removed with the last. */
static uint64_t count_attachments(const struct guest *g, struct linux_shm *all, struct segment *s)
{
    uint64_t count = 0;
    for (struct attachment *a = all->attachment; a < all->attachment + ATTACHMENTS; a++) {
        if (a->host == 0 || a->segment != (uint32_t)(s - all->segment))
            continue;
        if (is_alive(a->host))
            count++;
        else
            a->host = 0;
    }
    if (count == 0 && s->exists && (s->mode & MARKED)) {
        s->exists = false;
        (void)fallocate(g->space->shm_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)shm_place_of(all, s),
                        (off_t)segment_bytes_max);
    }
    return count;
}

static int64_t id_of(const struct linux_shm *all, const struct segment *s)
{
    return (int64_t)s->generation << ID_BITS | (s - all->segment);
}

static struct segment *find_id(const struct guest *g, struct linux_shm *all, uint64_t id)
{
    uint32_t index = (uint32_t)id & ((1 << ID_BITS) - 1);
    struct segment *s = index < SEGMENTS ? &all->segment[index] : NULL;
    if (s == NULL || !s->exists || id_of(all, s) != (int64_t)(int32_t)id)
        return NULL;
    (void)count_attachments(g, all, s);
    return s->exists ? s : NULL;
}

/* All processes of the guest are of one user. */
static bool may_access(const struct segment *s, uint32_t wanted)
{
    uint32_t need = (wanted >> 6 | wanted >> 3 | wanted) & 7;
    return geteuid() == 0 || (need & ~(s->mode >> 6)) == 0;
}

static int64_t shm_create(struct guest *g, struct linux_shm *all, const uint64_t *a)
{
    struct segment *s = all->segment;
    if (a[1] == 0 || a[1] > segment_bytes_max)
        return -EINVAL;
    for (; s < all->segment + SEGMENTS; s++) {
        (void)count_attachments(g, all, s);
        if (!s->exists)
            break;
    }
    if (s == all->segment + SEGMENTS)
        return -ENOSPC;
    *s = (struct segment){.exists = true,
                          .key = (int32_t)a[0],
                          .generation = (uint16_t)((s->generation + 1) & INT16_MAX),
                          .mode = (uint32_t)a[2] & PERMISSIONS,
                          .creator = g->task->pid,
                          .size_bytes = a[1],
                          .change_s = seconds(g)};
    return id_of(all, s);
}

static int64_t find_or_create(struct guest *g, struct linux_shm *all, const uint64_t *a)
{
    struct segment *s = (int32_t)a[0] == IPC_PRIVATE ? all->segment + SEGMENTS : all->segment;
    while (s < all->segment + SEGMENTS && !(s->exists && s->key == (int32_t)a[0]))
        s++;
    if (s == all->segment + SEGMENTS)
        return (a[2] & IPC_CREAT) || (int32_t)a[0] == IPC_PRIVATE ? shm_create(g, all, a) : -ENOENT;
    if ((a[2] & IPC_CREAT) && (a[2] & IPC_EXCL))
        return -EEXIST;
    if (!may_access(s, (uint32_t)a[2] & PERMISSIONS))
        return -EACCES;
    return a[1] > s->size_bytes ? -EINVAL : id_of(all, s);
}

typedef int64_t table_call(struct guest *g, struct linux_shm *all, const uint64_t *a);

/* Makes the call with the table, if there is one. */
static int64_t with_table(struct guest *g, const uint64_t *a, table_call *call, int64_t otherwise)
{
    if (g->space->shm == NULL || g->space->shm_fd < 0)
        return otherwise;
    struct linux_shm *all = shm_lock(g);
    int64_t r = call(g, all, a);
    shm_unlock(all);
    return r;
}

int64_t sys_shmget(struct guest *g, const uint64_t *a) { return with_table(g, a, find_or_create, -ENOSPC); }

static int64_t note_attachment(struct linux_shm *all, uint32_t segment, uint64_t addr)
{
    for (struct attachment *a = all->attachment; a < all->attachment + ATTACHMENTS; a++)
        if (a->host == 0) {
            *a = (struct attachment){.host = getpid(), .segment = segment, .addr = addr};
            return 0;
        }
    return -ENOMEM;
}

static uint64_t shm_end_of(const struct linux_shm *all, uint32_t segment, uint64_t addr)
{
    uint64_t size_bytes = all->segment[segment].size_bytes;
    return addr + (size_bytes + MEM_PAGE_BYTES - 1) / MEM_PAGE_BYTES * MEM_PAGE_BYTES;
}

/* Detaches what one of the segment at this address replaces: attachments as a whole are dropped. The segment itself is
 * about to be attached, and is not removed. */
static void drop_replaced(struct guest *g, struct linux_shm *all, uint32_t segment, uint64_t addr)
{
    const uint64_t end = shm_end_of(all, segment, addr);
    for (struct attachment *a = all->attachment; a < all->attachment + ATTACHMENTS; a++) {
        const uint64_t a_end = shm_end_of(all, a->segment, a->addr);
        if (a->host != getpid() || a->addr >= end || a_end <= addr)
            continue;
        all->segment[a->segment].detach_s = seconds(g);
        if (a->addr < addr || a_end > end)
            continue;
        a->host = 0;
        if (a->segment != segment)
            (void)count_attachments(g, all, &all->segment[a->segment]);
    }
}

static int64_t shm_attach(struct guest *g, struct linux_shm *all, const uint64_t *a)
{
    enum { READ_ONLY = 010000, ROUND = 020000, REMAP = 040000, EXECUTE = 0100000 };
    enum { MAP_READ = 1, MAP_WRITE = 2, MAP_EXECUTE = 4, SHARED = 1, FIXED = 0x10, NOREPLACE = 0x100000 };
    struct segment *s = find_id(g, all, a[0]);
    if (s == NULL)
        return -EINVAL;
    uint64_t addr = a[2] & ROUND ? a[1] & ~(uint64_t)(MEM_PAGE_BYTES - 1) : a[1];
    if (addr % MEM_PAGE_BYTES != 0 || (addr == 0 && (a[2] & REMAP)))
        return -EINVAL;
    if (!may_access(s, a[2] & READ_ONLY ? 4 : 6))
        return -EACCES;
    uint64_t prot = MAP_READ | (a[2] & READ_ONLY ? 0u : MAP_WRITE) | (a[2] & EXECUTE ? MAP_EXECUTE : 0u);
    uint64_t flags = SHARED | (addr == 0 ? 0u : a[2] & REMAP ? FIXED : NOREPLACE);
    const uint64_t args[] = {addr, s->size_bytes, prot, flags, 0, shm_place_of(all, s)};
    int64_t at = linux_map_host(g, args, g->space->shm_fd);
    if (at < 0)
        return at == -EEXIST || at == -EPERM ? -EINVAL : at;
    if (a[2] & REMAP)
        drop_replaced(g, all, (uint32_t)(s - all->segment), addr);
    int64_t r = note_attachment(all, (uint32_t)(s - all->segment), (uint64_t)at);
    if (r < 0) {
        (void)sys_munmap(g, (const uint64_t[]){(uint64_t)at, s->size_bytes});
        return r;
    }
    s->attach_s = seconds(g);
    s->last = g->task->pid;
    return at;
}

int64_t sys_shmat(struct guest *g, const uint64_t *a) { return with_table(g, a, shm_attach, -EINVAL); }

static int64_t detach(struct guest *g, struct linux_shm *all, const uint64_t *a)
{
    int64_t r = -EINVAL;
    for (struct attachment *t = all->attachment; r != 0 && t < all->attachment + ATTACHMENTS; t++) {
        if (t->host != getpid() || t->addr != a[0])
            continue;
        struct segment *s = &all->segment[t->segment];
        r = sys_munmap(g, (const uint64_t[]){a[0], s->size_bytes});
        t->host = 0;
        s->detach_s = seconds(g);
        s->last = g->task->pid;
        (void)count_attachments(g, all, s);
    }
    return r;
}

int64_t sys_shmdt(struct guest *g, const uint64_t *a) { return with_table(g, a, detach, -EINVAL); }

static int64_t put_status(struct guest *g, struct linux_shm *all, struct segment *s, uint64_t addr)
{
    const struct {
        int32_t key;
        uint32_t user, group, creating_user, creating_group, mode;
        uint16_t generation, pad;
        uint64_t unused[2], size_bytes, times[3];
        uint32_t creator, last;
        uint64_t attachments, unused_end[2];
    } status = {.key = s->key,
                .user = geteuid(),
                .group = getegid(),
                .creating_user = geteuid(),
                .creating_group = getegid(),
                .mode = s->mode,
                .generation = s->generation,
                .size_bytes = s->size_bytes,
                .times = {s->attach_s, s->detach_s, s->change_s},
                .creator = s->creator,
                .last = s->last,
                .attachments = count_attachments(g, all, s)};
    if (!may_access(s, 4))
        return -EACCES;
    return linux_put(g, addr, &status, sizeof status);
}

static int64_t control(struct guest *g, struct linux_shm *all, const uint64_t *a)
{
    enum { VERSION_64 = 0x100, LOCK = 11, UNLOCK = 12, MODE_OFFSET = 20 };
    struct segment *s = find_id(g, all, a[0]);
    uint32_t mode;
    if ((int32_t)a[0] < 0 || s == NULL)
        return -EINVAL;
    switch ((uint32_t)a[1] & ~(uint32_t)VERSION_64) {
    case IPC_RMID:
        s->mode |= MARKED;
        s->key = IPC_PRIVATE;
        (void)count_attachments(g, all, s);
        return 0;
    case IPC_SET:
        if (linux_get(g, a[2] + MODE_OFFSET, &mode, sizeof mode) != 0)
            return -EFAULT;
        s->mode = (s->mode & MARKED) | (mode & PERMISSIONS);
        s->change_s = seconds(g);
        return 0;
    case IPC_STAT:
        return put_status(g, all, s, a[2]);
    case LOCK:
    case UNLOCK:
        return 0;
    default:
        return -EINVAL;
    }
}

int64_t sys_shmctl(struct guest *g, const uint64_t *a) { return with_table(g, a, control, -EINVAL); }

void linux_shm_fork(struct guest *g)
{
    struct linux_shm *all = g->space->shm;
    int32_t parent = getppid();
    if (all == NULL)
        return;
    (void)shm_lock(g);
    for (uint32_t i = 0; i < ATTACHMENTS; i++)
        if (all->attachment[i].host == parent) /* without room for the child's, the segment may be removed too soon */
            (void)note_attachment(all, all->attachment[i].segment, all->attachment[i].addr);
    shm_unlock(all);
}

void linux_shm_drop(const struct guest *g)
{
    struct linux_shm *all = g->space->shm;
    if (all == NULL)
        return;
    (void)shm_lock(g);
    for (uint32_t i = 0; i < ATTACHMENTS; i++) {
        if (all->attachment[i].host != getpid())
            continue;
        all->attachment[i].host = 0;
        (void)count_attachments(g, all, &all->segment[all->attachment[i].segment]);
    }
    shm_unlock(all);
}
