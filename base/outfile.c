/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/file_place.h"
#include "base/outfile_keeper.h"

enum { BUFFER_BYTES = 1 << 16, PARTIALS_MAX = 100, MODE_BITS = 07777 };
enum { IS_REPLACED = -1 /* instead of an error number: another process has changed the partial file */ };

struct outfile_target {
    char *path; /* for messages */
    int fd;
    struct file_place place; /* of the file, if it has a partial file */
    char *partial;           /* its name in that folder; NULL: written directly */
    bool is_copied;          /* into the file, which has several links */
    volatile bool is_kept;   /* from when the file is written in place: the partial file has the complete output */
    bool is_shared;          /* the descriptor is not closed: a standard stream's */
    int why;                 /* errno of the first write that failed; 0: none has */
    off_t written;           /* bytes */
    unsigned keeper_number;  /* by which the keeper knows the output; 0: this process completes it */
    pid_t owner;
    struct outfile_target *next;
};

/* The outputs that are not complete, for the end of the process, which can be a signal at any moment. */
static struct outfile_target *unfinished;
/* Socket to the process of outfile_delegate; -1: there is none. */
static int keeper = -1;
/* Time in seconds at which the write that is being made has begun; 0: none is. */
static volatile time_t write_began;

/* ---- the stream ---- */

/* Waits until a non-blocking descriptor accepts data. */
static bool is_worth_another_attempt(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    if (errno == EAGAIN)
        return poll(&p, 1, -1) >= 0 || errno == EINTR;
    return errno == EINTR;
}

static time_t outfile_now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1; /* not 0 */
}

bool outfile_is_stuck(void)
{
    enum { LONG_SECONDS = 2 /* one to two, as fractions are cut */ };
    return write_began != 0 && outfile_now() - write_began >= LONG_SECONDS;
}

/* Writes everything; returns 0, or errno. */
static int write_all(int fd, const char *from, size_t size)
{
    while (size > 0) {
        write_began = outfile_now();
        ssize_t n = write(fd, from, size);
        if (n < 0 && !is_worth_another_attempt(fd))
            break;
        if (n > 0)
            from += n, size -= (size_t)n;
    }
    write_began = 0;
    return size == 0 ? 0 : errno;
}

/* The stream's function for writing. After an error nothing more is written, so a file has no gaps. */
static ssize_t accept_bytes(void *cookie, const char *from, size_t size)
{
    struct outfile_target *t = cookie;
    if (getpid() != t->owner)
        return (ssize_t)size;
    if (t->why == 0)
        t->why = write_all(t->fd, from, size);
    t->written += (off_t)size;
    return t->why == 0 ? (ssize_t)size : 0;
}

static FILE *open_stream(struct outfile_target *t)
{
    FILE *stream = fopencookie(t, "w", (cookie_io_functions_t){.write = accept_bytes});
    if (stream == NULL)
        out_of_memory();
    setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
    return stream;
}

/* ---- the partial file ---- */

