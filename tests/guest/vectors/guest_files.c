/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files, directories and memory by way of libc: what run_riscv.sh compares on two machines. Works below a fresh folder.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void list(const char *path)
{
    char *names[64];
    size_t n = 0;
    DIR *d = opendir(path);
    if (d == NULL) {
        SHOW(-1);
        return;
    }
    for (struct dirent *e; (e = readdir(d)) != NULL && n < 64;)
        names[n++] = strdup(e->d_name);
    closedir(d);
    qsort(names, n, sizeof names[0], by_name);
    for (size_t i = 0; i < n; i++) {
        printf("  %s\n", names[i]);
        free(names[i]);
    }
}

static void files(void)
{
    struct stat sb;
    char buf[64] = "";
    int fd = open("a", O_RDWR | O_CREAT | O_TRUNC, 0640);
    SHOW(fd);
    SHOW(write(fd, "hello, world\n", 13));
    SHOW(lseek(fd, 7, SEEK_SET));
    SHOW(read(fd, buf, sizeof buf));
    printf("%s", buf);
    SHOW(pread(fd, buf, 5, 0));
    SHOW(pwrite(fd, "HELLO", 5, 0));
    struct iovec v[2] = {{"one ", 4}, {"two\n", 4}};
    SHOW(writev(fd, v, 2));
    SHOW(fstat(fd, &sb));
    printf("%lo %ld %ld\n", (long)sb.st_mode, (long)sb.st_size, (long)sb.st_nlink);
    SHOW(ftruncate(fd, 100));
    SHOW(fsync(fd));
    SHOW(fchmod(fd, 0600));
    SHOW(fcntl(fd, F_GETFD));
    SHOW(fcntl(fd, F_SETFD, FD_CLOEXEC));
    SHOW(fcntl(fd, F_GETFD));
    SHOW(fcntl(fd, F_DUPFD, 30));
    SHOW(dup2(fd, 20));
    SHOW(close(20));
    SHOW(close(20));
    SHOW(isatty(fd));
    SHOW(close(fd));
    SHOW(open("missing/file", O_RDONLY));
    SHOW(open("a", O_CREAT | O_EXCL | O_WRONLY, 0600));
    SHOW(read(99, buf, 1));
    SHOW(stat("a", &sb));
    printf("%lo %ld\n", (long)sb.st_mode, (long)sb.st_size);
}

static void names(void)
{
    char buf[64] = "";
    struct stat sb;
    SHOW(mkdir("d", 0755));
    SHOW(mkdir("d", 0755));
    SHOW(rename("a", "d/b"));
    SHOW(symlink("b", "d/link"));
    SHOW(readlink("d/link", buf, sizeof buf));
    puts(buf);
    SHOW(lstat("d/link", &sb));
    printf("%d\n", S_ISLNK(sb.st_mode));
    SHOW(link("d/b", "d/c"));
    SHOW(access("d/c", R_OK));
    SHOW(access("d/none", R_OK));
    SHOW(unlink("d"));
    SHOW(rmdir("d"));
    list("d");
    SHOW(chdir("d"));
    SHOW(strcmp(strrchr(getcwd(buf, sizeof buf), '/'), "/d"));
    SHOW(chdir(".."));
    SHOW(utimensat(AT_FDCWD, "d/b", (struct timespec[]){{1000, 5}, {2000, 6}}, 0));
    SHOW(stat("d/b", &sb));
    printf("%ld.%ld\n", (long)sb.st_mtim.tv_sec, sb.st_mtim.tv_nsec);
    SHOW(umask(077));
    SHOW(close(open("masked", O_CREAT | O_WRONLY, 0666)));
    SHOW(stat("masked", &sb));
    printf("%lo\n", (long)sb.st_mode);
}

static void memory(void)
{
    char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d\n", p != MAP_FAILED);
    memset(p, 7, 8192);
    p = mremap(p, 8192, 1 << 20, MREMAP_MAYMOVE);
    printf("%d %d %d\n", p != MAP_FAILED, p[8191], p[8192]);
    SHOW(mprotect(p, 4096, PROT_READ));
    SHOW(madvise(p + 4096, 4096, MADV_DONTNEED));
    printf("%d %d\n", p[0], p[4096]);
    SHOW(munmap(p, 1 << 20));
    SHOW(munmap(p + 1, 4096));
    int fd = open("d/b", O_RDONLY);
    p = mmap(NULL, 100, PROT_READ, MAP_PRIVATE, fd, 0);
    printf("%.5s %d\n", p, p[4000]);
    errno = 0;
    printf("%d\n", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, 77, 0) == MAP_FAILED && errno == EBADF);
    char *big = malloc(100 << 20);
    big[99 << 20] = 1;
    big = realloc(big, 200 << 20);
    printf("%d\n", big[99 << 20]);
    free(big);
}

