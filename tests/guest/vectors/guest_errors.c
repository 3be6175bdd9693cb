/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments that Linux rejects, and calls on memory, scheduling and credentials. The expected output is that of the
 * same file compiled for the host: qemu-riscv64 7.2 does not check all arguments. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))
#define CALL(...) syscall(__VA_ARGS__)

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}

static void *const bad = (void *)16;
static char buf[512];

static void flags(void)
{
    struct stat sb;
    struct timespec t;
    close(open("file", O_CREAT | O_WRONLY, 0600));
    SHOW(CALL(SYS_unlinkat, AT_FDCWD, "file", 0x4000));
    SHOW(access("file", F_OK));
    SHOW(CALL(SYS_newfstatat, AT_FDCWD, "file", &sb, 0x10));
    SHOW(CALL(SYS_newfstatat, AT_FDCWD, "file", &sb, AT_SYMLINK_NOFOLLOW));
    SHOW(CALL(SYS_linkat, AT_FDCWD, "file", AT_FDCWD, "link", 0x10));
    SHOW(CALL(SYS_fchownat, AT_FDCWD, "file", -1, -1, 0x10));
    SHOW(CALL(SYS_utimensat, AT_FDCWD, "file", NULL, 0x10));
    SHOW(CALL(SYS_faccessat2, AT_FDCWD, "file", F_OK, 0x10));
    SHOW(CALL(SYS_getrandom, buf, 8, 0x10));
    SHOW(CALL(SYS_getrandom, buf, 8, GRND_RANDOM | 4));
    SHOW(CALL(SYS_getrandom, bad, 8, 0));
    SHOW(CALL(SYS_epoll_create1, 1));
    SHOW(CALL(SYS_eventfd2, 0, 2));
    SHOW(CALL(SYS_memfd_create, "name", 0x40));
    SHOW(CALL(SYS_memfd_create, bad, 0));
    SHOW(CALL(SYS_close_range, 50, 60, 0x40));
    SHOW(CALL(SYS_close_range, 60, 50, 0));
    SHOW(CALL(SYS_clock_gettime, -1, &t));
    SHOW(CALL(SYS_clock_gettime, 99, &t));
    SHOW(CALL(SYS_clock_gettime, CLOCK_MONOTONIC, bad));
    SHOW(CALL(SYS_clock_getres, -1, &t));
    SHOW(CALL(SYS_getrusage, 99, buf));
    SHOW(CALL(SYS_getrusage, RUSAGE_THREAD, buf));
    SHOW(CALL(SYS_getrusage, 0, bad));
    SHOW(CALL(SYS_membarrier, 0x1000, 0));
    SHOW(CALL(SYS_membarrier, 0, 1));
}

static void processes(void)
{
    SHOW(CALL(SYS_wait4, -1, NULL, 0x4, NULL));
    SHOW(CALL(SYS_wait4, INT32_MIN, NULL, WNOHANG, NULL));
    SHOW(CALL(SYS_wait4, -1, NULL, WNOHANG, NULL));
    SHOW(CALL(SYS_setpgid, -1, 0));
    SHOW(CALL(SYS_setpgid, 0, -1));
    SHOW(CALL(SYS_tgkill, -1, gettid(), 0));
    SHOW(CALL(SYS_tgkill, getpid(), -1, 0));
    SHOW(CALL(SYS_tgkill, getpid(), gettid(), 65));
    SHOW(CALL(SYS_tkill, 0, 0));
    SHOW(CALL(SYS_kill, getpid(), -1));
    SHOW(CALL(SYS_pidfd_open, -1, 0));
    SHOW(CALL(SYS_pidfd_open, getpid(), 1));
    int self = CALL(SYS_pidfd_open, getpid(), 0);
    SHOW(CALL(SYS_pidfd_send_signal, self, 0, NULL, 0));
    SHOW(CALL(SYS_pidfd_send_signal, self, SIGCHLD, NULL, 0));
    SHOW(CALL(SYS_pidfd_send_signal, self, 65, NULL, 0));
    SHOW(CALL(SYS_pidfd_send_signal, self, 0, NULL, 0x100));
    SHOW(CALL(SYS_pidfd_send_signal, self, 0, bad, 0));
    SHOW(CALL(SYS_pidfd_send_signal, 0, 0, NULL, 0));
    SHOW(CALL(SYS_pidfd_send_signal, 99, 0, NULL, 0));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    int fd = CALL(SYS_pidfd_open, child, 0), status = 0;
    SHOW(CALL(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0));
    SHOW(waitpid(child, &status, 0) == child);
    SHOW(WTERMSIG(status));
    SHOW(CALL(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0));
    int w = open("program", O_CREAT | O_WRONLY, 0700);
    char *const none[] = {"program", NULL};
    SHOW(write(w, "#!/bin/true\n", 12));
    SHOW(execve("program", none, none + 1));
    close(w);
}

