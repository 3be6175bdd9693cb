/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that a process without privileges may not make, or for itself alone; programs given by their descriptor. The
 * expected output is that of the same file compiled for the host and run by a user without privileges: qemu-riscv64 7.2
 * has not all calls, and passes execveat to the host. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void *const bad = (void *)16;

static void denied(void)
{
    struct timespec now = {.tv_sec = 1};
    struct timeval when = {.tv_sec = 1};
    SHOW(chroot("/"));
    SHOW(chroot("/none"));
    SHOW(chroot("/proc/self/exe"));
    SHOW(chroot(bad));
    SHOW(clock_settime(CLOCK_REALTIME, &now));
    SHOW(clock_settime(CLOCK_MONOTONIC, &now));
    SHOW(syscall(SYS_clock_settime, CLOCK_REALTIME, bad));
    SHOW(settimeofday(&when, NULL));
    SHOW(sethostname("name", 4));
    SHOW(setdomainname("name", 4));
    SHOW(mount("none", "/", "tmpfs", 0, NULL));
    SHOW(umount2("/", 0));
    SHOW(swapoff("/"));
    SHOW(syscall(SYS_pivot_root, "/", "/"));
    SHOW(syscall(SYS_vhangup));
}

static void *sleeper(void *arg)
{
    pthread_barrier_wait(arg);
    pthread_barrier_wait(arg);
    return NULL;
}

static void shared(void)
{
    pthread_barrier_t together;
    pthread_t thread;
    SHOW(unshare(0));
    SHOW(unshare(CLONE_FILES | CLONE_FS));
    SHOW(unshare(CLONE_SYSVSEM));
    SHOW(unshare(CLONE_THREAD));
    SHOW(unshare(1));
    SHOW(unshare(CLONE_NEWNET));
    SHOW(unshare(CLONE_NEWUTS | CLONE_NEWNS));
    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&thread, NULL, sleeper, &together);
    pthread_barrier_wait(&together);
    SHOW(unshare(CLONE_THREAD));
    SHOW(unshare(CLONE_SIGHAND));
    pthread_barrier_wait(&together);
    pthread_join(thread, NULL);
}

static void descriptors(void)
{
    int pid = getpid(), fd = open("/dev/null", O_RDONLY), other = open("/dev/null", O_RDONLY), copy = dup(fd);
    int self = (int)syscall(SYS_pidfd_open, pid, 0);
    SHOW(syscall(SYS_kcmp, pid, pid, KCMP_FILE, fd, copy));
    SHOW(syscall(SYS_kcmp, pid, pid, KCMP_FILE, fd, other) > 0);
    SHOW(syscall(SYS_kcmp, pid, pid, KCMP_FILE, fd, 999));
    SHOW(syscall(SYS_kcmp, pid, pid, KCMP_VM, 0, 0));
    SHOW(syscall(SYS_kcmp, pid, pid, 100, 0, 0));
    SHOW(syscall(SYS_kcmp, pid, 999999999, KCMP_VM, 0, 0));
    int got = (int)syscall(SYS_pidfd_getfd, self, fd, 0);
    SHOW(syscall(SYS_kcmp, pid, pid, KCMP_FILE, fd, got));
    SHOW(fcntl(got, F_GETFD));
    SHOW(syscall(SYS_pidfd_getfd, self, 999, 0));
    SHOW(syscall(SYS_pidfd_getfd, self, fd, 1));
    SHOW(syscall(SYS_pidfd_getfd, 999, fd, 0));
}

static int execute(int dir, const char *path, int flags, const char *how)
{
    char *argv[] = {"again", (char *)how, NULL}, *envp[] = {"NAME=value", NULL};
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        syscall(SYS_execveat, dir, path, argv, envp, flags);
        printf("%s: %s\n", how, strerror(errno));
        exit(1);
    }
    waitpid(child, &status, 0);
    return status;
}

static void by_descriptor(const char *program)
{
    char folder[4096], link[] = "/tmp/guest.XXXXXX";
    int self = open(program, O_RDONLY | O_CLOEXEC);
    strcpy(folder, program);
    char *base = strrchr(folder, '/');
    *base++ = '\0';
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mkdtemp(link);
    int links = open(link, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    (void)!symlinkat(program, links, "link");
    dup2(self, 40);
    dup2(dir, 41);
    SHOW(execute(40, "", AT_EMPTY_PATH, "by descriptor"));
    SHOW(execute(41, base, 0, "by folder") == 0 || strcmp(base, "guest_privilege") != 0);
    SHOW(execute(links, "link", 0, "by link"));
    SHOW(execute(links, "link", AT_SYMLINK_NOFOLLOW, "by link, not followed"));
    SHOW(execute(40, "", 0, "empty"));
    SHOW(execute(40, "", 1, "flags"));
    SHOW(execute(999, "none", 0, "bad descriptor"));
    SHOW(execute(999, "/none", 0, "absolute"));
    SHOW(execute(40, "below", 0, "below a file"));
    SHOW(execute(AT_FDCWD, "none", 0, "relative"));
    unlinkat(links, "link", 0);
    rmdir(link);
}

struct capabilities {
    struct {
        uint32_t version;
        int pid;
    } head;
    uint32_t sets[6];
};

static long get_capabilities(struct capabilities *c, uint32_t version, int pid)
{
    c->head.version = version, c->head.pid = pid;
    memset(c->sets, 0x55, sizeof c->sets);
    return syscall(SYS_capget, &c->head, c->sets);
}

static struct capabilities own, other;
enum { VERSION = 0x20080522 };

static void *of_threads(void *unused)
{
    SHOW(get_capabilities(&other, VERSION, (int)syscall(SYS_gettid)) == 0 && memcmp(own.sets, other.sets, 24) == 0);
    SHOW(get_capabilities(&other, VERSION, getpid()) == 0 && memcmp(own.sets, other.sets, 24) == 0);
    own.head.pid = (int)syscall(SYS_gettid);
    SHOW(syscall(SYS_capset, &own.head, own.sets));
    own.head.pid = getpid();
    SHOW(syscall(SYS_capset, &own.head, own.sets));
    return unused;
}

static void capabilities(void)
{
    pthread_t thread;
    SHOW(get_capabilities(&own, VERSION, 0));
    pid_t child = fork();
    while (child == 0)
        pause();
    SHOW(get_capabilities(&other, VERSION, getpid()) == 0 && memcmp(own.sets, other.sets, 24) == 0);
    SHOW(get_capabilities(&other, VERSION, child) == 0 && memcmp(own.sets, other.sets, 24) == 0);
    SHOW(get_capabilities(&other, VERSION, 1 << 30));
    SHOW(get_capabilities(&other, VERSION, -1));
    SHOW(get_capabilities(&other, 5, 1 << 30));
    SHOW(other.head.version == VERSION);
    SHOW(syscall(SYS_capget, &other.head, NULL));
    other.head.pid = child;
    SHOW(syscall(SYS_capset, &other.head, own.sets));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    SHOW(get_capabilities(&other, VERSION, child));
    if (pthread_create(&thread, NULL, of_threads, NULL) == 0)
        pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    char program[4096] = "";
    if (argc == 2) {
        const char *name = (const char *)getauxval(AT_EXECFN);
        printf("%s %s %s %d\n", argv[0], argv[1], getenv("NAME"), strncmp(name, "/dev/fd/", 8) == 0);
        return 0;
    }
    readlink("/proc/self/exe", program, sizeof program - 1);
    denied();
    shared();
    descriptors();
    by_descriptor(program);
    capabilities();
    return 0;
}
