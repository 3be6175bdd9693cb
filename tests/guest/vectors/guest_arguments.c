/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each system call with one bad argument at a time, and at last with good ones: closed descriptors, descriptors of
 * another kind, addresses that are not mapped, names that cannot be found. The expected output is that of the same file
 * compiled for the host: qemu-riscv64 7.2 does not check all arguments. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Kinds of arguments:
 *   F descriptor              f folder of the name that follows      S socket
 *   s name, links followed    l name, its last link is not           n name of a new file
 *   p address                 o address that may be NULL             - any other value */
struct call {
    const char *name;
    long number;
    const char *kinds;
    uint64_t a[6];
};
#define CALL(name, kinds, ...) do_call(&(struct call){#name, SYS_##name, kinds, {__VA_ARGS__}})
#ifndef SYS_renameat
#define SYS_renameat 38
#endif
#define P(...) (uint64_t)(uintptr_t)(__VA_ARGS__)

enum { CLOSED = 99 };
static int file;
static char long_name[300];

static void try(const struct call *c, const char *what, unsigned argument, uint64_t value)
{
    uint64_t a[6];
    memcpy(a, c->a, sizeof a);
    if (argument < 6)
        a[argument] = value;
    errno = 0;
    long r = syscall(c->number, a[0], a[1], a[2], a[3], a[4], a[5]);
    printf("%s: ", c->name);
    if (argument < 6)
        printf("argument %u, %s: ", argument + 1, what);
    printf("%s\n", r >= 0 ? "success" : strerror(errno));
}

static void try_name(const struct call *c, unsigned i, char kind)
{
    try(c, "not mapped", i, 16);
    try(c, "empty", i, P(""));
    if (kind != 'n')
        try(c, "absent", i, P("absent"));
    try(c, "in a file", i, P("file/name"));
    try(c, "in an absent folder", i, P("absent/name"));
    try(c, "too long", i, P(long_name));
    if (kind == 's')
        try(c, "a loop of links", i, P("loop"));
    try(c, "in a loop of links", i, P("loop/name"));
}

static void do_call(const struct call *c)
{
    for (unsigned i = 0; c->kinds[i] != '\0'; i++)
        switch (c->kinds[i]) {
        case 'S':
            try(c, "no socket", i, file);
            /* fall through */
        case 'F':
            try(c, "closed", i, CLOSED);
            break;
        case 'f':
            try(c, "closed", i, CLOSED);
            try(c, "no folder", i, file);
            break;
        case 's':
        case 'l':
        case 'n':
            try_name(c, i, c->kinds[i]);
            break;
        case 'p':
            try(c, "NULL", i, 0);
            /* fall through */
        case 'o':
            try(c, "not mapped", i, 16);
            break;
        }
    try(c, NULL, 6, 0);
}

static char buf[4096];
static struct iovec vector = {buf, 8}, bad_vector = {(void *)16, 8}, long_vector = {buf, (size_t)-1};
static const struct timespec no_time, wrong_time = {0, 1000000000};
static const uint64_t here = AT_FDCWD;

static void names(void)
{
    struct timespec times[2] = {{1, 2}, {3, 4}};
    uint64_t how[3] = {O_RDONLY};
    CALL(mkdirat, "fn-", here, P("new_folder"), 0700);
    CALL(mkdirat, "---", here, P("new_folder"), 0700);
    CALL(mknodat, "fn--", here, P("new_fifo"), S_IFIFO | 0600, 0);
    CALL(mknodat, "----", here, P("new_fifo"), S_IFIFO | 0600, 0);
    CALL(mknodat, "----", here, P("new_kind"), 0110000, 0);
    CALL(symlinkat, "sfn", P("file"), here, P("new_link"));
    CALL(symlinkat, "---", P("file"), here, P("new_link"));
    CALL(linkat, "flfn-", here, P("file"), here, P("second"), 0);
    CALL(linkat, "-----", here, P("file"), here, P("second"), 0);
    CALL(linkat, "-----", here, P("loop"), here, P("followed"), AT_SYMLINK_FOLLOW);
    CALL(renameat2, "flfn-", here, P("second"), here, P("third"), 0);
    CALL(renameat2, "-----", here, P("third"), here, P("file"), RENAME_NOREPLACE);
    CALL(renameat2, "-----", here, P("third"), here, P("absent"), RENAME_EXCHANGE);
    CALL(renameat2, "-----", here, P("third"), here, P("file"), 0x100);
    CALL(renameat2, "-----", here, P("third"), here, P("folder"), 0);
    CALL(renameat2, "-----", here, P("folder"), here, P("third"), 0);
    CALL(renameat2, "-----", here, P("new_folder"), here, P("folder"), 0);
    CALL(renameat2, "-----", here, P("folder"), here, P("folder/inner/below"), 0);
    CALL(renameat, "flfn", here, P("third"), here, P("fourth"));
    CALL(renameat, "----", here, P("fourth"), here, P("third"));
    CALL(renameat, "----", here, P("folder"), here, P("folder/inner/below"));
    CALL(renameat, "----", here, P("new_folder"), here, P("folder"));
    CALL(renameat, "----", here, P("third"), here, P("folder"));
    CALL(linkat, "-----", here, P("folder"), here, P("second"), 0);
    CALL(linkat, "-----", here, P("/proc/self/status"), here, P("second"), 0);
    CALL(renameat2, "-----", here, P("/proc/self/status"), here, P("second"), 0);
    CALL(renameat, "----", here, P("/proc/self/status"), here, P("second"));
    CALL(unlinkat, "fl-", here, P("third"), 0);
    CALL(unlinkat, "---", here, P("new_folder"), 0);
    CALL(unlinkat, "---", here, P("file"), AT_REMOVEDIR);
    CALL(unlinkat, "---", here, P("folder"), AT_REMOVEDIR);
    CALL(unlinkat, "---", here, P("new_folder/."), AT_REMOVEDIR);
    CALL(unlinkat, "---", here, P("new_folder"), AT_REMOVEDIR);
    CALL(openat, "fs-", here, P("file"), O_RDONLY);
    CALL(openat, "----", here, P("file"), O_CREAT | O_EXCL | O_RDWR, 0600);
    CALL(openat, "----", here, P("loop"), O_NOFOLLOW, 0);
    CALL(openat, "----", here, P("folder"), O_WRONLY, 0);
    CALL(openat, "----", here, P("file"), O_DIRECTORY, 0);
    CALL(openat, "----", here, P("new_fifo"), O_WRONLY | O_NONBLOCK, 0);
    CALL(openat, "----", here, P("here"), O_RDWR, 0);
    CALL(openat2, "fsp-", here, P("file"), P(how), sizeof how);
    how[2] = 4; /* RESOLVE_NO_SYMLINKS */
    CALL(openat2, "----", here, P("link"), P(how), sizeof how);
    CALL(faccessat, "fs-", here, P("file"), R_OK);
    CALL(faccessat, "---", here, P("file"), 8);
    CALL(faccessat, "---", here, P("file"), X_OK);
    CALL(faccessat2, "fs--", here, P("file"), R_OK, 0);
    CALL(faccessat2, "fl--", here, P("file"), F_OK, AT_SYMLINK_NOFOLLOW);
    CALL(faccessat2, "----", here, P("file"), 8, 0);
    CALL(faccessat2, "----", here, P("file"), X_OK, AT_EACCESS);
    CALL(fchmodat, "fs-", here, P("file"), 0600);
    CALL(fchownat, "fs---", here, P("file"), -1, -1, 0);
    CALL(fchownat, "fl---", here, P("file"), -1, -1, AT_SYMLINK_NOFOLLOW);
    CALL(fchownat, "-----", file, P(""), -1, -1, AT_EMPTY_PATH);
    CALL(readlinkat, "flp-", here, P("link"), P(buf), 100);
    CALL(readlinkat, "----", here, P("file"), P(buf), 100);
    CALL(readlinkat, "----", here, P("link"), P(buf), 0);
    CALL(readlinkat, "----", here, P("link"), P(buf), -1);
    CALL(newfstatat, "fsp-", here, P("file"), P(buf), 0);
    CALL(newfstatat, "fl--", here, P("file"), P(buf), AT_SYMLINK_NOFOLLOW);
    CALL(newfstatat, "----", file, P(""), P(buf), AT_EMPTY_PATH);
    CALL(statx, "fs--p", here, P("file"), 0, 0x7ff, P(buf));
    CALL(statx, "-----", here, P("file"), 0x10, 0x7ff, P(buf));
    CALL(statx, "-----", here, P("file"), 0, 0x80000000, P(buf));
    CALL(statx, "-----", here, P("file"), 0x6000, 0x7ff, P(buf));
    CALL(statx, "-----", file, P(""), AT_EMPTY_PATH, 0x7ff, P(buf));
    CALL(utimensat, "fso-", here, P("file"), P(times), 0);
    CALL(utimensat, "fl--", here, P("file"), P(times), AT_SYMLINK_NOFOLLOW);
    times[1].tv_nsec = 1000000000;
    CALL(utimensat, "----", here, P("file"), P(times), 0);
    CALL(utimensat, "----", CLOSED, 0, 0, 0);
    CALL(utimensat, "----", file, 0, 0, 0);
    CALL(truncate, "s-", P("file"), 100);
    CALL(truncate, "--", P("file"), -1);
    CALL(truncate, "--", P("folder"), 1);
    CALL(truncate, "--", P("new_fifo"), 1);
    CALL(statfs, "sp", P("file"), P(buf));
    CALL(chdir, "s", P("."));
    CALL(chdir, "-", P("file"));
    CALL(inotify_add_watch, "Fs-", inotify_init1(0), P("file"), IN_MODIFY);
    CALL(inotify_add_watch, "---", file, P("file"), IN_MODIFY);
    CALL(inotify_add_watch, "---", inotify_init1(0), P("file"), IN_ONLYDIR | IN_MODIFY);
    CALL(inotify_add_watch, "---", inotify_init1(0), P("file"), 0);
    CALL(inotify_rm_watch, "F-", inotify_init1(0), 1);
    CALL(inotify_rm_watch, "--", file, 1);
    CALL(execve, "soo", P("file"), 0, 0);
    CALL(execve, "---", P("folder"), 0, 0);
    CALL(execveat, "fsoo-", here, P("file"), 0, 0, 0);
    CALL(execveat, "-----", here, P("link"), 0, 0, AT_SYMLINK_NOFOLLOW);
    CALL(execveat, "-----", here, P("file"), 0, 0, 0x10);
}

