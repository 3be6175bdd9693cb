/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that tries to leave its working folder: one line for each attempt, with the error. Arguments: a folder
 * outside, and a process outside. check_confine.sh makes the folders. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *outside;

/* A name below the folder outside. */
static const char *out(const char *name)
{
    static char text[4][4096];
    static unsigned next;
    char *at = text[next++ % 4];
    snprintf(at, sizeof text[0], "%s/%s", outside, name);
    return at;
}

static const char *joined(const char *prefix, const char *name)
{
    static char text[4096];
    snprintf(text, sizeof text, "%s%s", prefix, name);
    return text;
}

static void show(const char *attempt, long result)
{
    printf("%-40s %s\n", attempt, result >= 0 ? "ok" : strerrorname_np(errno));
    fflush(stdout);
}
#define TRY(attempt, call) (errno = 0, show(attempt, (long)(call)))

/* Opens a file, and closes it. */
static int opens(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    return fd < 0 ? fd : close(fd);
}

static int opens_at(int dir, const char *path)
{
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? fd : close(fd);
}

static int lists(const char *path)
{
    DIR *d = opendir(path);
    return d == NULL ? -1 : closedir(d);
}

static int links(const char *target, const char *name)
{
    (void)unlink(name);
    return symlink(target, name);
}

static int executes(const char *path)
{
    int status = 0;
    pid_t child = vfork();
    if (child == 0) {
        execl(path, path, NULL);
        _exit(errno);
    }
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno == 0 ? 0 : -1;
}

/* Opens a file by a descriptor that gives no right to read. */
static int reopens(int fd)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return opens(name, O_RDONLY);
}

/* Opens a file in a process that the guest forks. */
static int opens_in_child(const char *path)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(opens(path, O_RDONLY) == 0 ? 0 : errno);
    waitpid(child, &status, 0);
    errno = WEXITSTATUS(status);
    return errno == 0 ? 0 : -1;
}

static void by_name(void)
{
    TRY("read", opens(out("secret"), O_RDONLY));
    TRY("read ..", opens(joined("../", strrchr(outside, '/') + 1), O_RDONLY | O_DIRECTORY));
    TRY("write", opens(out("secret"), O_WRONLY));
    TRY("open to truncate", opens(out("emptied"), O_RDONLY | O_TRUNC));
    TRY("create", opens(out("new"), O_WRONLY | O_CREAT));
    TRY("list", lists(outside));
    TRY("truncate", truncate(out("cut"), 1));
    TRY("make a folder", mkdir(out("folder"), 0700));
    TRY("make a link", symlink("secret", out("link")));
    TRY("make a FIFO", mkfifo(out("fifo"), 0600));
    TRY("make a device", mknod("device", S_IFCHR | 0600, makedev(1, 3)));
    TRY("make a temporary file", opens(outside, O_TMPFILE | O_WRONLY));
    TRY("remove", unlink(out("removed")));
    TRY("remove a folder", rmdir(out("empty")));
    TRY("rename into", rename(out("moved"), "moved"));
    TRY("rename out", rename("leaves", out("arrived")));
    TRY("rename outside", rename(out("renamed"), out("renamed too")));
    TRY("link into", link(out("linked"), "linked"));
    TRY("link out", link("own", out("own")));
    TRY("execute", executes(out("program")));
    TRY("read in a child", opens_in_child(out("secret")));
}

static void by_links(void)
{
    (void)links(outside, "folder");
    TRY("a link to a file", links(out("secret"), "file") == 0 ? opens("file", O_RDONLY) : -1);
    TRY("a link to a folder", opens("folder/secret", O_RDONLY));
    TRY("a link to write", opens("folder/secret", O_WRONLY));
    TRY("a link to create", opens("folder/created by a link", O_WRONLY | O_CREAT));
    int path = open(outside, O_PATH | O_CLOEXEC);
    TRY("a descriptor of a folder", opens_at(path, "secret"));
    TRY("a descriptor opened again", reopens(open(out("secret"), O_PATH | O_CLOEXEC)));
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    TRY("the working folder", chdir(outside) == 0 ? opens("secret", O_RDONLY) : -2);
    (void)!fchdir(here);
    close(here);
    close(path);
}

