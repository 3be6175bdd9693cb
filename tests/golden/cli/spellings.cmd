# A name below -L means the same file however it is written: absolute, from a descriptor, by links, by the working folder,
# with the flags of openat2, as the address of a socket. The output of the first program is also that of the same program
# compiled for the host, in a chroot there.
mkdir -p root/data/sub root/tmp
echo text > root/data/file
ln -s data root/link
ln -s /data/file root/absolute
ln -s ../data/file root/data/up
cat > spell.c << 'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static const char *result(long r) { return r < 0 ? strerror(errno) : "ok"; }

/* The text of a file. */
static void show(const char *how, int fd)
{
    char text[64] = "";
    if (fd < 0 || read(fd, text, sizeof text - 1) < 0)
        strcpy(text, strerror(errno));
    text[strcspn(text, "\n")] = '\0';
    printf("%s: %s\n", how, text);
    if (fd >= 0)
        close(fd);
}

/* One file by the name below a folder, with each flag of openat2. */
static void resolve(int dir, const char *name, int flags)
{
    static const struct { const char *name; unsigned long flag; } kinds[] = {
        {"plain", 0}, {"no-xdev", RESOLVE_NO_XDEV}, {"no-magiclinks", RESOLVE_NO_MAGICLINKS},
        {"no-symlinks", RESOLVE_NO_SYMLINKS}, {"beneath", RESOLVE_BENEATH}, {"in-root", RESOLVE_IN_ROOT}};
    printf("%s%s:", name, flags & O_NOFOLLOW ? " (link)" : "");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct open_how how = {.flags = flags, .resolve = kinds[i].flag};
        char text[64] = "";
        int fd = syscall(SYS_openat2, dir, name, &how, sizeof how);
        if (fd < 0)
            snprintf(text, sizeof text, "%s", errno == EXDEV ? "EXDEV" : errno == ELOOP ? "ELOOP" : strerror(errno));
        else if (flags & O_PATH)
            strcpy(text, "a link");
        else
            (void)!read(fd, text, sizeof text - 1);
        text[strcspn(text, "\n")] = '\0';
        printf(" %s %s%s", kinds[i].name, text, kinds[i].flag == RESOLVE_IN_ROOT ? "\n" : ",");
        close(fd);
    }
}

static int unix_call(int (*call)(int, const struct sockaddr *, socklen_t), int fd, const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, name);
    return call(fd, (struct sockaddr *)&address, sizeof address);
}

static void sockets(void)
{
    struct sockaddr_un name = {0};
    socklen_t bytes = sizeof name;
    int server = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0);
    int other = socket(AF_UNIX, SOCK_DGRAM, 0), sender = socket(AF_UNIX, SOCK_DGRAM, 0);
    printf("bind %s", result(unix_call(bind, server, "/data/socket")));
    getsockname(server, (struct sockaddr *)&name, &bytes);
    printf(" as %s, %s", name.sun_path, access("/data/socket", F_OK) == 0 ? "there" : "not there");
    printf(", again %s", result(unix_call(bind, other, "/link/socket")));
    listen(server, 1);
    chdir("/data");
    printf(", connect %s\n", result(unix_call(connect, client, "../link/../data/socket")));
    chdir("/");
    bytes = sizeof name;
    memset(&name, 0, sizeof name);
    getpeername(client, (struct sockaddr *)&name, &bytes);
    printf("peer %s\n", name.sun_path);
    printf("datagram: bind %s", result(unix_call(bind, other, "/data/packets")));
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = "/link/packets"};
    unix_call(bind, sender, "/data/sender");
    printf(", send %s", result(sendto(sender, "x", 1, 0, (struct sockaddr *)&to, sizeof to)));
    struct iovec part = {"y", 1};
    struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &part, .msg_iovlen = 1};
    printf(", %s", result(sendmsg(sender, &message, 0)));
    char text[2];
    bytes = sizeof name;
    recvfrom(other, text, 1, 0, (struct sockaddr *)&name, &bytes);
    printf(", from %s", name.sun_path);
    message = (struct msghdr){.msg_name = &name, .msg_namelen = sizeof name, .msg_iov = &(struct iovec){text, 1}, .msg_iovlen = 1};
    memset(&name, 0, sizeof name);
    recvmsg(other, &message, 0);
    printf(" and %s\n", name.sun_path);
    printf("none: %s", result(unix_call(connect, socket(AF_UNIX, SOCK_STREAM, 0), "/data/none")));
    printf(", in no folder: %s\n", result(unix_call(bind, socket(AF_UNIX, SOCK_STREAM, 0), "/none/x")));
    unlink("/data/socket"), unlink("/data/packets"), unlink("/data/sender");
}

static int handle(int dir, const char *name, int flags, struct file_handle *h)
{
    int mount;
    h->handle_bytes = MAX_HANDLE_SZ;
    return name_to_handle_at(dir, name, h, &mount, flags);
}