static void descriptors(void)
{
    int folder = open("folder", O_DIRECTORY), only_path = open("file", O_PATH), reads = open("file", O_RDONLY), ends[2];
    int writes = open("file", O_WRONLY), appends = open("file", O_WRONLY | O_APPEND);
    (void)!pipe2(ends, O_NONBLOCK);
    CALL(fstat, "Fp", file, P(buf));
    CALL(fstat, "--", only_path, P(buf));
    CALL(fstatfs, "Fp", file, P(buf));
    CALL(ftruncate, "F-", file, 100);
    CALL(ftruncate, "--", file, -1);
    CALL(ftruncate, "--", reads, 1);
    CALL(ftruncate, "--", ends[1], 1);
    CALL(fallocate, "F---", file, 0, 0, 200);
    CALL(fallocate, "----", file, 0, -1, 200);
    CALL(fallocate, "----", file, 0, 0, 0);
    CALL(fallocate, "----", file, 0, INT64_MAX, 1);
    CALL(fallocate, "----", file, 0x800, 0, 200);
    CALL(fallocate, "----", reads, 0, 0, 200);
    CALL(fallocate, "----", ends[1], 0, 0, 200);
    CALL(fallocate, "----", folder, 0, 0, 200);
    CALL(fchdir, "F", open(".", O_DIRECTORY));
    CALL(fchdir, "-", file);
    CALL(fchmod, "F-", file, 0600);
    CALL(fchmod, "--", only_path, 0600);
    CALL(fchown, "F--", file, -1, -1);
    CALL(fchown, "---", only_path, -1, -1);
    CALL(getdents64, "Fp-", folder, P(buf), sizeof buf);
    CALL(getdents64, "---", file, P(buf), sizeof buf);
    lseek(folder, 0, SEEK_SET);
    CALL(getdents64, "---", folder, P(buf), 1);
    CALL(lseek, "F--", file, 1, SEEK_SET);
    CALL(lseek, "---", file, -1, SEEK_SET);
    CALL(lseek, "---", file, 0, 9);
    CALL(lseek, "---", file, 1 << 20, SEEK_DATA);
    CALL(lseek, "---", ends[0], 0, SEEK_SET);
    CALL(read, "Fp-", file, P(buf), 8);
    CALL(read, "---", folder, P(buf), 8);
    CALL(read, "---", writes, P(buf), 8);
    CALL(read, "---", only_path, P(buf), 8);
    CALL(read, "---", ends[0], P(buf), 8);
    CALL(write, "Fp-", file, P(buf), 8);
    CALL(write, "---", reads, P(buf), 8);
    CALL(readv, "Fp-", file, P(&vector), 1);
    CALL(readv, "---", file, P(&bad_vector), 1);
    CALL(readv, "---", file, P(&long_vector), 1);
    CALL(readv, "---", file, P(&vector), -1);
    CALL(readv, "---", file, P(&vector), 1025);
    CALL(readv, "---", writes, P(&vector), 1);
    CALL(readv, "---", folder, P(&vector), 1);
    CALL(readv, "---", ends[0], P(&vector), 1);
    CALL(writev, "Fp-", file, P(&vector), 1);
    CALL(writev, "---", file, P(&bad_vector), 1);
    CALL(writev, "---", file, P(&long_vector), 1);
    CALL(writev, "---", file, P(&vector), 1025);
    CALL(writev, "---", reads, P(&vector), 1);
    CALL(pread64, "Fp--", file, P(buf), 8, 0);
    CALL(pread64, "----", file, P(buf), 8, -1);
    CALL(pread64, "----", ends[0], P(buf), 8, 0);
    CALL(pread64, "----", folder, P(buf), 8, 0);
    CALL(pread64, "----", writes, P(buf), 8, 0);
    CALL(pwrite64, "Fp--", file, P(buf), 8, 0);
    CALL(pwrite64, "----", file, P(buf), 8, -1);
    CALL(pwrite64, "----", ends[1], P(buf), 8, 0);
    CALL(pwrite64, "----", reads, P(buf), 8, 0);
    CALL(preadv, "Fp---", file, P(&vector), 1, 0, 0);
    CALL(preadv, "-----", file, P(&bad_vector), 1, 0, 0);
    CALL(preadv, "-----", file, P(&vector), 1, -1, 0);
    CALL(preadv, "-----", ends[0], P(&vector), 1, 0, 0);
    CALL(preadv, "-----", writes, P(&vector), 1, 0, 0);
    CALL(pwritev, "Fp---", file, P(&vector), 1, 0, 0);
    CALL(pwritev, "-----", file, P(&bad_vector), 1, 0, 0);
    CALL(pwritev, "-----", file, P(&vector), 1, -1, 0);
    CALL(pwritev, "-----", ends[1], P(&vector), 1, 0, 0);
    CALL(pwritev, "-----", reads, P(&vector), 1, 0, 0);
    CALL(preadv2, "Fp----", file, P(&vector), 1, 0, 0, 0);
    CALL(preadv2, "------", file, P(&vector), 1, -2, 0, 0);
    CALL(preadv2, "------", file, P(&vector), 1, 0, 0, 1 << 20);
    CALL(preadv2, "------", ends[0], P(&vector), 1, 0, 0, 0);
    CALL(pwritev2, "Fp----", file, P(&vector), 1, 0, 0, 0);
    CALL(pwritev2, "------", file, P(&vector), 1, -2, 0, 0);
    CALL(pwritev2, "------", file, P(&vector), 1, 0, 0, 1 << 20);
    CALL(pwritev2, "------", ends[1], P(&vector), 1, 0, 0, 0);
    CALL(sendfile, "FFo-", ends[1], file, 0, 8);
    CALL(sendfile, "----", ends[1], writes, 0, 8);
    CALL(sendfile, "----", reads, file, 0, 8);
    CALL(sendfile, "----", appends, file, 0, 8);
    CALL(fsync, "F", file);
    CALL(fsync, "-", ends[0]);
    CALL(fdatasync, "F", file);
    CALL(fdatasync, "-", ends[0]);
    CALL(syncfs, "F", file);
    CALL(sync, "");
    CALL(sync_file_range, "F---", file, 0, 0, 0);
    CALL(flock, "F-", file, LOCK_SH);
    CALL(flock, "--", file, 0);
    CALL(flock, "--", open("file", O_RDWR), LOCK_EX | LOCK_NB);
    CALL(flock, "--", file, LOCK_UN);
    CALL(dup, "F", file);
    CALL(dup3, "F--", file, 90, 0);
    CALL(dup3, "---", file, file, 0);
    CALL(dup3, "---", file, 90, 1);
    CALL(dup3, "---", file, 1 << 30, 0);
    CALL(fcntl, "F--", file, F_GETFL, 0);
    CALL(fcntl, "---", file, F_DUPFD, -1);
    CALL(fcntl, "---", file, 999, 0);
    CALL(fcntl, "F-p", file, F_GETLK, P(buf));
    CALL(fcntl, "---", ends[0], F_SETPIPE_SZ, -1);
    CALL(fcntl, "---", reads, F_SETLK, P(&(struct flock){.l_type = F_WRLCK}));
    CALL(fcntl, "---", only_path, F_GETOWN, 0);
    CALL(ioctl, "F-p", ends[0], 0x541b, P(buf));
    CALL(ioctl, "---", file, 0x5401, P(buf));
    CALL(readahead, "F--", file, 0, 8);
    CALL(readahead, "---", writes, 0, 8);
    CALL(readahead, "---", ends[0], 0, 8);
    CALL(fadvise64, "F---", file, 0, 0, 0);
    CALL(fadvise64, "----", file, 0, 0, 77);
    CALL(fadvise64, "----", file, 0, -1, 0);
    CALL(fadvise64, "----", ends[0], 0, 0, 0);
    CALL(copy_file_range, "FoFo--", file, 0, writes, 0, 8, 0);
    CALL(copy_file_range, "------", writes, 0, file, 0, 8, 0);
    CALL(copy_file_range, "------", file, 0, reads, 0, 8, 0);
    CALL(copy_file_range, "------", file, 0, appends, 0, 8, 0);
    CALL(copy_file_range, "------", folder, 0, file, 0, 8, 0);
    CALL(copy_file_range, "------", ends[0], 0, file, 0, 8, 0);
    CALL(copy_file_range, "------", file, 0, writes, 0, 8, 1);
    CALL(vmsplice, "Fp--", ends[1], P(&vector), 1, 0);
    CALL(vmsplice, "----", file, P(&vector), 1, 0);
    CALL(splice, "FoFo--", ends[0], 0, file, 0, 8, 0);
    CALL(splice, "------", file, 0, writes, 0, 8, 0);
    CALL(splice, "------", ends[0], P(buf), file, 0, 8, 0);
    CALL(tee, "FF--", ends[0], ends[1], 8, 0);
    CALL(tee, "----", file, ends[1], 8, 0);
    CALL(pipe2, "p-", P(buf), 0);
    CALL(pipe2, "--", P(buf), 1);
    CALL(mmap, "----F-", 0, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    CALL(mmap, "------", 0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CALL(mmap, "------", 0, 4096, PROT_READ, MAP_ANONYMOUS, -1, 0);
    CALL(mmap, "------", 0, 4096, PROT_READ, MAP_PRIVATE, file, 1);
    CALL(mmap, "------", 0, 4096, PROT_READ, MAP_PRIVATE, ends[0], 0);
    CALL(mmap, "------", 0, 4096, PROT_READ, MAP_PRIVATE, writes, 0);
    CALL(mmap, "------", 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, reads, 0);
    CALL(mmap, "------", 0, 4096, PROT_READ, MAP_PRIVATE, only_path, 0);
    CALL(mmap, "------", P(buf) & ~4095, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CALL(mmap, "------", 0, UINT64_C(1) << 62, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int full = open("/dev/full", O_RDWR), zero = open("/dev/zero", O_RDONLY);
    CALL(write, "---", full, P(buf), 8);
    CALL(writev, "---", full, P(&vector), 1);
    CALL(pwrite64, "----", full, P(buf), 8, 0);
    CALL(pwritev, "-----", full, P(&vector), 1, 0, 0);
    CALL(pwritev2, "------", full, P(&vector), 1, 0, 0, 0);
    CALL(fallocate, "----", full, 0, 0, 8);
    CALL(preadv, "-----", folder, P(&vector), 1, 0, 0);
    CALL(preadv2, "------", folder, P(&vector), 1, 0, 0, 0);
    while (write(ends[1], buf, sizeof buf) > 0)
        continue;
    CALL(write, "---", ends[1], P(buf), 8);
    CALL(writev, "---", ends[1], P(&vector), 1);
    CALL(vmsplice, "----", ends[1], P(&vector), 1, SPLICE_F_NONBLOCK);
    CALL(sendfile, "----", ends[1], file, P(&(uint64_t){0}), 8);
    CALL(splice, "------", zero, 0, ends[1], 0, 8, SPLICE_F_NONBLOCK);
    while (read(ends[0], buf, sizeof buf) > 0)
        continue;
    CALL(tee, "----", ends[0], open("new_fifo", O_RDWR), 8, SPLICE_F_NONBLOCK);
    mkdir("removed", 0700);
    int removed = open("removed", O_DIRECTORY), back = open(".", O_DIRECTORY);
    fchdir(removed);
    rmdir("../removed");
    CALL(getcwd, "--", P(buf), sizeof buf);
    CALL(getdents64, "---", removed, P(buf), sizeof buf);
    CALL(openat, "----", here, P("new"), O_CREAT | O_RDWR, 0600);
    fchdir(back);
    CALL(close, "F", folder);
    CALL(close, "-", folder);
    CALL(close_range, "---", 70, 80, 0);
    CALL(memfd_create, "--", P("name"), 0);
    CALL(memfd_create, "--", P(long_name), 0);
}

static void events(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    struct itimerspec timer = {{0, 0}, {1, 0}}, wrong = {{0, 0}, {0, 1000000000}};
    struct pollfd one = {.fd = file, .events = POLLIN};
    int e = epoll_create1(0), other = epoll_create1(0), t = timerfd_create(CLOCK_MONOTONIC, 0), ends[2];
    uint64_t set = 0;
    (void)!pipe2(ends, O_NONBLOCK);
    CALL(epoll_ctl, "F-Fp", e, EPOLL_CTL_ADD, ends[0], P(&event));
    CALL(epoll_ctl, "----", e, EPOLL_CTL_ADD, ends[0], P(&event));
    CALL(epoll_ctl, "----", e, EPOLL_CTL_MOD, ends[1], P(&event));
    CALL(epoll_ctl, "----", e, EPOLL_CTL_DEL, ends[1], 0);
    CALL(epoll_ctl, "----", e, EPOLL_CTL_ADD, e, P(&event));
    CALL(epoll_ctl, "----", e, 9, ends[0], P(&event));
    CALL(epoll_ctl, "----", e, EPOLL_CTL_ADD, file, P(&event));
    CALL(epoll_ctl, "----", ends[0], EPOLL_CTL_ADD, e, P(&event));
    CALL(epoll_ctl, "----", e, EPOLL_CTL_ADD, other, P(&event));
    CALL(epoll_ctl, "----", other, EPOLL_CTL_ADD, e, P(&event));
    (void)!write(ends[1], "x", 1);
    CALL(epoll_pwait, "Fp----", e, P(&event), 1, 0, 0, 8);
    CALL(epoll_pwait, "----o-", e, P(&event), 1, 0, P(&set), 8);
    CALL(epoll_pwait, "------", e, P(&event), 1, 0, P(&set), 4);
    CALL(epoll_pwait, "------", e, P(&event), 0, 0, 0, 8);
    CALL(epoll_pwait, "------", ends[0], P(&event), 1, 0, 0, 8);
    CALL(epoll_pwait2, "Fp-o--", e, P(&event), 1, P(&no_time), 0, 8);
    CALL(epoll_pwait2, "----o-", e, P(&event), 1, P(&no_time), P(&set), 8);
    CALL(epoll_pwait2, "------", ends[0], P(&event), 1, P(&no_time), 0, 8);
    CALL(ppoll, "p-oo-", P(&one), 1, P(&no_time), P(&set), 8);
    CALL(ppoll, "-----", P(&one), 1, P(&wrong_time), 0, 8);
    CALL(ppoll, "-----", P(&one), 1, P(&no_time), P(&set), 4);
    CALL(ppoll, "-----", P(&one), 1 << 30, P(&no_time), 0, 8);
    CALL(pselect6, "-ooo--", 8, P(buf), 0, 0, P(&no_time), 0);
    CALL(pselect6, "----o-", 8, 0, 0, 0, P(&no_time), 0);
    CALL(pselect6, "-----o", 8, 0, 0, 0, P(&no_time), 0);
    CALL(pselect6, "------", -1, 0, 0, 0, P(&no_time), 0);
    CALL(pselect6, "------", 8, 0, 0, 0, P(&wrong_time), 0);
    memset(buf, 0xff, 128);
    CALL(pselect6, "------", 1000, P(buf), 0, 0, P(&no_time), 0);
    memset(buf, 0, 128);
    CALL(eventfd2, "--", 0, 0);
    CALL(epoll_create1, "-", 0);
    CALL(inotify_init1, "-", 0);
    CALL(inotify_init1, "-", 1);
    CALL(signalfd4, "Fp--", -1, P(&set), 8, 0);
    CALL(signalfd4, "----", -1, P(&set), 4, 0);
    CALL(signalfd4, "----", ends[0], P(&set), 8, 0);
    CALL(signalfd4, "----", -1, P(&set), 8, 1);
    CALL(timerfd_create, "--", CLOCK_MONOTONIC, 0);
    CALL(timerfd_create, "--", 77, 0);
    CALL(timerfd_create, "--", CLOCK_MONOTONIC, 1);
    CALL(timerfd_settime, "F-po", t, 0, P(&timer), 0);
    CALL(timerfd_settime, "----", t, 0, P(&wrong), 0);
    CALL(timerfd_settime, "----", t, 8, P(&timer), 0);
    CALL(timerfd_settime, "----", file, 0, P(&timer), 0);
    CALL(timerfd_gettime, "Fp", t, P(buf));
    CALL(timerfd_gettime, "--", file, P(buf));
}

static void sockets(void)
{
    struct sockaddr_un name = {AF_UNIX, "socket"}, absent = {AF_UNIX, "absent"}, wrong = {AF_INET, ""};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1},
                  bad_message = {.msg_iov = &bad_vector, .msg_iovlen = 1};
    struct mmsghdr messages = {.msg_hdr = {.msg_iov = &vector, .msg_iovlen = 1}};
    int length = sizeof name, one = 1, pair[2], listens = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    int alone = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0),
        datagram = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
    signal(SIGPIPE, SIG_IGN);
    CALL(socket, "---", AF_UNIX, SOCK_STREAM, 0);
    CALL(socket, "---", 77, SOCK_STREAM, 0);
    CALL(socket, "---", AF_UNIX, 77, 0);
    CALL(socket, "---", AF_UNIX, SOCK_STREAM, 77);
    CALL(socketpair, "---p", AF_UNIX, SOCK_STREAM, 0, P(buf));
    CALL(socketpair, "---p", AF_INET, SOCK_STREAM, 0, P(buf));
    CALL(socketpair, "----", 77, SOCK_STREAM, 0, P(buf));
    CALL(socketpair, "----", AF_UNIX, 77, 0, P(buf));
    CALL(bind, "Sp-", listens, P(&name), sizeof name);
    CALL(bind, "---", listens, P(&name), sizeof name);
    CALL(bind, "---", alone, P(&name), sizeof name);
    CALL(bind, "---", alone, P(&name), -1);
    CALL(bind, "---", alone, P(&wrong), sizeof wrong);
    CALL(bind, "---", alone, P(&(struct sockaddr_un){AF_UNIX, "file/x"}), sizeof name);
    CALL(bind, "---", alone, P(&(struct sockaddr_un){AF_UNIX, "absent/x"}), sizeof name);
    CALL(bind, "---", alone, P(&(struct sockaddr_un){AF_UNIX, "loop/x"}), sizeof name);
    CALL(listen, "S-", listens, 1);
    CALL(listen, "--", datagram, 1);
    CALL(accept, "S--", listens, 0, 0);
    CALL(accept, "---", datagram, 0, 0);
    CALL(accept, "---", alone, 0, 0);
    CALL(connect, "Sp-", alone, P(&name), sizeof name);
    CALL(connect, "---", alone, P(&name), sizeof name);
    CALL(connect, "---", pair[0], P(&absent), sizeof absent);
    CALL(connect, "---", datagram, P(&absent), sizeof absent);
    CALL(connect, "---", datagram, P(&name), sizeof name);
    CALL(connect, "---", datagram, P(&wrong), sizeof wrong);
    CALL(connect, "---", datagram, P(&name), 1000);
    CALL(accept4, "S---", listens, 0, 0, 0);
    CALL(accept4, "----", listens, 0, 0, 0);
    CALL(accept4, "----", listens, 0, 0, 1);
    CALL(connect, "---", socket(AF_UNIX, SOCK_STREAM, 0), P(&name), sizeof name);
    CALL(accept, "---", listens, 0, 0);
    CALL(getsockname, "Spp", listens, P(buf), P(&length));
    CALL(getsockname, "---", listens, P(buf), P(&(int){-1}));
    CALL(getpeername, "Spp", pair[0], P(buf), P(&length));
    CALL(getpeername, "---", listens, P(buf), P(&length));
    CALL(getpeername, "---", pair[0], P(buf), P(&(int){-1}));
    CALL(sendto, "Sp----", pair[0], P(buf), 8, 0, 0, 0);
    CALL(sendto, "------", alone, P(buf), 8, MSG_OOB | MSG_MORE | 0x8000000, 0, 0);
    CALL(sendto, "------", socket(AF_UNIX, SOCK_STREAM, 0), P(buf), 8, 0, 0, 0);
    CALL(sendto, "----p-", datagram, P(buf), 8, 0, P(&absent), sizeof absent);
    CALL(sendto, "------", datagram, P(buf), 8, 0, P(&absent), 1000);
    CALL(sendto, "------", datagram, P(buf), 8, 0, 0, 0);
    CALL(recvfrom, "Sp--o-", pair[1], P(buf), 8, 0, 0, 0);
    CALL(recvfrom, "------", pair[1], P(buf), 8, 0, 0, 0);
    CALL(recvfrom, "------", socket(AF_UNIX, SOCK_STREAM, 0), P(buf), 8, 0, 0, 0);
    CALL(sendmsg, "Sp-", pair[0], P(&message), 0);
    CALL(sendmsg, "---", pair[0], P(&bad_message), 0);
    CALL(recvmsg, "Sp-", pair[1], P(&message), 0);
    CALL(recvmsg, "---", pair[1], P(&message), 0);
    CALL(sendmmsg, "Sp--", pair[0], P(&messages), 1, 0);
    CALL(recvmmsg, "Sp---", pair[1], P(&messages), 1, 0, 0);
    CALL(recvmmsg, "----o", pair[1], P(&messages), 1, 0, P(&wrong_time));
    CALL(setsockopt, "S--p-", pair[0], SOL_SOCKET, SO_PASSCRED, P(&one), sizeof one);
    CALL(setsockopt, "-----", pair[0], SOL_SOCKET, SO_PASSCRED, P(&one), 1);
    CALL(setsockopt, "-----", pair[0], SOL_SOCKET, 9999, P(&one), sizeof one);
    CALL(getsockopt, "S--pp", pair[0], SOL_SOCKET, SO_TYPE, P(buf), P(&length));
    CALL(getsockopt, "-----", pair[0], SOL_SOCKET, SO_TYPE, P(buf), P(&(int){-1}));
    CALL(getsockopt, "-----", pair[0], SOL_SOCKET, 9999, P(buf), P(&length));
    int inet = socket(AF_INET, SOCK_STREAM, 0), refused = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un silent = {AF_UNIX, "silent"};
    const uint16_t nowhere[8] = {AF_INET, 0, 0x0001, 0x0203}; /* an address of no interface */
    CALL(bind, "---", refused, P(&silent), sizeof silent);
    CALL(connect, "---", socket(AF_UNIX, SOCK_STREAM, 0), P(&silent), sizeof silent);
    CALL(connect, "---", socket(AF_UNIX, SOCK_STREAM, 0), P(&(struct sockaddr_un){AF_UNIX, "loop/x"}), sizeof name);
    CALL(connect, "---", socket(AF_UNIX, SOCK_STREAM, 0), P(&(struct sockaddr_un){AF_UNIX, "file/x"}), sizeof name);
    CALL(connect, "---", inet, P(&silent), sizeof silent);
    CALL(bind, "---", inet, P(nowhere), sizeof nowhere);
    CALL(bind, "---", inet, P(&silent), sizeof silent);
    CALL(sendto, "------", inet, P(buf), 8, MSG_NOSIGNAL, 0, 0);
    CALL(recvfrom, "------", inet, P(buf), 8, 0, 0, 0);
    CALL(recvmsg, "---", inet, P(&message), 0);
    CALL(recvmmsg, "-----", inet, P(&messages), 1, 0, 0);
    CALL(shutdown, "--", inet, SHUT_RDWR);
    CALL(sendto, "------", pair[0], P(buf), 8, 0, P(&silent), sizeof silent);
    CALL(sendto, "------", datagram, P(buf), 8, 0, P(&silent), sizeof silent);
    struct msghdr to_nobody = message;
    CALL(sendmsg, "---", datagram, P(&to_nobody), 0);
    to_nobody.msg_name = &absent, to_nobody.msg_namelen = sizeof absent;
    CALL(sendmsg, "---", datagram, P(&to_nobody), 0);
    while (write(pair[0], buf, sizeof buf) > 0)
        continue;
    CALL(sendto, "------", pair[0], P(buf), 8, 0, 0, 0);
    CALL(sendmsg, "---", pair[0], P(&message), 0);
    CALL(sendmmsg, "----", pair[0], P(&messages), 1, 0);
    CALL(shutdown, "S-", pair[0], SHUT_RDWR);
    CALL(shutdown, "--", pair[0], 9);
    CALL(shutdown, "--", socket(AF_UNIX, SOCK_STREAM, 0), SHUT_RD);
    CALL(sendto, "------", pair[0], P(buf), 8, 0, 0, 0);
    CALL(sendmsg, "---", pair[0], P(&message), 0);
    CALL(sendmmsg, "----", pair[0], P(&messages), 1, 0);
    CALL(write, "---", pair[0], P(buf), 8);
}

static void processes(void)
{
    struct itimerval interval = {{0, 0}, {1000, 0}}, wrong_interval = {{0, 0}, {0, 1000000}};
    struct itimerspec timer = {{0, 0}, {1000, 0}}, wrong = {{0, 0}, {0, 1000000000}};
    struct rlimit limit = {1 << 20, 1 << 20}, wrong_limit = {2, 1};
    int id = 0;
    uint64_t set = 0;
    pid_t self = getpid(), absent = 1 << 22;
    CALL(times, "o", P(buf));
    CALL(uname, "p", P(buf));
    CALL(sysinfo, "p", P(buf));
    CALL(getcwd, "p-", P(buf), sizeof buf);
    CALL(getcwd, "--", P(buf), 2);
    CALL(getrlimit, "-p", RLIMIT_NOFILE, P(buf));
    CALL(getrlimit, "-p", 77, P(buf));
    CALL(setrlimit, "-p", RLIMIT_STACK, P(&limit));
    CALL(setrlimit, "-p", RLIMIT_STACK, P(&wrong_limit));
    CALL(setrlimit, "--", 77, P(&limit));
    CALL(prlimit64, "--oo", 0, RLIMIT_NOFILE, 0, P(buf));
    CALL(prlimit64, "----", 0, 77, 0, P(buf));
    CALL(prlimit64, "----", 0, RLIMIT_STACK, P(&wrong_limit), 0);
    CALL(prlimit64, "----", absent, RLIMIT_STACK, 0, P(buf));
    CALL(getrusage, "-p", RUSAGE_SELF, P(buf));
    CALL(gettimeofday, "oo", P(buf), P(buf + 64));
    CALL(clock_gettime, "-p", CLOCK_REALTIME, P(buf));
    CALL(clock_getres, "-o", CLOCK_REALTIME, P(buf));
    CALL(clock_nanosleep, "--p-", CLOCK_MONOTONIC, 0, P(&no_time), 0);
    CALL(clock_nanosleep, "----", CLOCK_MONOTONIC, 0, P(&wrong_time), 0);
    CALL(clock_nanosleep, "----", 77, 0, P(&no_time), 0);
    CALL(clock_nanosleep, "----", CLOCK_THREAD_CPUTIME_ID, 0, P(&no_time), 0);
    CALL(nanosleep, "p-", P(&no_time), 0);
    CALL(nanosleep, "--", P(&wrong_time), 0);
    CALL(getitimer, "-p", ITIMER_REAL, P(buf));
    CALL(getitimer, "--", 7, P(buf));
    CALL(setitimer, "-oo", ITIMER_REAL, P(&interval), P(buf));
    CALL(setitimer, "---", ITIMER_REAL, P(&wrong_interval), 0);
    CALL(setitimer, "---", 7, P(&interval), 0);
    CALL(timer_create, "-op", CLOCK_MONOTONIC, 0, P(&id));
    CALL(timer_settime, "--po", id, 0, P(&timer), 0);
    CALL(timer_settime, "----", id, 0, P(&wrong), 0);
    CALL(timer_settime, "----", 77, 0, P(&timer), 0);
    CALL(timer_gettime, "-p", id, P(buf));
    CALL(timer_gettime, "--", 77, P(buf));
    CALL(timer_getoverrun, "-", id);
    CALL(timer_getoverrun, "-", 77);
    CALL(timer_delete, "-", id);
    CALL(timer_delete, "-", id);
    CALL(getresuid, "ppp", P(buf), P(buf), P(buf));
    CALL(getresgid, "ppp", P(buf), P(buf), P(buf));
    CALL(setresuid, "---", -1, -1, -1);
    CALL(setregid, "--", -1, -1);
    CALL(setgid, "-", getgid());
    CALL(setfsuid, "-", getuid());
    CALL(setfsgid, "-", getgid());
    CALL(getgid, "");
    CALL(getegid, "");
    CALL(geteuid, "");
    CALL(getgroups, "-", 0);
    CALL(getpgid, "-", 0);
    CALL(getpgid, "-", absent);
    CALL(getsid, "-", 0);
    CALL(getsid, "-", absent);
    CALL(setpgid, "--", absent, 0);
    CALL(sched_setparam, "-p", 0, P(buf + 2048));
    CALL(sched_setparam, "--", absent, P(buf + 2048));
    CALL(sched_getparam, "-p", 0, P(buf));
    CALL(sched_getparam, "--", absent, P(buf));
    CALL(sched_getaffinity, "--p", 0, 128, P(buf));
    CALL(sched_getaffinity, "---", 0, 1, P(buf));
    CALL(sched_setaffinity, "--p", 0, 128, P(buf));
    CALL(sched_setaffinity, "---", 0, 128, P(buf + 2048));
    CALL(sched_setaffinity, "---", absent, 128, P(buf));
    CALL(sched_yield, "");
    CALL(ioprio_set, "---", 1, 0, 0);
    CALL(ioprio_set, "---", 1, absent, 0);
    CALL(ioprio_set, "---", 9, 0, 0);
    CALL(setpriority, "---", PRIO_PROCESS, absent, 0);
    CALL(getcpu, "oo", P(buf), P(buf));
    CALL(getrandom, "o--", P(buf), 8, 0);
    CALL(umask, "-", 022);
    CALL(kill, "--", self, 0);
    CALL(kill, "--", absent, 0);
    CALL(kill, "--", self, 65);
    CALL(tkill, "--", gettid(), 0);
    CALL(tkill, "--", absent, 0);
    CALL(tgkill, "---", self, gettid(), 0);
    CALL(tgkill, "---", self, absent, 0);
    CALL(rt_sigaction, "-oo-", SIGUSR1, 0, P(buf), 8);
    CALL(rt_sigaction, "----", 0, 0, 0, 8);
    CALL(rt_sigaction, "----", 65, 0, 0, 8);
    CALL(rt_sigaction, "----", SIGUSR1, 0, 0, 4);
    CALL(rt_sigaction, "----", SIGKILL, P(buf), 0, 8);
    CALL(rt_sigprocmask, "-oo-", SIG_BLOCK, P(&set), P(buf), 8);
    CALL(rt_sigprocmask, "----", 7, P(&set), 0, 8);
    CALL(rt_sigprocmask, "----", SIG_BLOCK, P(&set), 0, 4);
    CALL(rt_sigpending, "p-", P(buf), 8);
    CALL(rt_sigpending, "--", P(buf), 9);
    CALL(rt_sigtimedwait, "poo-", P(&set), 0, P(&no_time), 8);
    CALL(rt_sigtimedwait, "----", P(&set), 0, P(&no_time), 4);
    CALL(rt_sigtimedwait, "----", P(&set), 0, P(&wrong_time), 8);
    CALL(rt_sigsuspend, "p-", 16, 8);
    CALL(rt_sigsuspend, "--", P(&set), 4);
    CALL(rt_sigqueueinfo, "--p", self, 0, P(buf + 2048));
    CALL(rt_sigqueueinfo, "--p", absent, 0, P(buf + 2048));
    CALL(rt_sigqueueinfo, "---", self, 65, P(buf + 2048));
    CALL(rt_tgsigqueueinfo, "---p", self, gettid(), 0, P(buf + 2048));
    CALL(rt_tgsigqueueinfo, "----", self, absent, 0, P(buf + 2048));
    CALL(rt_tgsigqueueinfo, "----", self, gettid(), 65, P(buf + 2048));
    CALL(rt_tgsigqueueinfo, "----", -1, gettid(), 0, P(buf + 2048));
    *(int32_t *)(void *)(buf + 2048 + 8) = -1; /* si_code of sigqueue */
    CALL(rt_sigqueueinfo, "---", absent, 0, P(buf + 2048));
    CALL(rt_tgsigqueueinfo, "----", self, absent, 0, P(buf + 2048));
    memset(buf + 2048, 0, 128);
    CALL(sigaltstack, "oo", 0, P(buf));
    CALL(wait4, "-o-o", self, P(buf), WNOHANG, 0);
    CALL(waitid, "--o-o", P_PID, self, P(buf), WNOHANG | WEXITED, 0);
    CALL(waitid, "-----", P_PID, self, P(buf), 0, 0);
    CALL(waitid, "-----", 9, self, P(buf), WNOHANG | WEXITED, 0);
    CALL(waitid, "-----", P_PIDFD, CLOSED, P(buf), WNOHANG | WEXITED, 0);
    CALL(set_robust_list, "--", 0, 24);
    CALL(set_robust_list, "--", 0, 23);
    CALL(get_robust_list, "-pp", 0, P(buf), P(buf));
    CALL(get_robust_list, "---", absent, P(buf), P(buf));
    CALL(futex, "p-----", P(&id), 1, 1, 0, 0, 0);
    CALL(futex, "p--o--", P(&id), 0, id + 1, P(&no_time), 0, 0);
    CALL(futex, "------", P(&id), 0, id, P(&wrong_time), 0, 0);
    CALL(futex, "------", P(&id), 0, id, P(&no_time), 0, 0);
    CALL(futex, "------", P(&id) + 1, 0, id, 0, 0, 0);
    CALL(futex, "------", P(&id), 77, 0, 0, 0, 0);
    CALL(pidfd_open, "--", self, 0);
    CALL(pidfd_open, "--", absent, 0);
    CALL(pidfd_send_signal, "F-o-", syscall(SYS_pidfd_open, self, 0), 0, 0, 0);
    CALL(pidfd_getfd, "FF-", syscall(SYS_pidfd_open, self, 0), file, 0);
    CALL(pidfd_getfd, "---", file, file, 0);
    CALL(pidfd_getfd, "---", syscall(SYS_pidfd_open, self, 0), file, 1);
    CALL(unshare, "-", 0);
    *(uint64_t *)(void *)(buf + 2048) = 0x10000; /* CLONE_THREAD alone */
    CALL(clone3, "p-", P(buf + 2048), 64);
    CALL(clone3, "--", P(buf + 2048), 8);
    CALL(clone3, "--", P(buf + 2048), 8192);
    CALL(clone, "-----", 0x10000, 0, 0, 0, 0);
    struct {
        uint32_t size, policy;
        uint64_t rest[6];
    } attributes = {56};
    CALL(sched_setattr, "-p-", 0, P(&attributes), 0);
    CALL(sched_setattr, "---", absent, P(&attributes), 0);
    CALL(sched_getattr, "-p--", 0, P(buf), 56, 0);
    CALL(capset, "--", P(&(uint32_t[2]){1, 0}), P(buf));
    CALL(capset, "--", P(&(uint32_t[2]){0x20080522, absent}), P(buf));
    CALL(prctl, "-----", 9999, 0, 0, 0, 0);
    CALL(prctl, "-p---", 16, P(buf), 0, 0, 0);
}

static void memory(void)
{
    char *m = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(m + 2 * 4096, 4096);
    CALL(munmap, "--", P(m) + 1, 4096);
    CALL(munmap, "--", P(m), 0);
    CALL(munmap, "--", P(m), UINT64_C(1) << 63);
    CALL(mprotect, "---", P(m), 4096, PROT_READ);
    CALL(mprotect, "---", P(m) + 1, 4096, PROT_READ);
    CALL(mprotect, "---", P(m), 3 * 4096, PROT_READ);
    CALL(mprotect, "---", P(m), 4096, 0x100);
    CALL(mprotect, "---", P(m), 4096, PROT_READ | PROT_GROWSDOWN | PROT_GROWSUP);
    CALL(msync, "---", P(m), 4096, MS_SYNC);
    CALL(msync, "---", P(m) + 1, 4096, MS_SYNC);
    CALL(msync, "---", P(m), 4096, MS_SYNC | MS_ASYNC);
    CALL(msync, "---", P(m), 4096, 0x100);
    CALL(msync, "---", P(m), 3 * 4096, MS_SYNC);
    CALL(mremap, "-----", P(m) + 1, 4096, 4096, 0, 0);
    CALL(mremap, "-----", P(m), 4096, 0, 0, 0);
    CALL(mremap, "-----", P(m), 4096, 4096, 0x100, 0);
    CALL(mremap, "-----", P(m), 4096, 4096, MREMAP_FIXED, P(m));
    CALL(mremap, "-----", P(m) + 2 * 4096, 4096, 2 * 4096, MREMAP_MAYMOVE, 0);
    CALL(madvise, "---", P(m), 4096, MADV_DONTNEED);
    CALL(mincore, "--p", P(m), 4096, P(buf));
    CALL(mlock, "--", P(m), 4096);
    CALL(mlock2, "---", P(m), 4096, 0);
    CALL(mlock2, "---", P(m), 3 * 4096, 0);
    CALL(munlock, "--", P(m), 4096);
    CALL(munlockall, "");
    CALL(membarrier, "---", 0, 0, 0);
    CALL(membarrier, "---", 77, 0, 0);
    CALL(membarrier, "---", 8, 0, 0); /* not registered */
    CALL(membarrier, "---", 16, 0, 0);
    CALL(membarrier, "---", 8, 0, 0);
    CALL(mlockall, "-", 1);
    CALL(munlockall, "");
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    CALL(shmctl, "--p", id, IPC_STAT, P(buf));
    CALL(shmctl, "--p", id, IPC_SET, P(buf));
    CALL(shmat, "---", id, 1, 0);
    CALL(shmat, "---", id, P(m), 0);
    CALL(shmat, "---", id, 0, 0);
    CALL(shmctl, "---", id, IPC_RMID, 0);
    CALL(shmctl, "---", 1 << 30, IPC_RMID, 0);
    CALL(shmget, "---", 0x7ac5, 4096, 0);
    CALL(shmget, "---", IPC_PRIVATE, 0, IPC_CREAT);
}

/* Calls that make a descriptor, without a number that is free. */
static void full(void)
{
    int e = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), c = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_un name = {AF_UNIX, "full"};
    int self = syscall(SYS_pidfd_open, getpid(), 0);
    uint64_t how[3] = {O_RDONLY}, set = 0;
    struct rlimit old, few = {3, 1024};
    bind(e, (struct sockaddr *)&name, sizeof name);
    listen(e, 5);
    connect(c, (struct sockaddr *)&name, sizeof name);
    getrlimit(RLIMIT_NOFILE, &old);
    few.rlim_max = old.rlim_max;
    fflush(stdout);
    setrlimit(RLIMIT_NOFILE, &few);
    CALL(openat, "----", here, P("not_made"), O_CREAT | O_WRONLY, 0600);
    CALL(faccessat, "---", here, P("not_made"), F_OK);
    CALL(openat2, "----", here, P("file"), P(how), sizeof how);
    CALL(dup, "-", 0);
    CALL(dup3, "---", 0, 3, 0);
    CALL(fcntl, "---", 0, F_DUPFD, 0);
    CALL(fcntl, "---", 0, F_DUPFD, 3);
    CALL(pipe2, "--", P(buf), 0);
    CALL(socket, "---", AF_UNIX, SOCK_STREAM, 0);
    CALL(socketpair, "----", AF_UNIX, SOCK_STREAM, 0, P(buf));
    CALL(accept, "---", e, 0, 0);
    CALL(accept4, "----", e, 0, 0, 0);
    CALL(epoll_create1, "-", 0);
    CALL(eventfd2, "--", 0, 0);
    CALL(inotify_init1, "-", 0);
    CALL(signalfd4, "----", -1, P(&set), 8, 0);
    CALL(timerfd_create, "--", CLOCK_MONOTONIC, 0);
    CALL(memfd_create, "--", P("name"), 0);
    CALL(pidfd_open, "--", getpid(), 0);
    CALL(pidfd_getfd, "---", self, 0, 0);
    setrlimit(RLIMIT_NOFILE, &old);
    CALL(accept, "---", e, 0, 0);
}

static void on_alarm(int signal) { (void)signal; }

/* A timer interrupts the call, again and again until it has begun to wait. */
static void set_timer(int us)
{
    const struct itimerval timer = {{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &timer, NULL);
}
#define INTERRUPT(...) (set_timer(3000), CALL(__VA_ARGS__), set_timer(0))

/* Calls that wait until a signal is handled. */
static void interrupted(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    int id = 0, ends[2], e = epoll_create1(0), listens = socket(AF_UNIX, SOCK_STREAM, 0), pair[2], locked;
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    const struct timespec long_time = {1000, 0};
    struct sockaddr_un name = {AF_UNIX, "waits"};
    struct epoll_event event;
    uint64_t set = 0, usr1 = 1 << (SIGUSR1 - 1);
    (void)!pipe2(ends, 0);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    bind(listens, (struct sockaddr *)&name, sizeof name);
    listen(listens, 1);
    sigaction(SIGALRM, &action, NULL);
    fflush(stdout);
    pid_t child = fork();
    while (child == 0)
        pause();
    INTERRUPT(nanosleep, "--", P(&long_time), 0);
    INTERRUPT(clock_nanosleep, "----", CLOCK_MONOTONIC, 0, P(&long_time), 0);
    INTERRUPT(ppoll, "-----", 0, 0, P(&long_time), 0, 8);
    INTERRUPT(pselect6, "------", 0, 0, 0, 0, P(&long_time), 0);
    INTERRUPT(epoll_pwait, "------", e, P(&event), 1, -1, 0, 8);
    INTERRUPT(epoll_pwait2, "------", e, P(&event), 1, P(&long_time), 0, 8);
    INTERRUPT(read, "---", ends[0], P(buf), 8);
    INTERRUPT(readv, "---", ends[0], P(&vector), 1);
    INTERRUPT(recvfrom, "------", pair[0], P(buf), 8, 0, 0, 0);
    INTERRUPT(recvmsg, "---", pair[0], P(&message), 0);
    INTERRUPT(accept, "---", listens, 0, 0);
    INTERRUPT(accept4, "----", listens, 0, 0, 0);
    INTERRUPT(wait4, "----", child, 0, 0, 0);
    INTERRUPT(waitid, "-----", P_PID, child, 0, WEXITED, 0);
    INTERRUPT(rt_sigtimedwait, "----", P(&usr1), 0, P(&long_time), 8);
    INTERRUPT(rt_sigsuspend, "--", P(&set), 8);
    INTERRUPT(futex, "------", P(&id), 0, 0, 0, 0, 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    locked = open("file", O_RDWR);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    fcntl(locked, F_SETLK, &lock);
    flock(locked, LOCK_EX);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        int other = open("file", O_RDWR);
        CALL(fcntl, "---", other, F_SETLK, P(&lock));
        INTERRUPT(fcntl, "---", other, F_SETLKW, P(&lock));
        INTERRUPT(flock, "--", other, LOCK_EX);
        CALL(flock, "--", other, LOCK_EX | LOCK_NB);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    uint64_t clone[8] = {0, 0, 0, 0, SIGCHLD};
    if ((child = syscall(SYS_clone3, clone, sizeof clone)) == 0)
        _exit(7);
    int status = 0;
    waitpid(child, &status, 0);
    printf("clone3: %d\n", WEXITSTATUS(status));
}

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *at) { return remove(path); }

int main(void)
{
    char name[] = "/tmp/guest_arguments.XXXXXX";
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    if (mkdtemp(name) == NULL || chdir(name) != 0)
        return 1;
    memset(long_name, 'x', sizeof long_name - 1);
    file = open("file", O_CREAT | O_RDWR, 0600);
    (void)!write(file, long_name, 200);
    mkdir("folder", 0700);
    mkdir("folder/inner", 0700);
    (void)!symlink("loop", "loop");
    (void)!symlink("file", "link");
    (void)!symlink(".", "here");
    names();
    descriptors();
    events();
    sockets();
    processes();
    memory();
    full();
    interrupted();
    nftw(name, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