static void by_proc(const char *process)
{
    char name[128];
    TRY("/proc/self/root", opens(joined("/proc/self/root", out("secret")), O_RDONLY));
    (void)links("/proc/self/root", "root");
    TRY("a link to /proc/self/root", opens(joined("root", out("secret")), O_RDONLY));
    (void)links("/proc/self/fd", "fds");
    TRY("a folder as standard input", opens_at(STDIN_FILENO, "secret"));
    TRY("an inherited descriptor", opens("fds/9", O_RDONLY));
    TRY("an inherited descriptor to write", opens("fds/9", O_WRONLY));
    TRY("/proc/1/root", opens(joined("/proc/1/root", out("secret")), O_RDONLY));
    snprintf(name, sizeof name, "/proc/%s/cwd/secret", process);
    TRY("/proc/PID/cwd", opens(name, O_RDONLY));
    TRY("a link to /proc/PID/cwd", links(name, "cwd") == 0 ? opens("cwd", O_RDONLY) : -1);
    snprintf(name, sizeof name, "/proc/%s/environ", process);
    TRY("a link to /proc/PID/environ", links(name, "environ") == 0 ? opens("environ", O_RDONLY) : -1);
    snprintf(name, sizeof name, "/proc/%s/status", process);
    TRY("a link to /proc/PID/status", links(name, "status") == 0 ? opens("status", O_RDONLY) : -1);
    TRY("a link to /proc/self/mem", links("/proc/self/mem", "mem") == 0 ? opens("mem", O_RDONLY) : -1);
    TRY("a link to /proc/self/mem to write", opens("mem", O_RDWR));
    TRY("a link to /proc/self/smaps", links("/proc/self/smaps", "maps") == 0 ? opens("maps", O_RDONLY) : -1);
    TRY("/proc/sys to write", opens("/proc/sys/kernel/core_pattern", O_WRONLY));
    TRY("/sys", lists("/sys/class"));
}

/* Modes, owners, times and attributes; the last two by a descriptor that is open for less. */
static void attributes(const char *file, const char *kind)
{
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};
    char attempt[64], name[64];
#define TRY_OF(what, call) (snprintf(attempt, sizeof attempt, "%s%s", what, kind), TRY(attempt, call))
    int fd = open(file, O_RDONLY | O_CLOEXEC), path = open(file, O_PATH | O_CLOEXEC);
    TRY_OF("mode", chmod(file, 0640));
    TRY_OF("mode by a link", links(file, "by") == 0 ? chmod("by", 0604) : -1);
    snprintf(name, sizeof name, "/proc/self/fd/%d", path);
    TRY_OF("mode by /proc", chmod(name, 0644));
    TRY_OF("mode by fchmod", fchmod(fd, 0600));
    TRY_OF("owner", chown(file, getuid(), getgid()));
    TRY_OF("owner by a descriptor", fchownat(path, "", getuid(), getgid(), AT_EMPTY_PATH));
    TRY_OF("times", utimensat(AT_FDCWD, file, times, 0));
    TRY_OF("times by futimens", futimens(fd, times));
    long added = setxattr(file, "user.test", "1", 1, 0);
    bool supported = added == 0 || errno != ENOTSUP;
    TRY_OF("attribute", supported ? setxattr(file, "user.test", "2", 1, 0) : 0);
    TRY_OF("attribute removed", supported ? removexattr(file, "user.test") : 0);
    close(fd);
    close(path);
#undef TRY_OF
}

static int binds(int family, const void *address, size_t size)
{
    int s = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int r = s < 0 ? -1 : bind(s, address, (socklen_t)size), why = errno;
    close(s);
    errno = why;
    return r;
}

/* Binding stands for connecting: there may be no server. */
static int binds_unix(const char *path, bool abstract)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path + abstract, sizeof address.sun_path - abstract, "%s", path);
    size_t length = strlen(path) + !abstract;
    (void)unlink(path);
    return binds(AF_UNIX, &address, offsetof(struct sockaddr_un, sun_path) + length + abstract);
}

