# Names of files under -L: links and ".." stay in the sysroot, and both roots are one. The lines behind "in the sysroot"
# are also those of the same program, compiled for the host, in a chroot there.
mkdir -p root/usr/bin root/usr/share/doc root/etc/alternatives root/home/user outside
echo sysroot > root/etc/name
echo outside > name
ln -s /etc/name root/etc/alternatives/name
ln -s /usr/bin root/bin
ln -s ../../../../../../etc/name root/usr/up
ln -s /etc/alternatives/name root/usr/bin/name
ln -s loop root/usr/loop
ln -s /proc root/usr/processes
ln -s "$PWD/name" root/usr/out
cat > walk.c << 'C'
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int same(const struct stat *a, const struct stat *b) { return a->st_dev == b->st_dev && a->st_ino == b->st_ino; }

/* The name of the working folder by the entries of the folders above it, as getcwd finds it without a system call. */
static void walk(char *name)
{
    char up[PATH_MAX] = ".", entry[PATH_MAX];
    struct stat here, above, root, sb;
    name[0] = '\0';
    for (stat(up, &here), stat("/", &root); !same(&here, &root); here = above) {
        strcat(up, "/..");
        DIR *dir = opendir(up);
        int found = 0;
        for (struct dirent *e; dir != NULL && !found && (e = readdir(dir)) != NULL;) {
            snprintf(entry, sizeof entry, "%s/%s", up, e->d_name);
            found = strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && lstat(entry, &sb) == 0 &&
                    same(&sb, &here);
            if (found) {
                char rest[PATH_MAX];
                strcpy(rest, name);
                snprintf(name, PATH_MAX, "/%s%s", e->d_name, rest);
            }
        }
        closedir(dir);
        if (!found || stat(up, &above) != 0 || same(&above, &here)) {
            strcpy(name, "not found");
            return;
        }
    }
    if (name[0] == '\0')
        strcpy(name, "/");
}

static void show(const char *path)
{
    char text[64] = "";
    int fd = open(path, O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text - 1) <= 0)
        snprintf(text, sizeof text, "%s\n", strerror(errno));
    printf("%s: %s", path, text);
}

int main(int argc, char **argv)
{
    char walked[PATH_MAX], link[PATH_MAX] = "", cwd[PATH_MAX];
    struct stat a, b;
    if (argc > 2 && chdir(argv[2]) != 0)
        perror(argv[2]);
    walk(walked);
    getcwd(cwd, sizeof cwd);
    if (argv[1][0] == 'i') {
        printf("walked as getcwd: %d\n", strcmp(walked, cwd) == 0);
        puts(cwd);
        readlink("/proc/self/cwd", link, sizeof link - 1);
        printf("cwd %s\n", link);
    }
    stat("/", &a);
    printf("above the root: %d", stat("/..", &b) == 0 && same(&a, &b));
    printf(" %d", stat("/../../..", &b) == 0 && same(&a, &b));
    printf(" %d", stat("../../../../../../../../../../../../../../..", &b) == 0 && same(&a, &b));
    printf(" %d\n", chdir("/") == 0 && stat("..", &b) == 0 && same(&a, &b) && chdir("..") == 0 && access("etc", F_OK) == 0);
    if (argc > 2)
        (void)!chdir(argv[2]);
    show("/etc/name");
    show("/etc/alternatives/name");
    show("/bin/name");
    show("/bin/../up");
    show("/usr/../../etc/./alternatives//name");
    show("/usr/loop");
    show("/etc/name/x");
    show("/etc/name/../name");
    show("/etc/none/../name");
    show("/usr/processes/self/comm");
    show("/proc/self/root/etc/name");
    if (argv[1][0] == 'i') {
        show("../../etc/alternatives/name");
        show("../bin/name");
        show("../../../../../../../etc/name");
        show("../up");
        printf("lstat %d readlink %d\n", lstat("../up", &a) == 0 && S_ISLNK(a.st_mode), (int)readlink("/bin", link, 99));
        printf("made %d", mkdir("made/", 0777) == 0 && stat("/usr/share/made", &a) == 0);
        printf(" %d", symlink("/etc/name", "made/link") == 0 && rename("made/link", "../share/link") == 0);
        printf(" %d", rmdir("made") == 0 && unlink("link") == 0);
        int fd = open("/usr/share", O_RDONLY | O_DIRECTORY);
        printf(" %d\n", fchdir(fd) == 0 && openat(fd, "../../etc/name", O_RDONLY) > 0 && openat(fd, "/up", O_RDONLY) < 0);
    }
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -w -static -o walk walk.c
echo '# in the sysroot'
pcemu --core functional --no-program -L root ./walk inside /usr/share
pcemu --core functional --no-program -L root ./walk inside /bin/../share | head -n 3
echo '# in a folder of the host'
(cd outside && pcemu --core functional --no-program -L ../root ../walk outside)
pcemu --core functional --no-program -L root ./walk outside "$PWD/outside" | head -n 1
pcemu --core functional --no-program -L root ./walk outside | sed -n 's/^above/&/p'
# What only the host has is found there, except in the folders of its system; with --host-files there too. With
# --sysroot-only it is found below /dev and /proc alone; nor is a folder there for new files, as /tmp.
cat > only.c << 'C'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int n = 1; n < argc; n++) {
        int makes = argv[n][0] == '+', fd = open(argv[n] + makes, makes ? O_RDWR | O_CREAT : O_RDONLY, 0600);
        printf("%s: %s\n", argv[n], fd < 0 ? strerror(errno) : "opened");
    }
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -w -static -o only only.c
echo inside > outside/inside
names="/etc/passwd /etc/name /bin/name /usr/out inside ../name $PWD/name /var /tmp /lib /dev/null /proc/self/status"
names="$names /proc/meminfo /sys/devices/system/cpu/possible /sys/kernel host system"
ln -s "$PWD/name" outside/host
ln -s /etc/passwd outside/system
only() { (cd outside && pcemu --core functional --no-program -L ../root "$@" ../only $names) | sed "s|$PWD|HERE|"; }
echo "# sysroot, and what is the user's on the host"
only
echo '# sysroot and host'
only --host-files
echo '# the sysroot alone'
names="$names +/etc/new +/tmp/none"
only --sysroot-only
ls root/etc
pcemu --sysroot-only ./only
pcemu -L root --sysroot-only --host-files ./only
