/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open files in a checkpoint: regular files and folders by name, devices of memory, and the standard streams. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core-model/linux/checkpoint_parts.h"
#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/syscall.h"

enum descriptor_kind {
    DESCRIPTOR_NONE,
    DESCRIPTOR_STREAM, /* standard output or error, or an input that is no file */
    DESCRIPTOR_COPY,   /* of the same open file as a lower descriptor */
    DESCRIPTOR_FILE,
    DESCRIPTOR_FOLDER,
    DESCRIPTOR_DEVICE,
    DESCRIPTOR_KINDS
};

/* A descriptor of the guest in a checkpoint. */
struct saved_descriptor {
    enum descriptor_kind kind;
    uint32_t fd;
    bool cloexec;
    uint32_t of;    /* STREAM: number of the host's; COPY: the lower descriptor */
    uint64_t flags; /* of fcntl(F_GETFL) */
    uint64_t position;
    struct file_identity file;
};

/* ---- kinds ---- */

/* Devices that have no state. */
static bool is_memory_device(const struct stat *sb)
{
    enum { MEMORY = 1, NULL_DEVICE = 3, ZERO = 5, FULL = 7, RANDOM = 8, URANDOM = 9 };
    const unsigned n = minor(sb->st_rdev);
    return S_ISCHR(sb->st_mode) && major(sb->st_rdev) == MEMORY &&
           (n == NULL_DEVICE || n == ZERO || n == FULL || n == RANDOM || n == URANDOM);
}

/* Whether both host descriptors are of one open file: what moves the position of one moves that of the other. Of files
 * without a position, whether they are the same. */
static bool is_same_open_file(int a, int b)
{
    struct stat x, y;
    if (fstat(a, &x) != 0 || fstat(b, &y) != 0 || x.st_dev != y.st_dev || x.st_ino != y.st_ino ||
        fcntl(a, F_GETFL) != fcntl(b, F_GETFL))
        return false;
    const off_t at = lseek(a, 0, SEEK_CUR), other = lseek(b, 0, SEEK_CUR);
    if (at < 0 || !S_ISREG(x.st_mode))
        return true;
    const bool same = at == other && lseek(a, at + 1, SEEK_SET) == at + 1 && lseek(b, 0, SEEK_CUR) == at + 1;
    (void)lseek(a, at, SEEK_SET);
    return same;
}

static const char *descriptor_words(const struct stat *sb, const char *path)
{
    return S_ISFIFO(sb->st_mode)                          ? "is a pipe"
           : S_ISSOCK(sb->st_mode)                        ? "is a socket"
           : S_ISCHR(sb->st_mode) || S_ISBLK(sb->st_mode) ? "is a device"
           : strncmp(path, "anon_inode:", 11) == 0        ? "is no file"
           : strncmp(path, "/memfd:", 7) == 0             ? "is a file of memory"
                                                          : "is of no file that has a name";
}

/* The standard stream, by its host number, whose open file the descriptor has; -1: none. A standard input that is a
 * regular file is none: it is opened again. */