/* Whether the open file has that name: 0, IS_REPLACED, or errno if the name cannot be looked up. */
static int find_at(const struct file_place *p, const char *name, int fd)
{
    struct stat x, y;
    if (fstatat(p->folder, name, &x, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? IS_REPLACED : errno;
    if (fstat(fd, &y) != 0)
        return errno;
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino ? 0 : IS_REPLACED;
}

static bool outfile_is_at(const struct file_place *p, const char *name, int fd) { return find_at(p, name, fd) == 0; }

/* A partial file is locked as long as a process writes it. File systems without locks have none that is abandoned. */
static bool is_abandoned(int fd)
{
    struct stat sb;
    return fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) && sb.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/* Removes a partial file that no process writes; returns whether the name is free, as far as this process knows. */
static bool remove_abandoned(const struct file_place *p, const char *name)
{
    int fd = openat(p->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT;
    bool is_free = is_abandoned(fd) && (!outfile_is_at(p, name, fd) || unlinkat(p->folder, name, 0) == 0);
    close(fd);
    return is_free;
}

/* Creates and locks a partial file; returns its descriptor, or -1 with errno: EEXIST if another process has it. Between
 * creation and lock another process can take it for abandoned. */
static int outfile_create(const struct file_place *p, const char *name, mode_t mode)
{
    for (;;) {
        int fd = openat(p->folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd < 0 && !remove_abandoned(p, name)) {
            errno = EEXIST;
            return -1;
        }
        if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) && outfile_is_at(p, name, fd))
            return fd;
        if (fd >= 0)
            close(fd);
    }
}

/* ".NAME.partial" or ".NAME.2.partial", with as much of the name as a file's name has room for. */
static char *name_partial(const struct file_place *p, unsigned n)
{
    char number[16] = "";
    if (n > 1)
        snprintf(number, sizeof number, ".%u", n);
    return xasprintf(".%.*s%s.partial", (int)(NAME_MAX - sizeof number - strlen("..partial")), p->name, number);
}

/* Removes the abandoned ones of the partial files from number `n` on, up to the first that does not exist. */
static void outfile_sweep(const struct file_place *p, unsigned n)
{
    struct stat sb;
    for (bool exists = true; exists && n <= PARTIALS_MAX; n++) {
        char *name = name_partial(p, n);
        exists = fstatat(p->folder, name, &sb, AT_SYMLINK_NOFOLLOW) == 0;
        if (exists)
            (void)remove_abandoned(p, name);
        free(name);
    }
}

/* Creates the partial file. Signals are blocked until its descriptor is known: a handler would not remove it. */
static bool create_partial(struct outfile_target *t, char *name, mode_t mode)
{
    const ending_set before = ending_block(UINT64_MAX);
    t->fd = outfile_create(&t->place, name, mode);
    if (t->fd >= 0)
        t->partial = name;
    const int why = errno;
    (void)ending_block(before);
    errno = why;
    return t->fd >= 0;
}

/* Opens the first partial file that no other process writes. */
static bool open_partial(struct outfile_target *t, mode_t mode)
{
    for (unsigned n = 1; n <= PARTIALS_MAX; n++) {
        char *name = name_partial(&t->place, n);
        if (create_partial(t, name, mode)) {
            outfile_sweep(&t->place, n + 1);
            return true;
        }
        const int why = errno;
        free(name);
        errno = why;
        if (why != EEXIST)
            return false;
    }
    return false;
}

/* The permissions and, as far as the process may set it, the owner of the file that will be replaced. */
static bool copy_mode(int fd, const struct stat *sb)
{
    struct stat own;
    if (fstat(fd, &own) == 0 && (own.st_uid != sb->st_uid || own.st_gid != sb->st_gid))
        (void)!fchown(fd, sb->st_uid, sb->st_gid);
    return fchmod(fd, sb->st_mode & MODE_BITS) == 0;
}

static void remove_partial(const struct outfile_target *t)
{
    if (t->partial == NULL)
        return;
    if (t->keeper_number != 0)
        (void)outfile_keeper_ask(keeper, &(struct keeper_request){t->keeper_number, .removes = true});
    else if (outfile_is_at(&t->place, t->partial, t->fd))
        unlinkat(t->place.folder, t->partial, 0);
    else
        (void)remove_abandoned(&t->place, t->partial); /* another process has put it there */
}

/* In a folder in which no file can be made, what the file will contain is in memory. */
static bool open_in_memory(struct outfile_target *t)
{
    t->fd = memfd_create("output", MFD_CLOEXEC);
    t->is_copied = true;
    return t->fd >= 0;
}

/* A file that does not exist, or a regular one. */
static bool open_regular(struct outfile_target *t, const struct stat *old)
{
    if (old == NULL)
        return open_partial(t, 0666);
    t->is_copied = old->st_nlink > 1;
    if (faccessat(t->place.folder, t->place.name, W_OK, AT_EACCESS) != 0)
        return false;
    if (!open_partial(t, 0600))
        return errno == EACCES && open_in_memory(t);
    if (copy_mode(t->fd, old))
        return true;
    int why = errno;
    remove_partial(t);
    close(t->fd);
    errno = why;
    return false;
}

static bool outfile_open_place(struct outfile_target *t)
{
    struct stat sb;
    int own = file_place_descriptor(&t->place);
    if (own >= 0) {
        t->fd = fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        return t->fd >= 0;
    }
    bool exists = fstatat(t->place.folder, t->place.name, &sb, t->place.is_process ? 0 : AT_SYMLINK_NOFOLLOW) == 0;
    if (!t->place.is_process && (!exists || S_ISREG(sb.st_mode)))
        return open_regular(t, exists ? &sb : NULL);
    t->fd = openat(t->place.folder, t->place.name, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    return t->fd >= 0;
}

/* ---- the end of the process ---- */

static void remove_unfinished(void)
{
    for (struct outfile_target *t = unfinished; t != NULL; t = t->next)
        if (t->owner == getpid() && !t->is_kept) {
            t->why = ECANCELED; /* stdio flushes the stream later */
            remove_partial(t);
        }
}

/* Has remove_unfinished called at the exit of the process, and before a signal ends it. */
static void clean_up_at_end(void)
{
    static bool is_registered;
    if (is_registered)
        return;
    is_registered = true;
    ending_before(remove_unfinished);
    if (atexit(remove_unfinished) != 0)
        out_of_memory();
}

/* ---- life ---- */

static struct outfile_target *target_new(const char *path)
{
    struct outfile_target *t = xcalloc(1, sizeof *t);
    *t = (struct outfile_target){.path = xstrdup(path), .fd = -1, .place.folder = -1, .owner = getpid()};
    clean_up_at_end();
    t->next = unfinished;
    atomic_signal_fence(memory_order_seq_cst);
    unfinished = t;
    return t;
}

static void outfile_release(struct outfile_target *t)
{
    for (struct outfile_target **link = &unfinished; *link != NULL; link = &(*link)->next)
        if (*link == t) {
            *link = t->next;
            break;
        }
    atomic_signal_fence(memory_order_seq_cst);
    file_place_release(&t->place);
    free(t->partial);
    free(t->path);
    free(t);
}

static void outfile_begin(struct outfile *f, struct outfile_target *t)
{
    *f = (struct outfile){.stream = open_stream(t), .fd = t->fd, .target = t};
}

enum status outfile_open(struct outfile *f, const char *path, struct errmsg *err)
{
    *f = (struct outfile){.fd = -1};
    if (strcmp(path, "-") == 0) {
        outfile_open_standard(f, STDOUT_FILENO);
        return ST_OK;
    }
    struct outfile_target *t = target_new(path);
    if (file_place_find(&t->place, path) && outfile_open_place(t)) {
        outfile_begin(f, t);
        return ST_OK;
    }
    enum status st = fail(err, ST_IO, "%s: cannot write: %s", path, strerror(errno));
    outfile_release(t);
    return st;
}

void outfile_open_standard(struct outfile *f, int fd)
{
    bool is_error = fd == STDERR_FILENO;
    struct outfile_target *t = target_new(is_error ? "standard error" : "standard output");
    fflush(is_error ? stderr : stdout);
    t->fd = fd;
    t->is_shared = true;
    outfile_begin(f, t);
}

/* Writes the partial file into the file; returns 0, or errno. */
static int copy_back(const struct outfile_target *t)
{
    char *part = xmalloc(BUFFER_BYTES);
    off_t at = 0;
    ssize_t n = 0;
    int to = openat(t->place.folder, t->place.name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC), why = to < 0 ? errno : 0;
    while (why == 0 && (n = pread(t->fd, part, BUFFER_BYTES, at)) > 0) {
        why = write_all(to, part, (size_t)n);
        at += n;
    }
    if (why == 0 && (n < 0 || ftruncate(to, at) != 0))
        why = errno;
    if (to >= 0 && close(to) != 0 && why == 0)
        why = errno;
    free(part);
    return why;
}

/* File systems of a network report errors of earlier writes at close. The descriptor itself is closed last, because it
 * has the lock. */
static int check_close(int fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return copy < 0 || close(copy) == 0 ? 0 : errno;
}

/* Puts the partial file in the place of the file; returns 0, or errno. */
static int replace(const struct outfile_target *t)
{
    if (!t->is_copied)
        return renameat(t->place.folder, t->partial, t->place.folder, t->place.name) == 0 ? 0 : errno;
    int why = copy_back(t);
    if (why == 0)
        remove_partial(t);
    return why;
}

/* Whether the partial file has what was written: 0, errno, or IS_REPLACED. Another process that may change the folder
 * can have replaced it, and one that may write the file changed it. */
static int check_whole(const struct outfile_target *t)
{
    struct stat sb;
    int why = t->partial != NULL ? find_at(&t->place, t->partial, t->fd) : 0;
    if (why != 0)
        return why;
    if (fstat(t->fd, &sb) != 0)
        return errno;
    return sb.st_size == t->written ? 0 : IS_REPLACED;
}

/* Makes the file what has been written; returns 0, errno, or IS_REPLACED. */
static int outfile_finish(struct outfile_target *t)
{
    int why = check_close(t->fd);
    if (why != 0 || (t->partial == NULL && !t->is_copied))
        return why;
    why = check_whole(t);
    if (why != 0)
        return why;
    t->is_kept = t->is_copied && t->partial != NULL;
    why = t->keeper_number == 0
              ? replace(t)
              : outfile_keeper_ask(keeper, &(struct keeper_request){t->keeper_number, .removes = false});
    /* Between the test and the renaming, too. */
    return why == 0 && !t->is_copied ? find_at(&t->place, t->place.name, t->fd) : why;
}

/* In the keeper, whose list of outputs is that at the fork. */
static int outfile_serve(const struct keeper_request *request)
{
    struct outfile_target *t = unfinished;
    while (t != NULL && t->keeper_number != request->number)
        t = t->next;
    if (t == NULL)
        return EINVAL;
    int why = 0;
    t->keeper_number = 0; /* the keeper acts itself */
    if (request->removes)
        remove_partial(t);
    else
        why = replace(t);
    if (why != 0)
        t->keeper_number = request->number; /* to be removed */
    return why;
}

enum status outfile_delegate(struct errmsg *err)
{
    unsigned count = 0;
    for (struct outfile_target *t = unfinished; t != NULL; t = t->next)
        if ((t->partial != NULL || t->is_copied) && t->owner == getpid())
            t->keeper_number = ++count;
    if (count == 0)
        return ST_OK;
    keeper = outfile_keeper_start(outfile_serve);
    if (keeper >= 0)
        return ST_OK;
    int why = errno;
    for (struct outfile_target *t = unfinished; t != NULL; t = t->next)
        t->keeper_number = 0;
    return fail(err, ST_IO, "cannot start a process for the outputs: %s", strerror(why));
}

enum status outfile_commit(struct outfile *f, struct errmsg *err)
{
    struct outfile_target *t = f->target;
    enum status st = ST_OK;
    if ((fflush(f->stream) != 0 || ferror(f->stream)) && t->why == 0)
        t->why = ENOMEM; /* not by accept_bytes */
    int why = t->why != 0 || t->is_shared ? t->why : outfile_finish(t);
    if (why != 0 && t->is_kept)
        st = fail(err, ST_IO, "%s: cannot write: %s; the complete output is beside it, in %s", t->path, strerror(why),
                  t->partial);
    else if (why == IS_REPLACED)
        st = fail(err, ST_IO, "%s: cannot write: another process has removed, replaced or changed %s", t->path,
                  t->partial != NULL ? t->partial : "it");
    else if (why != 0)
        st = fail(err, ST_IO, "%s: cannot write: %s", t->path, strerror(why));
    if (why != 0 && !t->is_kept)
        remove_partial(t);
    fclose(f->stream);
    if (!t->is_shared)
        close(t->fd);
    outfile_release(t);
    *f = (struct outfile){.fd = -1};
    return st;
}

void outfile_abort(struct outfile *f)
{
    f->target->why = ECANCELED;
    remove_partial(f->target);
    fclose(f->stream);
    if (!f->target->is_shared)
        close(f->target->fd);
    outfile_release(f->target);
    *f = (struct outfile){.fd = -1};
}
