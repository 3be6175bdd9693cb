/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of fcntl that send signals, lease files and give hints; handles of files. The expected output is that of the
 * same file compiled for the host: qemu-riscv64 has not all commands. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void *const bad = (void *)16;

/* The next signal, which is blocked: waits for it. */
static void take(int fd)
{
    sigset_t set;
    siginfo_t info = {0};
    sigfillset(&set);
    int signal = sigtimedwait(&set, &info, &(struct timespec){.tv_sec = 10});
    printf("signal %d", signal >= SIGRTMIN ? signal - SIGRTMIN : signal);
    if (signal >= SIGRTMIN)
        printf(" code %d band %lx descriptor %d", info.si_code, (long)info.si_band, info.si_fd == fd);
    printf("\n");
}

static void signals(int only_path)
{
    int ends[2], folder = open(".", O_RDONLY | O_DIRECTORY), file = memfd_create("file", 0);
    sigset_t set;
    sigfillset(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    (void)!pipe(ends);
    SHOW(fcntl(ends[0], F_GETSIG));
    SHOW(fcntl(ends[0], F_SETSIG, SIGRTMIN + 3));
    SHOW(fcntl(ends[0], F_GETSIG) == SIGRTMIN + 3);
    SHOW(fcntl(ends[0], F_SETSIG, 65));
    SHOW(fcntl(ends[0], F_SETSIG, -1));
    SHOW(fcntl(ends[0], F_SETOWN, getpid()));
    SHOW(fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK));
    (void)!write(ends[1], "x", 1);
    take(ends[0]);
    SHOW(fcntl(ends[0], F_SETSIG, 0));
    (void)!write(ends[1], "x", 1);
    take(ends[0]);
    SHOW(fcntl(folder, F_NOTIFY, DN_CREATE));
    close(open("created", O_CREAT | O_WRONLY, 0600));
    take(folder);
    unlink("created");
    SHOW(fcntl(file, F_NOTIFY, DN_CREATE));
    SHOW(fcntl(only_path, F_GETSIG));
    SHOW(fcntl(only_path, F_SETSIG, 0));
    SHOW(fcntl(only_path, F_NOTIFY, DN_CREATE));
    SHOW(fcntl(999, F_GETSIG));
}

static void leases_and_hints(int only_path)
{
    int file = memfd_create("file", 0), ends[2];
    uint64_t hint = 0;
    (void)!pipe(ends);
    SHOW(fcntl(file, F_GETLEASE));
    SHOW(fcntl(file, F_SETLEASE, F_WRLCK));
    SHOW(fcntl(file, F_GETLEASE));
    SHOW(fcntl(file, F_SETLEASE, F_UNLCK));
    SHOW(fcntl(file, F_GETLEASE));
    SHOW(fcntl(file, F_SETLEASE, 99));
    SHOW(fcntl(ends[0], F_SETLEASE, F_RDLCK));
    SHOW(fcntl(only_path, F_GETLEASE));
    hint = 3;
    SHOW(fcntl(file, F_SET_RW_HINT, &hint));
    hint = 0;
    SHOW(fcntl(file, F_GET_RW_HINT, &hint));
    SHOW(hint);
    hint = 9;
    SHOW(fcntl(file, F_SET_RW_HINT, &hint));
    SHOW(fcntl(file, F_SET_RW_HINT, bad));
    SHOW(fcntl(file, F_GET_RW_HINT, bad));
    SHOW(fcntl(only_path, F_GETFL) == O_PATH);
    SHOW(fcntl(only_path, F_GETFD));
    SHOW(fcntl(only_path, 9999));
    SHOW(fcntl(only_path, F_SETOWN, 77777));
    SHOW(fcntl(file, 9999));
    SHOW(fcntl(file, F_SETPIPE_SZ, 4096));
    SHOW(syscall(SYS_fcntl, file, UINT64_C(0x100000000) + F_GETFD, 0)); /* numbers of 32 bits */
    SHOW(syscall(SYS_fcntl, file, F_DUPFD, UINT64_C(0x100000000) + 50));
}

static int handle_of(int dir, const char *name, int flags, struct file_handle *handle, unsigned room)
{
    int mount;
    handle->handle_bytes = room;
    return name_to_handle_at(dir, name, handle, &mount, flags);
}

static void handles(const char *folder)
{
    _Alignas(8) char first[256] = "", second[256] = "";
    struct file_handle *x = (void *)first, *y = (void *)second;
    int mount, fd = open(folder, O_PATH);
    SHOW(handle_of(AT_FDCWD, folder, 0, x, MAX_HANDLE_SZ));
    SHOW(handle_of(fd, "", AT_EMPTY_PATH, y, MAX_HANDLE_SZ));
    SHOW(memcmp(first, second, sizeof first));
    (void)!symlink(".", "link");
    SHOW(handle_of(AT_FDCWD, "link", AT_SYMLINK_FOLLOW, y, MAX_HANDLE_SZ));
    SHOW(memcmp(first, second, sizeof first));
    SHOW(handle_of(AT_FDCWD, "link", 0, y, MAX_HANDLE_SZ));
    SHOW(memcmp(first, second, sizeof first) != 0);
    unlink("link");
    SHOW(handle_of(AT_FDCWD, folder, 0, y, 0));
    SHOW(y->handle_bytes == x->handle_bytes);
    SHOW(handle_of(AT_FDCWD, folder, 0, y, MAX_HANDLE_SZ + 1));
    SHOW(handle_of(AT_FDCWD, folder, 0x20, y, MAX_HANDLE_SZ));
    SHOW(handle_of(AT_FDCWD, "", 0, y, MAX_HANDLE_SZ));
    SHOW(handle_of(AT_FDCWD, "none", 0, y, MAX_HANDLE_SZ));
    SHOW(handle_of(999, "none", 0, y, MAX_HANDLE_SZ));
    SHOW(handle_of(AT_FDCWD, "/proc/self/exe/x", 0, y, MAX_HANDLE_SZ));
    SHOW(name_to_handle_at(AT_FDCWD, folder, bad, &mount, 0));
    SHOW(name_to_handle_at(AT_FDCWD, bad, x, &mount, 0));
    SHOW(name_to_handle_at(AT_FDCWD, folder, x, bad, 0));
}

int main(void)
{
    char folder[] = "/tmp/guest_fcntl.XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    int only_path = open(".", O_PATH);
    signals(only_path);
    leases_and_hints(only_path);
    handles(folder);
    rmdir(folder);
    return 0;
}