static int stream_of(int host_fd, const struct stat *sb)
{
    if (host_fd == STDOUT_FILENO || host_fd == STDERR_FILENO || (host_fd == STDIN_FILENO && !S_ISREG(sb->st_mode)))
        return host_fd;
    for (int stream = S_ISREG(sb->st_mode) ? STDOUT_FILENO : STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (!is_memory_device(sb) && is_same_open_file(host_fd, stream))
            return stream;
    return -1;
}

/* The lowest descriptor of the same open file; `fd`: it is the lowest. */
static uint32_t lowest_copy(const struct guest *g, uint32_t fd)
{
    const int *host = g->files->fd;
    for (uint32_t lower = 0; lower < fd; lower++)
        if (host[lower] >= 0 && is_same_open_file(host[lower], host[fd]))
            return lower;
    return fd;
}

/* The descriptor is of a file that has to be opened again, by its name. */
static enum status describe_open_file(const struct guest *g, struct saved_descriptor *d, int host_fd,
                                      const struct stat *sb, struct errmsg *err)
{
    char path[PATH_MAX];
    struct stat named;
    const int64_t length = linux_descriptor_name(host_fd, path);
    const bool is_device = is_memory_device(sb);
    if (length <= 0 || (!S_ISREG(sb->st_mode) && !S_ISDIR(sb->st_mode) && !is_device) ||
        strncmp(path, "/memfd:", 7) == 0)
        return fail(err, ST_UNMET, "descriptor %u %s, %s", d->fd, descriptor_words(sb, path),
                    length > 0 ? path : "without a name");
    if (g->files->dir[d->fd] != NULL)
        return fail(err, ST_UNMET, "descriptor %u is a folder that is being listed", d->fd);
    if (strncmp(path, "/proc/", 6) == 0)
        return fail(err, ST_UNMET, "descriptor %u is a file of /proc", d->fd);
    if (stat(path, &named) != 0 || named.st_dev != sb->st_dev || named.st_ino != sb->st_ino)
        return fail(err, ST_UNMET, "descriptor %u is of a file that has no name any more, %s", d->fd, path);
    if (d->flags & O_ASYNC)
        return fail(err, ST_UNMET, "descriptor %u sends signals", d->fd);
    d->kind = is_device ? DESCRIPTOR_DEVICE : S_ISDIR(sb->st_mode) ? DESCRIPTOR_FOLDER : DESCRIPTOR_FILE;
    d->position = d->kind == DESCRIPTOR_FILE && !(d->flags & O_PATH) ? (uint64_t)lseek(host_fd, 0, SEEK_CUR) : 0;
    return linux_identify_file(path, NULL, &d->file, err);
}

static enum status describe(const struct guest *g, struct saved_descriptor *d, struct errmsg *err)
{
    const int host_fd = g->files->fd[d->fd];
    struct stat sb;
    if (fstat(host_fd, &sb) != 0)
        return fail(err, ST_UNMET, "descriptor %u: %s", d->fd, strerror(errno));
    d->cloexec = g->files->fd_cloexec[d->fd] != 0;
    d->flags = (uint64_t)fcntl(host_fd, F_GETFL);
    if (g->files->event[d->fd] != NULL)
        return fail(err, ST_UNMET, "descriptor %u is of events (eventfd, timerfd or signalfd)", d->fd);
    if (g->files->fd_name[d->fd] != 0)
        return fail(err, ST_UNMET, "descriptor %u is that of a thread's name", d->fd);
    const int stream = stream_of(host_fd, &sb);
    const uint32_t copy = lowest_copy(g, d->fd);
    if (stream >= 0) {
        d->kind = DESCRIPTOR_STREAM, d->of = (uint32_t)stream, d->flags = 0; /* the flags are those of pcemu's */
        return ST_OK;
    }
    if (copy != d->fd && S_ISREG(sb.st_mode)) {
        d->kind = DESCRIPTOR_COPY, d->of = copy;
        return ST_OK;
    }
    return describe_open_file(g, d, host_fd, &sb, err);
}

/* ---- writing and reading ---- */

static void move_descriptor(struct saved_descriptor *d, struct checkpoint_stream *s)
{
    d->kind = (enum descriptor_kind)checkpoint_move(s, d->kind, DESCRIPTOR_STREAM, DESCRIPTOR_KINDS - 1);
    d->fd = (uint32_t)checkpoint_move(s, d->fd, 0, LINUX_FD_MAX - 1);
    CHECKPOINT_MOVE(s, d->cloexec);
    d->of = (uint32_t)checkpoint_move(s, d->of, 0, d->kind == DESCRIPTOR_STREAM ? STDERR_FILENO : LINUX_FD_MAX - 1);
    d->flags = checkpoint_move(s, d->flags, 0, INT32_MAX);
    d->position = checkpoint_move(s, d->position, 0, INT64_MAX);
    if (d->kind >= DESCRIPTOR_FILE)
        linux_move_identity(&d->file, s);
}

enum status linux_write_files(struct guest *g, struct checkpoint_stream *s, struct errmsg *err)
{
    char *folder = getcwd(NULL, 0);
    uint64_t count = 0;
    enum status st = ST_OK;
    if (folder == NULL || folder[0] != '/')
        st = fail(err, ST_UNMET, "the working folder has no name: %s", strerror(errno));
    const mode_t mask = umask(0);
    (void)umask(mask);
    checkpoint_section(s, "the descriptors");
    checkpoint_move_text(s, &folder);
    checkpoint_move(s, mask, 0, 0777);
    free(folder);
    for (int fd = 0; fd < LINUX_FD_MAX; fd++)
        count += g->files->fd[fd] >= 0;
    checkpoint_move(s, count, 0, LINUX_FD_MAX);
    for (uint32_t fd = 0; fd < LINUX_FD_MAX && st == ST_OK; fd++) {
        struct saved_descriptor d = {.fd = fd};
        if (g->files->fd[fd] < 0)
            continue;
        st = describe(g, &d, err);
        if (st == ST_OK)
            move_descriptor(&d, s);
        linux_drop_identity(&d.file);
    }
    return st;
}

static enum status open_again(const struct saved_descriptor *d, const char *name, int *host_fd, struct errmsg *err)
{
    enum { MAKING = O_CREAT | O_EXCL | O_TRUNC };
    struct stat sb;
    if (d->kind == DESCRIPTOR_FILE) {
        enum status st = linux_check_identity(&d->file, name, err);
        if (st != ST_OK)
            return st;
    }
    /* The kind comes first: to open a FIFO or a device has effects. */
    const bool exists = stat(d->file.path, &sb) == 0;
    if (!exists || (d->kind == DESCRIPTOR_FILE     ? !S_ISREG(sb.st_mode)
                    : d->kind == DESCRIPTOR_FOLDER ? !S_ISDIR(sb.st_mode)
                                                   : !is_memory_device(&sb)))
        return fail(err, ST_INPUT, "%s: descriptor %u: expected %s as it was in its run: %s", name, d->fd, d->file.path,
                    exists ? "its kind is another" : strerror(errno));
    const int fd = open(d->file.path, ((int)d->flags & ~MAKING) | O_CLOEXEC | O_NOCTTY);
    *host_fd = fd >= 0 && fd <= STDERR_FILENO ? fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : fd;
    if (fd != *host_fd && fd >= 0)
        close(fd);
    if (*host_fd < 0)
        return fail(err, ST_INPUT, "%s: descriptor %u: %s: %s", name, d->fd, d->file.path, strerror(errno));
    if (d->kind == DESCRIPTOR_FILE && !(d->flags & O_PATH))
        (void)lseek(*host_fd, (off_t)d->position, SEEK_SET);
    return ST_OK;
}

static enum status restore_descriptor(struct guest *g, const struct saved_descriptor *d, const char *name,
                                      struct errmsg *err)
{
    int host_fd = -1;
    if (g->files->fd[d->fd] >= 0)
        return fail(err, ST_FORMAT, "%s: expected a descriptor once, found %u again", name, d->fd);
    if (d->kind == DESCRIPTOR_STREAM) {
        const bool is_first = d->fd == d->of;
        host_fd = is_first ? (int)d->of : fcntl((int)d->of, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else if (d->kind == DESCRIPTOR_COPY) {
        const int of = d->of < d->fd ? linux_fd(g, d->of) : -EBADF;
        if (of < 0)
            return fail(err, ST_FORMAT, "%s: descriptor %u: expected a copy of a lower one, found %u", name, d->fd,
                        d->of);
        host_fd = fcntl(of, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else {
        enum status st = open_again(d, name, &host_fd, err);
        if (st != ST_OK)
            return st;
    }
    if (host_fd < 0)
        return fail(err, ST_INPUT, "%s: descriptor %u: %s", name, d->fd, strerror(errno));
    linux_set_fd(g, d->fd, host_fd, d->cloexec);
    return ST_OK;
}

enum status linux_restore_files(struct guest *g, struct checkpoint_stream *s, const char *name, struct errmsg *err)
{
    char *folder = NULL;
    checkpoint_section(s, "the descriptors");
    checkpoint_move_text(s, &folder);
    const mode_t mask = (mode_t)checkpoint_move(s, 0, 0, 0777);
    const uint64_t count = checkpoint_move(s, 0, 0, LINUX_FD_MAX);
    enum status st = ST_OK;
    for (int fd = 0; fd < LINUX_FD_MAX; fd++)
        g->files->fd[fd] = -1;
    for (uint64_t i = 0; i < count && st == ST_OK && !s->failed; i++) {
        struct saved_descriptor d = {0};
        move_descriptor(&d, s);
        if (!s->failed)
            st = restore_descriptor(g, &d, name, err);
        linux_drop_identity(&d.file);
    }
    if (st == ST_OK && !s->failed && (folder == NULL || chdir(folder) != 0))
        st = fail(err, ST_INPUT, "%s: expected the working folder %s of its run: %s", name,
                  folder != NULL ? folder : "without a name", strerror(errno));
    free(folder);
    (void)umask(mask);
    return st;
}
