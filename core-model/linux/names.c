/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sysroot, and the guest's names of files that the host names. */
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/path.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/syscall.h"

/* RESOLVE_NO_MAGICLINKS, if the host's kernel has openat2 (Linux 5.6). */
static uint64_t find_no_magic_links(void)
{
    const struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_MAGICLINKS};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how);
    if (fd >= 0)
        close(fd);
    return fd >= 0 ? RESOLVE_NO_MAGICLINKS : 0;
}

void linux_sysroot_init(struct linux_names *names, const char *sysroot, enum guest_names which)
{
    struct stat root, host;
    names->which = which;
    names->no_magic_links = find_no_magic_links();
    names->start_folder = getcwd(NULL, 0);
    names->sysroot = sysroot != NULL ? realpath(sysroot, NULL) : NULL;
    if (names->sysroot == NULL || strcmp(names->sysroot, "/") == 0 || stat(names->sysroot, &root) != 0 ||
        stat("/", &host) != 0) {
        free(names->sysroot);
        names->sysroot = NULL;
        return;
    }
    names->root_dev = root.st_dev, names->root_ino = root.st_ino;
    names->host_root_dev = host.st_dev, names->host_root_ino = host.st_ino;
}

bool linux_root_numbers(const struct linux_names *names, dev_t *dev, uint64_t *ino)
{
    if (names->sysroot == NULL)
        return false;
    if (*dev == names->host_root_dev && *ino == names->host_root_ino)
        *dev = names->root_dev, *ino = names->root_ino;
    return *dev == names->root_dev && *ino == names->root_ino;
}

void linux_enter_root(const struct linux_names *names)
{
    char path[PATH_MAX];
    if (names->sysroot != NULL && getcwd(path, sizeof path) != NULL && strcmp(path, "/") == 0)
        (void)chdir(names->sysroot);
}

const char *linux_below_sysroot(const struct linux_names *names, const char *path)
{
    size_t length = names->sysroot != NULL ? strlen(names->sysroot) : 0;
    bool is_below = length > 0 && strncmp(path, names->sysroot, length) == 0 &&
                    (path[length] == '/' || path[length] == '\0');
    return is_below ? path + length : NULL;
}

int64_t linux_read_host_link(const char *link, char *target)
{
    ssize_t n = readlink(link, target, PATH_MAX - 1);
    target[n > 0 ? n : 0] = '\0';
    return linux_result(n);
}

int64_t linux_descriptor_name(int host_fd, char *name)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", host_fd);
    return linux_read_host_link(link, name);
}

bool linux_read_number(const char *name, uint32_t *number)
{
    enum { DIGITS_MAX = 10 };
    size_t length = strspn(name, "0123456789");
    if (length == 0 || length > DIGITS_MAX || name[length] != '\0' || (name[0] == '0' && length > 1))
        return false;
    uint64_t value = strtoul(name, NULL, 10);
    *number = (uint32_t)value;
    return value <= INT32_MAX;
}

int64_t linux_take_component(char *rest, char *name)
{
    do {
        size_t start = strspn(rest, "/"), length = strcspn(rest + start, "/");
        if (length == 0 || length > NAME_MAX)
            return length == 0 ? 0 : -ENAMETOOLONG;
        memcpy(name, rest + start, length);
        name[length] = '\0';
        memmove(rest, rest + start + length, strlen(rest + start + length) + 1);
    } while (strcmp(name, ".") == 0);
    return 1;
}

/* Replaces a name below /proc of the host by the guest's. */
static void name_process(const struct guest *g, char *path)
{
    char name[NAME_MAX + 1], rest[PATH_MAX], text[PATH_MAX];
    uint32_t host, task;
    snprintf(rest, sizeof rest, "%s", path + strlen("/proc"));
    if (linux_take_component(rest, name) <= 0 || !linux_read_number(name, &host))
        return;
    const uint32_t pid = linux_guest_pid(g, (int)host); /* 0, which is no process, for another process */
    int n = snprintf(text, sizeof text, "/proc/%" PRIu32, pid);
    if (strncmp(rest, "/task/", 6) == 0) {
        memmove(rest, rest + strlen("/task"), strlen(rest + strlen("/task")) + 1);
        bool is_task = linux_take_component(rest, name) > 0 && linux_read_number(name, &task) && task == host;
        n += snprintf(text + n, sizeof text - (size_t)n, "/task/%" PRIu32, is_task ? pid : 0);
    }
    if (snprintf(text + n, sizeof text - (size_t)n, "%s", rest) < (int)(sizeof text - (size_t)n))
        strcpy(path, text);
}

void linux_name_guest(const struct guest *g, char *path)
{
    const char *below = linux_below_sysroot(g->names, path);
    if (below != NULL)
        memmove(path, below[0] != '\0' ? below : "/", strlen(below) + 1 + (below[0] == '\0'));
    else if (strncmp(path, "/proc/", 6) == 0)
        name_process(g, path);
}