int main(void)
{
    char link[PATH_MAX];
    struct stat a, b;
    chdir("/");
    int root = open("/", O_PATH | O_DIRECTORY), data = openat(root, "data", O_RDONLY | O_DIRECTORY);
    int sub = openat(data, "sub", O_PATH), file = openat(sub, "../file", O_PATH), l = openat(root, "absolute", O_PATH | O_NOFOLLOW);
    show("absolute name", open("/data/file", O_RDONLY));
    show("from the root", openat(root, "data/file", O_RDONLY));
    show("from the folder", openat(data, "file", O_RDONLY));
    show("from one in it", openat(sub, "../file", O_RDONLY));
    show("by a link", openat(root, "link/file", O_RDONLY));
    show("by an absolute link", openat(root, "absolute", O_RDONLY));
    show("by one from elsewhere", openat(sub, "../../absolute", O_RDONLY));
    show("by too many parents", openat(sub, "../../../../absolute", O_RDONLY));
    show("by the descriptor", open("/proc/self/fd/4/file", O_RDONLY));
    show("by /proc/self/root", open("/proc/self/root/data/file", O_RDONLY));
    fchdir(sub);
    show("by /proc/self/cwd", open("/proc/self/cwd/../file", O_RDONLY));
    show("from the working folder", open("../file", O_RDONLY));
    fchdir(root);
    printf("working folder %s\n", getcwd(link, sizeof link));
    fchdir(file);
    printf("fchdir to a file: %s\n", result(fchdir(file)));
    fstatat(file, "", &a, AT_EMPTY_PATH), stat("/data/file", &b);
    printf("same %d\n", a.st_dev == b.st_dev && a.st_ino == b.st_ino);
    printf("name behind a file: %s", result(openat(file, "x", O_RDONLY)));
    printf(", %s\n", result(openat(file, "../file", O_RDONLY)));
    link[readlinkat(l, "", link, sizeof link)] = '\0';
    printf("link %s\n", link);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    char target[PATH_MAX];
    target[readlink(link, target, sizeof target)] = '\0';
    printf("open file %s\n", target);
    resolve(root, "data/file", 0);
    resolve(root, "/data/file", 0);
    resolve(root, "absolute", 0);
    resolve(root, "absolute", O_PATH | O_NOFOLLOW);
    resolve(sub, "../file", 0);
    resolve(data, "file", 0);
    resolve(data, "sub/../file", 0);
    resolve(data, "/file", 0);
    resolve(data, "up", 0);
    resolve(data, "none", 0);
    _Alignas(8) char x[256], y[256];
    struct file_handle *hx = (void *)x, *hy = (void *)y;
    memset(x, 0, 256), memset(y, 0, 256);
    printf("handles: %s", result(handle(root, "absolute", AT_SYMLINK_FOLLOW, hx)));
    printf(" %s", result(handle(file, "", AT_EMPTY_PATH, hy)));
    printf(" equal %d", memcmp(x, y, 256) == 0);
    handle(root, "absolute", 0, hy);
    printf(" link %d", memcmp(x, y, 256) == 0);
    hx->handle_bytes = 0;
    printf(", small %s", result(name_to_handle_at(root, "data", hx, &(int){0}, 0)));
    hx->handle_bytes = 200;
    printf(", large %s", result(name_to_handle_at(root, "data", hx, &(int){0}, 0)));
    printf(", flags %s\n", result(name_to_handle_at(root, "data", hx, &(int){0}, 1)));
    printf("made: %s", result(mkdirat(sub, "../made", 0700)));
    printf(" %s", result(linkat(root, "absolute", data, "made/hard", AT_SYMLINK_FOLLOW)));
    printf(" %s", result(renameat(root, "link/made/hard", sub, "../made/other")));
    printf(" %s", result(symlinkat("/data/file", data, "made/soft")));
    int notify = inotify_init1(O_NONBLOCK), watch = inotify_add_watch(notify, "/link/made", IN_DELETE);
    printf(" %s", result(unlinkat(root, "data/made/soft", 0)));
    printf(" event %d", read(notify, x, sizeof x) > 0 && watch > 0);
    printf(" %s", result(truncate("/link/made/other", 20)));
    printf(" %s", result(fchmodat(sub, "../made/other", 0600, 0)));
    stat("/data/file", &b);
    printf(" size %d mode %o", (int)b.st_size, b.st_mode & 0777);
    truncate("/data/file", 5);
    printf(" %s", result(unlinkat(root, "data/made/other", 0)));
    printf(" %s\n", result(rmdir("/data/made")));
    sockets();
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -w -static -o spell spell.c
pcemu --core functional --no-program -L root ./spell
for core in inorder ooo; do
    pcemu --core functional --no-program -L root ./spell > functional.out
    pcemu --core $core --no-program -L root ./spell > $core.out
    cmp functional.out $core.out
done
# A file of the host below a folder that both have, /tmp, from one folder to the next.
cat > descend.c << 'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct stat a, b;
    int dir = open("/", O_PATH | O_DIRECTORY), whole = stat(argv[1], &a);
    char *last = strrchr(argv[1], '/');
    *last++ = '\0';
    for (char *name = strtok(argv[1], "/"); name != NULL && dir >= 0; name = strtok(NULL, "/"))
        dir = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    printf("%d %d", whole, fstatat(dir, last, &b, AT_SYMLINK_NOFOLLOW));
    printf(" same %d", a.st_dev == b.st_dev && a.st_ino == b.st_ino);
    fchdir(dir);
    printf(" %d %d", stat(last, &b), a.st_ino == b.st_ino);
    printf(" %d\n", faccessat(open("/tmp", O_RDONLY | O_DIRECTORY), strchr(argv[2] + 1, '/') + 1, F_OK, 0));
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -w -static -o descend descend.c
echo text > below
mkdir -p /tmp/p$$
cp below /tmp/p$$/below
for options in '' --host-files; do
    pcemu --core functional --no-program -L root $options ./descend /tmp/p$$/below /tmp/p$$/below
done
rm -r /tmp/p$$