static void credentials(void)
{
    SHOW(CALL(SYS_setuid, -1));
    SHOW(CALL(SYS_setgid, -1));
    SHOW(CALL(SYS_setreuid, -1, -1));
    SHOW(CALL(SYS_setresgid, -1, -1, -1));
    SHOW(CALL(SYS_setuid, getuid()));
    SHOW(CALL(SYS_getgroups, -1, NULL));
    SHOW(CALL(SYS_setgroups, 70000, NULL) < 0);
    struct __user_cap_header_struct h = {_LINUX_CAPABILITY_VERSION_3, 0}, wrong = {1, 0}, nobody = h;
    struct __user_cap_data_struct d[2];
    SHOW(CALL(SYS_capget, &h, d));
    SHOW(CALL(SYS_capset, &h, d));
    SHOW(CALL(SYS_capget, &wrong, NULL));
    printf("%d\n", wrong.version == _LINUX_CAPABILITY_VERSION_3);
    wrong.version = 1;
    SHOW(CALL(SYS_capget, &wrong, d));
    SHOW(CALL(SYS_capget, bad, d));
    SHOW(CALL(SYS_capget, &h, bad));
    SHOW(CALL(SYS_capset, bad, d));
    SHOW(CALL(SYS_capset, &h, bad));
    nobody.pid = -1;
    SHOW(CALL(SYS_capget, &nobody, d));
    nobody.pid = 1 << 22;
    SHOW(CALL(SYS_capget, &nobody, d));
    SHOW(personality(0xffffffff));
    SHOW(personality(ADDR_NO_RANDOMIZE));
    SHOW(personality(0));
}

