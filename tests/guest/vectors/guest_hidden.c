/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hidden from a guest in /proc: the memory of the simulator, its names, its arguments and its environment; of the
 * process itself and of a child, by every spelling of a name. The expected output is the decision of docs/security.md:
 * Linux lets a process open its own memory. */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct how {
    uint64_t flags, mode, resolve;
};
enum { OPENAT2 = 437, NO_SYMLINKS = 4, BENEATH = 8, IN_ROOT = 16 };

static char text[1 << 16];
static char folder[] = "/tmp/guest_hidden_XXXXXX";

static void show(const char *what, long result)
{
    printf("%-44s %s\n", what, result >= 0 ? "opened" : strerrorname_np(errno));
    if (result >= 0)
        close((int)result);
}

static int open2(int dir, const char *name, uint64_t resolve)
{
    const struct how how = {.flags = O_RDONLY, .resolve = resolve};
    return (int)syscall(OPENAT2, dir, name, &how, sizeof how);
}

/* An attempt by a name in which %d is a number. */
static void try(const char *format, int number)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, format, number);
    show(format, open(name, O_RDONLY));
}

static const char *in_folder(const char *name)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The memory of the process whose folder is `top`, by descriptors of the folder and by links to it. */
static void by_folder(const char *top)
{
    char name[64];
    int dir = open(top, O_RDONLY | O_DIRECTORY), path = open(top, O_PATH | O_DIRECTORY);
    show("openat a folder", openat(dir, "mem", O_RDONLY));
    show("openat a path", openat(path, "mem", O_RDWR));
    show("openat2 beneath", open2(dir, "mem", BENEATH));
    show("openat2 in root", open2(dir, "/mem", IN_ROOT));
    show("openat2 without links", open2(path, "mem", NO_SYMLINKS));
    snprintf(name, sizeof name, "/proc/self/fd/%d/mem", dir);
    show("/proc/self/fd/N/mem", open(name, O_RDONLY));
    snprintf(name, sizeof name, "/dev/fd/%d/mem", path);
    show("/dev/fd/N/mem", open(name, O_RDONLY));
    snprintf(name, sizeof name, "/dev/fd/%d/../self/mem", path);
    show("/dev/fd/N/../self/mem", open(name, O_RDONLY));
    (void)unlink(in_folder("link"));
    (void)!symlink(top, in_folder("link"));
    show("a link to the folder", open(in_folder("link/mem"), O_RDONLY));
    show("a link, and ..", open(in_folder("link/../self/mem"), O_RDONLY));
    (void)!chdir(top);
    show("the working folder", open("mem", O_RDONLY));
    show("the working folder, and task", open("task/../mem", O_RDONLY));
    show("/proc/self/cwd", open("/proc/self/cwd/mem", O_RDONLY));
    (void)!chdir("/");
    close(dir);
    close(path);
}

/* The files in a folder that hold what is the simulator's, except those about mounts and groups of the machine. */
static int reveals(const char *top, int depth)
{
    char name[PATH_MAX], target[PATH_MAX];
    int found = 0;
    struct stat sb;
    DIR *d = opendir(top);
    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        if (e->d_name[0] == '.' || strncmp(e->d_name, "mount", 5) == 0 || strcmp(e->d_name, "cgroup") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", top, e->d_name);
        if (lstat(name, &sb) != 0)
            continue;
        ssize_t n = -1;
        if (S_ISLNK(sb.st_mode)) {
            n = readlink(name, target, sizeof target - 1);
            memcpy(text, target, n > 0 ? (size_t)n : 0);
        } else if (S_ISDIR(sb.st_mode)) {
            found += depth > 0 ? reveals(name, depth - 1) : 0;
        } else {
            int fd = open(name, O_RDONLY | O_NONBLOCK);
            n = fd >= 0 ? read(fd, text, sizeof text) : -1;
            close(fd);
        }
        if (n > 0 &&
            (memmem(text, (size_t)n, "bin/pcemu", 9) != NULL || memmem(text, (size_t)n, "--no-program", 12) != NULL)) {
            printf("%s shows the simulator\n", name);
            found++;
        }
    }
    if (d != NULL)
        closedir(d);
    return found;
}

static void of_child(int child)
{
    char top[64], name[128];
    snprintf(top, sizeof top, "/proc/%d", child);
    by_folder(top);
    try("/proc/%d/mem", child);
    try("/proc/%d/task/../mem", child);
    try("/proc/%d/root/proc/self/mem", child);
    try("/proc/%d/cwd/proc/self/mem", child);
    try("/proc/%d/maps", child);
    try("/proc/%d/smaps", child);
    try("/proc/%d/pagemap", child);
    try("/proc/%d/map_files", child);
    try("/proc/%d/fd", child);
    try("/proc/%d/fd/0", child);
    try("/proc/%d/fdinfo/0", child);
    try("/proc/%d/syscall", child);
    try("/proc/%d/stack", child);
    snprintf(name, sizeof name, "/proc/%d/task/%d/mem", child, child);
    show("/proc/P/task/P/mem", open(name, O_RDWR));
    printf("files that show the simulator: %d\n", reveals(top, 2));
}