static void pipes(void)
{
    int p[2];
    char buf[16] = "";
    SHOW(pipe(p));
    SHOW(write(p[1], "through", 7));
    SHOW(read(p[0], buf, sizeof buf));
    puts(buf);
    int waiting = -1;
    SHOW(write(p[1], "xy", 2));
    SHOW(ioctl(p[0], FIONREAD, &waiting));
    printf("%d\n", waiting);
    SHOW(lseek(p[0], 0, SEEK_SET));
}

/* A message of many parts, as one. */
static void messages(void)
{
    enum { PARTS = 100 };
    int ends[2];
    char text[PARTS], read_back[PARTS + 1] = "";
    struct iovec out[PARTS], in = {read_back, PARTS};
    for (int i = 0; i < PARTS; i++) {
        text[i] = (char)('a' + i % 26);
        out[i] = (struct iovec){&text[i], 1};
    }
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    struct msghdr m = {.msg_iov = out, .msg_iovlen = PARTS};
    SHOW(sendmsg(ends[0], &m, 0));
    m = (struct msghdr){.msg_iov = &in, .msg_iovlen = 1};
    SHOW(recvmsg(ends[1], &m, 0));
    puts(read_back);
    m.msg_iovlen = 1025;
    SHOW(sendmsg(ends[0], &m, 0));
    close(ends[0]);
    close(ends[1]);
}

/* Number of entries that calls of getdents64 return until the end, with room for a few in each. */
static long entries(int fd)
{
    char bytes[128];
    long n = 0;
    for (long got; (got = syscall(SYS_getdents64, fd, bytes, sizeof bytes)) > 0;)
        for (long at = 0; at < got; at += *(unsigned short *)(bytes + at + 16))
            n++;
    return n;
}

/* The offset in a directory is that of the open file, which descriptors and processes share. */
static void offsets(void)
{
    char bytes[512];
    mkdir("many", 0700);
    int d = open("many", O_RDONLY | O_DIRECTORY), e = dup(d);
    for (char name[] = "many/0"; name[5] < '8'; name[5]++)
        close(open(name, O_WRONLY | O_CREAT, 0600));
    syscall(SYS_getdents64, d, bytes, 64);
    long place = lseek(d, 0, SEEK_CUR), rest = entries(e);
    printf("the rest again: %d\n", lseek(e, place, SEEK_SET) == place && entries(d) == rest);
    printf("at the end: %ld, %ld\n", entries(d), entries(e));
    SHOW(lseek(e, 0, SEEK_SET));
    printf("from the beginning: %ld\n", entries(d));
    SHOW(lseek(d, 0, SEEK_SET));
    SHOW(syscall(SYS_getdents64, d, bytes, 4));
    if (fork() == 0)
        _exit((int)entries(d));
    int status;
    wait(&status);
    printf("a child's: %d, then %ld\n", WEXITSTATUS(status), entries(d));
    for (char name[] = "many/0"; name[5] < '8'; name[5]++)
        unlink(name);
    SHOW(rmdir("many"));
    close(d);
    close(e);
    int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
    SHOW(write(fd, "hello", 5));
    SHOW(syscall(SYS_getdents64, fd, bytes, sizeof bytes));
    SHOW(lseek(fd, 0, SEEK_CUR));
    SHOW(unlink("file"));
    close(fd);
}

int main(void)
{
    char folder[] = "/tmp/guest-files-XXXXXX";
    struct utsname u;
    struct statfs sf;
    printf("%d\n", mkdtemp(folder) != NULL && chdir(folder) == 0);
    files();
    names();
    offsets();
    memory();
    pipes();
    messages();
    SHOW(uname(&u));
    printf("%s %s\n", u.sysname, u.machine);
    SHOW(statfs("/", &sf));
    printf("%ld %ld\n", sysconf(_SC_PAGESIZE), sysconf(_SC_CLK_TCK));
    SHOW(unlink("d/b") | unlink("d/c") | unlink("d/link") | unlink("masked") | rmdir("d"));
    SHOW(rmdir(folder));
    return 7;
}