static void scheduling(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t rest[6];
    } attr = {.size = 48};
    struct sched_param none = {0}, high = {100};
    struct timespec t;
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    SHOW(getpriority(99, 0));
    SHOW(setpriority(99, 0, 0));
    SHOW(getpriority(PRIO_PROCESS, 1 << 22));
    SHOW(setpriority(PRIO_PROCESS, 0, 5));
    SHOW(getpriority(PRIO_PROCESS, 0));
    SHOW(setpriority(PRIO_PROCESS, 0, 100));
    SHOW(getpriority(PRIO_PROCESS, 0));
    SHOW(sched_setscheduler(0, SCHED_BATCH, &none));
    SHOW(sched_getscheduler(0));
    SHOW(sched_setscheduler(0, 77, &none));
    SHOW(sched_setscheduler(0, SCHED_OTHER, &high));
    SHOW(sched_setscheduler(0, SCHED_FIFO, &none));
    SHOW(sched_setscheduler(-1, SCHED_OTHER, &none));
    SHOW(sched_setscheduler(1 << 22, SCHED_OTHER, &none));
    SHOW(sched_setscheduler(0, SCHED_OTHER, NULL));
    SHOW(sched_setscheduler(0, SCHED_OTHER, bad));
    SHOW(sched_setparam(0, &high));
    SHOW(sched_setparam(0, &none));
    SHOW(sched_getparam(0, &high));
    SHOW(high.sched_priority);
    SHOW(sched_getparam(0, NULL));
    SHOW(sched_getscheduler(-1));
    SHOW(sched_getscheduler(1 << 22));
    SHOW(sched_get_priority_max(SCHED_FIFO));
    SHOW(sched_get_priority_min(SCHED_RR));
    SHOW(sched_get_priority_max(SCHED_IDLE));
    SHOW(sched_get_priority_max(77));
    SHOW(sched_get_priority_min(-1));
    SHOW(sched_rr_get_interval(0, &t));
    SHOW(sched_rr_get_interval(-1, &t));
    SHOW(sched_rr_get_interval(1 << 22, &t));
    SHOW(CALL(SYS_sched_rr_get_interval, 0, bad));
    SHOW(CALL(SYS_sched_getattr, 0, &attr, 48, 0));
    printf("%u %u %d\n", attr.size, attr.policy, attr.nice);
    SHOW(CALL(SYS_sched_getattr, 0, &attr, 40, 0));
    SHOW(CALL(SYS_sched_getattr, 0, &attr, 48, 1));
    SHOW(CALL(SYS_sched_getattr, 0, NULL, 48, 0));
    SHOW(CALL(SYS_sched_getattr, 1 << 22, &attr, 48, 0));
    attr.policy = SCHED_OTHER;
    SHOW(CALL(SYS_sched_setattr, 0, &attr, 0));
    SHOW(CALL(SYS_sched_setattr, 0, &attr, 1));
    SHOW(CALL(SYS_sched_setattr, 0, bad, 0));
    attr.size = 8;
    SHOW(CALL(SYS_sched_setattr, 0, &attr, 0));
    attr.size = 48, attr.policy = 77;
    SHOW(CALL(SYS_sched_setattr, 0, &attr, 0));
    SHOW(sched_setaffinity(0, sizeof cpus, &cpus));
    SHOW(sched_setaffinity(0, sizeof cpus, bad));
    SHOW(CALL(SYS_sched_getaffinity, 0, 4, &cpus));
    SHOW(CALL(SYS_sched_getaffinity, -1, sizeof cpus, &cpus));
}

static void memory(void)
{
    const long page = sysconf(_SC_PAGESIZE);
    unsigned char resident[4] = {0};
    int fd = open("mapped", O_CREAT | O_RDWR, 0600), reading = open("mapped", O_RDONLY);
    SHOW(ftruncate(fd, page));
    char *m = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(m, 1, 2 * page);
    SHOW(mincore(m, 2 * page, resident));
    printf("%d %d\n", resident[0] & 1, resident[1] & 1);
    SHOW(mincore(m + 1, page, resident));
    SHOW(mincore(m, page, bad));
    SHOW(mprotect(m + page, page, PROT_READ));
    SHOW(mremap(m, 2 * page, 8 * page, MREMAP_MAYMOVE) != MAP_FAILED);
    SHOW(mremap(m, 4 * page, 2 * page, 0) == m);
    SHOW(mremap(m, page, 2 * page, 0) != MAP_FAILED);
    SHOW(munmap(m + page, page));
    SHOW(mincore(m, 2 * page, resident));
    SHOW(mlock(m, 2 * page));
    SHOW(munlock(m, 2 * page));
    SHOW(mlock(m, page));
    SHOW(munlock(m, page));
    SHOW(mlock2(m, page, 2));
    SHOW(mlockall(0));
    SHOW(mlockall(64));
    SHOW(mlockall(MCL_ONFAULT));
    SHOW(munlockall());
    SHOW(madvise(m, page, 77));
    SHOW(madvise(m + 1, page, MADV_NORMAL));
    SHOW(madvise(m, 2 * page, MADV_WILLNEED));
    char *shared = mmap(NULL, page, PROT_READ, MAP_SHARED, reading, 0);
    SHOW(mprotect(shared, page, PROT_READ | PROT_WRITE));
    SHOW(mprotect(shared, page, PROT_NONE));
    SHOW(mprotect(shared, page, PROT_READ));
    SHOW(mmap(NULL, page, PROT_WRITE, MAP_SHARED, reading, 0) != MAP_FAILED);
    char *longer = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0), *other;
    SHOW(mprotect(longer + 3 * page, page, PROT_READ));
    SHOW(pwrite(fd, "new", 3, page + 5));
    printf("%.3s %d\n", longer + page + 5, longer[2 * page - 1]);
    longer[page] = 'p';
    SHOW(ftruncate(fd, 10 * page));
    SHOW(pwrite(fd, "end", 3, 3 * page));
    printf("%.3s %.3s %c\n", longer + 3 * page, longer + page + 5, longer[page]);
    other = mmap(NULL, 12 * page, PROT_READ, MAP_PRIVATE, fd, 0);
    SHOW(mmap(other + 11 * page, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == other + 11 * page);
    SHOW(munmap(other, 12 * page));
    SHOW(ftruncate(fd, 12 * page));
    char *writable = mmap(NULL, page, PROT_READ, MAP_SHARED, fd, 0);
    SHOW(mprotect(writable, page, PROT_READ | PROT_WRITE));
    writable[0] = 'w';
    SHOW(pread(fd, buf, 1, 0));
    printf("%c %c\n", buf[0], shared[0]);
}