/* Whether a name leads to the simulator: its path, or its file, which is for another machine. */
static int leads_there(int dir, const char *name)
{
    Elf64_Ehdr head = {.e_machine = EM_RISCV};
    ssize_t n = readlinkat(dir, name, text, sizeof text);
    int found = n > 0 && memmem(text, (size_t)n, "bin/pcemu", 9) != NULL;
    int fd = openat(dir, name, O_RDONLY);
    if (fd >= 0 && read(fd, &head, sizeof head) == sizeof head && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0)
        found |= head.e_machine != EM_RISCV;
    if (fd >= 0)
        close(fd);
    return found;
}

/* Names that are as long as a name may be, links of that length, and folders with longer names. */
static void by_length(void)
{
    enum { FOLDERS = 24 };
    char name[PATH_MAX] = "", part[201] = "";
    int dir = open("/proc/self", O_PATH | O_DIRECTORY), top = open(folder, O_RDONLY | O_DIRECTORY);
    for (size_t n = 0; n + 8 < sizeof name; n += 2)
        memcpy(name + n, "./", 3);
    strcat(name, "exe");
    printf("a long name: %d\n", leads_there(dir, name));
    memset(part, '/', 10);
    strcpy(name, "/proc/self");
    while (strlen(name) + 2 < 4000)
        strcat(name, "/.");
    (void)!symlinkat(name, top, "long");
    printf("a long link: %d\n", leads_there(top, "long/exe") + leads_there(top, "long/./././././././fd/../exe"));
    (void)unlinkat(top, "long", 0);
    memset(part, 'f', sizeof part - 1);
    int found = 0;
    (void)!fchdir(top);
    for (int n = 0; n < FOLDERS; n++) {
        (void)!mkdir(part, 0700);
        (void)!chdir(part);
        (void)!symlink("/proc/self", "l");
        found += leads_there(AT_FDCWD, "l/exe");
        (void)unlink("l");
    }
    for (int n = 0; n < FOLDERS; n++) {
        (void)!chdir("..");
        (void)rmdir(part);
    }
    printf("deep folders: %d\n", found);
    (void)!chdir("/");
    close(top);
    close(dir);
}

/* A child exchanges a folder and a link again and again. */
static void by_exchange(void)
{
    enum { TRIES = 3000 };
    int found = 0, top = open(folder, O_RDONLY | O_DIRECTORY);
    (void)!mkdirat(top, "own", 0700);
    (void)!symlinkat("/proc/self", top, "other");
    close(openat(top, "own/exe", O_WRONLY | O_CREAT, 0600));
    pid_t child = fork();
    if (child == 0)
        for (;;)
            (void)renameat2(top, "own", top, "other", RENAME_EXCHANGE);
    for (int n = 0; n < TRIES; n++)
        found += leads_there(top, "own/exe");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (unlinkat(top, "own/exe", 0) != 0)
        (void)unlinkat(top, "other/exe", 0);
    for (int n = 0; n < 2; n++)
        if (unlinkat(top, n == 0 ? "own" : "other", 0) != 0)
            (void)unlinkat(top, n == 0 ? "own" : "other", AT_REMOVEDIR);
    close(top);
    printf("exchanged links: %d\n", found);
}

int main(void)
{
    int ends[2];
    (void)!mkdtemp(folder);
    (void)!pipe(ends);
    by_folder("/proc/self");
    by_folder("/proc/thread-self");
    try("/proc/self/mem", 0);
    try("/proc/./self//mem", 0);
    try("/proc/self/../self/mem", 0);
    try("/proc/self/net/../mem", 0);
    try("/proc/self/root/proc/self/mem", 0);
    try("/proc/%d/mem", getpid());
    try("/proc/self/task/%d/mem", getpid());
    try("/proc/self/smaps", 0);
    try("/proc/self/pagemap", 0);
    try("/proc/self/map_files", 0);
    try("/proc/1/environ", 0);
    try("/proc/%d/environ", getppid());
    try("/proc/kcore", 0);
    try("/proc/kallsyms", 0);
    show("a setting of the kernel", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    printf("files that show the simulator: %d\n", reveals("/proc/self", 3));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        (void)!write(ends[1], "x", 1);
        for (;;)
            pause();
    }
    (void)!read(ends[0], text, 1);
    of_child(child);
    by_length();
    by_exchange();
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    try("/proc/%d/status", child);
    (void)unlink(in_folder("link"));
    rmdir(folder);
    return 0;
}
