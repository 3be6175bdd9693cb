/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extended attributes of files. Whether attributes of users are kept depends on the file system of /tmp. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}

static char buf[64], long_name[300];
static void *const bad = (void *)16;

int main(void)
{
    char folder[] = "/tmp/guest_xattr.XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    memset(long_name, 'x', sizeof long_name - 1);
    int fd = open("file", O_CREAT | O_RDWR, 0600);
    (void)!symlink("file", "link");
    (void)!symlink("loop", "loop");
    SHOW(setxattr("file", "user.a", "one", 3, 0));
    SHOW(setxattr("link", "user.b", "three", 5, XATTR_CREATE));
    SHOW(setxattr("file", "user.b", "three", 5, XATTR_CREATE));
    SHOW(setxattr("file", "user.c", "x", 1, XATTR_REPLACE));
    SHOW(setxattr("file", "user.a", "x", 1, 4));
    SHOW(setxattr("file", "user.a", "x", 70000, 0));
    SHOW(setxattr("file", "user.a", bad, 1, 0));
    SHOW(setxattr("file", bad, "x", 1, 0));
    SHOW(setxattr("file", "", "x", 1, 0));
    SHOW(setxattr("file", long_name, "x", 1, 0));
    SHOW(setxattr("file", "unknown.a", "x", 1, 0));
    SHOW(setxattr(bad, "user.a", "x", 1, 0));
    SHOW(setxattr("absent", "user.a", "x", 1, 0));
    SHOW(setxattr("file/x", "user.a", "x", 1, 0));
    SHOW(setxattr("loop", "user.a", "x", 1, 0));
    SHOW(setxattr(long_name, "user.a", "x", 1, 0));
    SHOW(lsetxattr("file", "user.d", "x", 1, 0));
    SHOW(lsetxattr("link", "user.a", "x", 1, 0));
    SHOW(lsetxattr("absent", "user.a", "x", 1, 0));
    SHOW(lsetxattr(bad, "user.a", "x", 1, 0));
    SHOW(fsetxattr(fd, "user.e", "x", 1, 0));
    SHOW(fsetxattr(fd, "user.e", "x", 1, XATTR_CREATE));
    SHOW(fsetxattr(99, "user.e", "x", 1, 0));
    SHOW(getxattr("link", "user.b", buf, sizeof buf));
    printf("%.5s\n", buf);
    SHOW(getxattr("file", "user.b", NULL, 0));
    SHOW(getxattr("file", "user.b", buf, 2));
    SHOW(getxattr("file", "user.b", bad, 10));
    SHOW(getxattr("file", "user.absent", buf, sizeof buf));
    SHOW(getxattr("file", bad, buf, sizeof buf));
    SHOW(getxattr("file", long_name, buf, sizeof buf));
    SHOW(getxattr("absent", "user.a", buf, sizeof buf));
    SHOW(getxattr("file/x", "user.a", buf, sizeof buf));
    SHOW(getxattr("loop", "user.a", buf, sizeof buf));
    SHOW(getxattr(bad, "user.a", buf, sizeof buf));
    SHOW(lgetxattr("file", "user.a", buf, sizeof buf));
    SHOW(lgetxattr("link", "user.a", buf, sizeof buf));
    SHOW(lgetxattr("absent", "user.a", buf, sizeof buf));
    SHOW(lgetxattr(bad, "user.a", buf, sizeof buf));
    SHOW(fgetxattr(fd, "user.e", buf, sizeof buf));
    SHOW(fgetxattr(fd, "user.absent", buf, sizeof buf));
    SHOW(fgetxattr(fd, "user.e", bad, 10));
    SHOW(fgetxattr(99, "user.e", buf, sizeof buf));
    SHOW(listxattr("link", NULL, 0) > 0);
    SHOW(listxattr("file", buf, sizeof buf) > 0);
    SHOW(listxattr("file", buf, 3));
    SHOW(listxattr("file", bad, 100));
    SHOW(listxattr("absent", buf, sizeof buf));
    SHOW(listxattr("loop", buf, sizeof buf));
    SHOW(listxattr(bad, buf, sizeof buf));
    SHOW(llistxattr("file", buf, sizeof buf) > 0);
    SHOW(llistxattr("file", bad, 100));
    SHOW(llistxattr("absent", buf, sizeof buf));
    SHOW(flistxattr(fd, buf, sizeof buf) > 0);
    SHOW(flistxattr(fd, buf, 3));
    SHOW(flistxattr(99, buf, sizeof buf));
    SHOW(removexattr("link", "user.a"));
    SHOW(removexattr("file", "user.a"));
    SHOW(removexattr("file", bad));
    SHOW(removexattr("file", ""));
    SHOW(removexattr("loop", "user.b"));
    SHOW(removexattr("file/x", "user.b"));
    SHOW(lremovexattr("file", "user.b"));
    SHOW(lremovexattr("file", "user.b"));
    SHOW(lremovexattr("absent", "user.b"));
    SHOW(lremovexattr(bad, "user.b"));
    SHOW(fremovexattr(fd, "user.e"));
    SHOW(fremovexattr(fd, "user.e"));
    SHOW(fremovexattr(99, "user.e"));
    unlink("file"), unlink("link"), unlink("loop");
    return rmdir(folder);
}