static void files(void)
{
    struct open_how how = {.flags = O_RDONLY}, wrong = {.flags = 1UL << 40}, mode = {.mode = 0600};
    struct open_how beneath = {.resolve = RESOLVE_BENEATH}, resolve = {.resolve = 0x1000};
    struct {
        struct open_how how;
        uint64_t more;
    } longer = {how, 1};
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &how, sizeof how) >= 0);
    SHOW(CALL(SYS_openat2, AT_FDCWD, "absent", &how, sizeof how));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &wrong, sizeof wrong));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &mode, sizeof mode));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "../x", &beneath, sizeof beneath));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "/etc/passwd", &beneath, sizeof beneath));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &resolve, sizeof resolve));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &how, 8));
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &longer, sizeof longer));
    longer.more = 0;
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", &longer, sizeof longer) >= 0);
    SHOW(CALL(SYS_openat2, AT_FDCWD, "file", bad, sizeof how));
    SHOW(CALL(SYS_openat2, 99, "file", &how, sizeof how));
    SHOW(removexattr("absent", "user.name"));
    SHOW(lremovexattr("absent", "user.name"));
    SHOW(fremovexattr(99, "user.name"));
    SHOW(removexattr("file", ""));
    SHOW(removexattr(bad, "user.name"));
    SHOW(removexattr("file", bad));
    SHOW(removexattr("file", "user.absent") < 0);
    struct epoll_event event;
    struct timespec wrong_time = {0, -1}, at_once = {0, 0};
    int e = epoll_create1(0), fd = open("file", O_RDWR);
    SHOW(CALL(SYS_epoll_pwait2, e, &event, 1, &at_once, NULL, 8));
    SHOW(CALL(SYS_epoll_pwait2, e, &event, 1, &wrong_time, NULL, 8));
    SHOW(CALL(SYS_epoll_pwait2, e, &event, 0, &at_once, NULL, 8));
    SHOW(CALL(SYS_epoll_pwait2, 99, &event, 1, &at_once, NULL, 8));
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    SHOW(fcntl(fd, F_SETLK, &lock));
    fflush(stdout);
    if (fork() == 0) {
        SHOW(fcntl(fd, F_GETLK, &lock));
        printf("%d %d\n", lock.l_type == F_WRLCK, lock.l_pid == getppid());
        exit(0);
    }
    wait(NULL);
    SHOW(fcntl(fd, F_OFD_GETLK, &lock));
    lock.l_pid = 0;
    SHOW(fcntl(fd, F_OFD_GETLK, &lock));
    printf("%d %d\n", lock.l_type == F_WRLCK, lock.l_pid == getpid());
    SHOW(fcntl(fd, F_GET_SEALS));
    SHOW(fcntl(memfd_create("m", MFD_ALLOW_SEALING), F_GET_SEALS));
    SHOW(fcntl(fd, F_GETPIPE_SZ));
}

int main(void)
{
    char folder[] = "/tmp/guest_errors.XXXXXX";
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);
    SHOW(mkdtemp(folder) == NULL || chdir(folder));
    flags();
    processes();
    credentials();
    scheduling();
    memory();
    files();
    SHOW(unlink("file") | unlink("program") | unlink("mapped"));
    SHOW(rmdir(folder));
    return 0;
}