/* A descriptor that another process of the guest sends: what it can do was decided when it was opened. */
static int receives(const char *file)
{
    int pair[2], got = -1, sent = open(file, O_PATH | O_CLOEXEC);
    union {
        char text[CMSG_SPACE(sizeof sent)];
        struct cmsghdr head;
    } control = {.head = {.cmsg_len = CMSG_LEN(sizeof sent), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    memcpy(CMSG_DATA(&control.head), &sent, sizeof sent);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 || sendmsg(pair[0], &message, 0) != 1 ||
        recvmsg(pair[1], &message, 0) != 1)
        return -1;
    memcpy(&got, CMSG_DATA(&control.head), sizeof got);
    return reopens(got);
}

/* A kernel without IPv6 counts as one with it. */
static int makes_ipv6(void)
{
    int s = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return s < 0 && errno == EAFNOSUPPORT ? 0 : s;
}

/* A pair of datagrams could send to the names of others. */
static int sends_unix(int type, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int pair[2];
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    /* without a receiver there */
    int r = (int)sendto(pair[0], "x", 1, 0, (const struct sockaddr *)&address, sizeof address);
    return r < 0 && errno == ENOENT ? 0 : r;
}

/* The name of an end of a pair, to which nothing can connect. */
static int names_end(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int pair[2];
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    (void)unlink(path);
    int r = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
    return r == 0 ? bind(pair[0], (const struct sockaddr *)&address, sizeof address) : r;
}

static void by_sockets(void)
{
    const struct sockaddr_in local = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int pair[2];
    TRY("IPv4", binds(AF_INET, &local, sizeof local));
    TRY("IPv6", makes_ipv6());
    TRY("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    TRY("Unix by name", binds_unix(out("socket"), false));
    TRY("Unix by name inside", binds_unix("socket", false));
    TRY("Unix abstract", binds_unix("confine-test", true));
    TRY("a pair of Unix sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    TRY("a pair of datagrams sends outside", sends_unix(SOCK_DGRAM, out("absent")));
    TRY("the same by the other number", sends_unix(SOCK_RAW, out("absent")));
    TRY("a pair of packets", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
    TRY("an end of a pair with a name outside", names_end(out("end")));
    TRY("a descriptor received", receives(out("secret")));
}

static int shares(const char *name)
{
    int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (fd >= 0)
        shm_unlink(name);
    return fd;
}

static void by_memory(void)
{
    TRY("/dev/shm", shares("/confine-test"));
    TRY("shmget", syscall(SYS_shmget, IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    TRY("memfd", memfd_create("memory", 0));
    TRY("/dev/null", opens("/dev/null", O_RDWR | O_TRUNC));
    TRY("/dev/zero", opens("/dev/zero", O_RDONLY));
    TRY("/dev/urandom", opens("/dev/urandom", O_RDONLY));
    TRY("inotify", inotify_add_watch(inotify_init(), outside, IN_ALL_EVENTS));
    TRY("TIOCSTI", ioctl(STDIN_FILENO, TIOCSTI, "x"));
}

/* Calls rejected without --confine, too. */
static void by_privilege(pid_t process)
{
    struct iovec part = {&part, 1};
    TRY("mount", mount("none", ".", "tmpfs", 0, NULL));
    TRY("umount", umount2("/", MNT_DETACH));
    TRY("chroot", chroot("/"));
    TRY("unshare", unshare(CLONE_NEWUSER));
    TRY("setns", setns(0, 0));
    TRY("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 0));
    TRY("open_by_handle_at", syscall(SYS_open_by_handle_at, AT_FDCWD, &part, O_RDONLY));
    TRY("kill", kill(process, SIGKILL));
    TRY("kill the first process", kill(1, SIGCONT));
    TRY("pidfd_open", syscall(SYS_pidfd_open, process, 0));
    TRY("ptrace", ptrace(PTRACE_ATTACH, process, NULL, NULL));
    TRY("process_vm_readv", process_vm_readv(process, &part, 1, &part, 1, 0));
    TRY("io_uring_setup", syscall(SYS_io_uring_setup, 1, &part));
    TRY("bpf", syscall(SYS_bpf, 0, NULL, 0));
    TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
    TRY("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0));
    TRY("perf_event_open", syscall(SYS_perf_event_open, &part, 0, -1, -1, 0));
    TRY("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
    TRY("mq_open", syscall(SYS_mq_open, "name", O_RDWR | O_CREAT, 0600, NULL));
}

/* Facts that a guest sees of files that it cannot open. */
static void seen(void)
{
    struct stat sb;
    struct statfs sf;
    char target[64];
    TRY("stat", stat(out("secret"), &sb));
    TRY("access", access(out("secret"), F_OK));
    TRY("statfs", statfs(outside, &sf));
    TRY("readlink", readlink("/proc/self/exe", target, sizeof target));
    TRY("O_PATH", opens(outside, O_PATH));
}

static void inside(void)
{
    TRY("inside: read", opens("own", O_RDONLY));
    TRY("inside: create", opens("made", O_RDWR | O_CREAT));
    TRY("inside: truncate", truncate("own", 1));
    TRY("inside: make a folder", mkdir("below", 0700));
    TRY("inside: rename", rename("made", "below/renamed"));
    TRY("inside: link", link("own", "below/link"));
    TRY("inside: make a link", symlink("own", "below/symbolic"));
    TRY("inside: make a FIFO", mkfifo("below/fifo", 0600));
    TRY("inside: remove", unlink("below/renamed"));
    TRY("inside: list", lists("."));
    TRY("inside: inotify", inotify_add_watch(inotify_init(), ".", IN_ALL_EVENTS));
    TRY("inside: /proc/self/fd", lists("/proc/self/fd"));
    TRY("inside: /proc/self/maps", opens("/proc/self/maps", O_RDONLY));
    TRY("inside: /proc/meminfo", opens("/proc/meminfo", O_RDONLY));
    attributes("own", " inside");
    attributes("folder of its own", " of a folder inside");
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 0;
    outside = argv[1];
    by_name();
    by_links();
    by_proc(argv[2]);
    attributes(out("attributes"), "");
    by_sockets();
    by_memory();
    by_privilege(atoi(argv[2]));
    seen();
    inside();
    return 0;
}
