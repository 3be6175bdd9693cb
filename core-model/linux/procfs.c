/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in /proc that refer to the guest's processes, threads and descriptors. Source: proc(5). */
#include "core-model/linux/procfs.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core-model/linux/linux.h"
#include "core-model/linux/path.h"

/* Takes the component `word` off the front of *path, with the slashes behind it. */
static bool take(const char **path, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*path, word, length) != 0 || ((*path)[length] != '/' && (*path)[length] != '\0'))
        return false;
    *path += length;
    while ((*path)[0] == '/' || ((*path)[0] == '.' && ((*path)[1] == '/' || (*path)[1] == '\0')))
        (*path)++;
    return true;
}

/* Takes a component that is a number. */
static bool take_number(const char **path, uint32_t *number)
{
    char word[NAME_MAX + 1], *end;
    size_t length = strcspn(*path, "/");
    if (length == 0 || length > NAME_MAX || (*path)[0] < '0' || (*path)[0] > '9')
        return false;
    memcpy(word, *path, length);
    word[length] = '\0';
    uint64_t value = strtoul(word, &end, 10);
    *number = (uint32_t)value;
    return *end == '\0' && value <= INT32_MAX && take(path, word);
}

const struct linux_thread *linux_proc_leader(const struct guest *g)
{
    const struct linux_thread *t = linux_thread_find(g, g->os->pid);
    return t != NULL ? t : g->thread;
}

size_t linux_thread_count(const struct guest *g)
{
    size_t n = 0;
    for (size_t i = 0; i < g->os->threads; i++)
        n += !g->os->thread[i]->ended;
    return n;
}

/* Writes prefix[/name][/rest] to `path`, of which the parts may be parts. */
static int64_t put_name(char *path, const char *prefix, const char *name, const char *rest)
{
    char text[PATH_MAX];
    int n = snprintf(text, sizeof text, "%s%s%s%s%s", prefix, name[0] != '\0' ? "/" : "", name,
                     rest[0] != '\0' ? "/" : "", rest);
    if (n >= (int)sizeof text)
        return -ENAMETOOLONG;
    memcpy(path, text, (size_t)n + 1);
    return 0;
}

/* Removes "FOLDER/..", except behind links to other folders. */
static void remove_parents(char *path)
{
    static const char *const links[] = {"/cwd/", "/root/", "/exe/", "/fd/"};
    for (char *up; (up = strstr(path, "/..")) != NULL && (up[3] == '/' || up[3] == '\0');) {
        for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
            const char *link = strstr(path, links[i]);
            if (link != NULL && link < up)
                return;
        }
        char *folder = up;
        while (folder > path && *--folder != '/')
            continue;
        memmove(folder, up + 3, strlen(up + 3) + 1);
    }
}

/* A descriptor of the process: fd/N or fdinfo/N. */
static int64_t find_descriptor(const struct guest *g, char *path, const char *folder, const char *rest, bool is_link,
                               struct proc_entry *entry)
{
    uint32_t fd;
    char number[16];
    if (rest[0] == '\0')
        return put_name(path, folder, ".", "");
    if (!take_number(&rest, &fd) || fd >= LINUX_FD_MAX || g->os->fd[fd] < 0)
        return -ENOENT;
    snprintf(number, sizeof number, "%d", g->os->fd[fd]);
    entry->kind = is_link && rest[0] == '\0' ? PROC_DESCRIPTOR : PROC_HOST;
    return put_name(path, folder, number, rest);
}

/* The links to the program, the working folder and the root. -1: another name. */
static int64_t find_link(const struct guest *g, char *path, const char *prefix, const char *name, bool follows,
                         struct proc_entry *entry)
{
    static const char *const names[] = {"exe", "cwd", "root"};
    static const enum proc_kind kinds[] = {PROC_EXE, PROC_CWD, PROC_ROOT};
    char target[PATH_MAX];
    size_t i = 0;
    while (i < sizeof names / sizeof names[0] && !take(&name, names[i]))
        i++;
    if (i == sizeof names / sizeof names[0])
        return -1;
    if (!follows && name[0] == '\0') {
        entry->kind = kinds[i];
        return put_name(path, prefix, names[i], "");
    }
    int64_t r = linux_proc_read_link(g, &(struct proc_entry){.kind = kinds[i]}, NULL, target);
    if (r < 0)
        return r;
    if (kinds[i] == PROC_EXE && strlen(g->os->exe) < sizeof target)
        strcpy(target, g->os->exe); /* of the host: it may be hidden by a file of the sysroot */
    r = put_name(path, strcmp(target, "/") == 0 ? "" : target, name, "");
    return r < 0 ? r : kinds[i] == PROC_EXE ? 0 : 1;
}

/* Files that show the emulator's memory and registers. */
static bool is_hidden(const char *name)
{
    static const char *const names[] = {"smaps", "smaps_rollup", "numa_maps", "pagemap",  "map_files", "clear_refs",
                                        "stack", "syscall",      "wchan",     "children", "timers"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (take(&name, names[i]))
            return true;
    return false;
}

/* A name below the folder of the process or of a thread. */
static int64_t find_own(const struct guest *g, char *path, const char *prefix, const char *name, bool follows,
                        struct proc_entry *entry)
{
    char folder[80];
    if (name[0] == '\0')
        return put_name(path, prefix, ".", ""); /* a folder, where the prefix may be a link */
    int64_t r = find_link(g, path, prefix, name, follows, entry);
    if (r != -1)
        return r;
    bool is_fd = take(&name, "fd");
    if (is_fd || take(&name, "fdinfo")) {
        snprintf(folder, sizeof folder, "%s/%s", prefix, is_fd ? "fd" : "fdinfo");
        return find_descriptor(g, path, folder, name, is_fd && !follows, entry);
    }
    if (take(&name, "mem"))
        return -EACCES;
    if (is_hidden(name))
        return -ENOENT;
    entry->file = linux_proc_file(name);
    entry->kind = entry->file != NULL ? PROC_FILE : PROC_HOST;
    return put_name(path, prefix, name, "");
}

/* A name below the folder of another process of the guest. */
static int64_t find_other(const struct guest *g, uint32_t pid, char *path, const char *name)
{
    char number[16];
    int host = linux_host_pid(g, pid);
    if (host < 0)
        return -ENOENT;
    if (is_hidden(name) || take(&name, "mem"))
        return -EACCES;
    snprintf(number, sizeof number, "%d", host);
    return put_name(path, "/proc", number, name);
}

int64_t linux_proc_find(const struct guest *g, char *path, bool follows, struct proc_entry *entry)
{
    const char *name = path;
    char prefix[64] = "/proc/self";
    uint32_t number = g->os->pid;
    bool has_end = path[0] != '\0' && path[strlen(path) - 1] == '/';
    remove_parents(path);
    if (!take(&name, "/proc"))
        return 1;
    const char *first = name;
    bool is_self = take(&name, "self"), is_thread = !is_self && take(&name, "thread-self");
    if (!is_self && !is_thread && !take_number(&name, &number)) {
        entry->file = linux_system_file(name);
        entry->kind = entry->file != NULL ? PROC_FILE : PROC_HOST;
        return 0;
    }
    entry->thread = is_thread ? g->thread : linux_proc_leader(g);
    entry->is_thread = is_thread || number != g->os->pid;
    if ((is_self || is_thread) && name[0] == '\0' && !follows && !has_end) {
        entry->kind = is_self ? PROC_SELF : PROC_THREAD_SELF;
        return 0;
    }
    if (number != g->os->pid && linux_thread_find(g, number) == NULL)
        return find_other(g, number, path, name);
    if (first[0] >= '0' && first[0] <= '9' && number != g->os->pid)
        entry->thread = linux_thread_find(g, number);
    if (take(&name, "task")) {
        if (name[0] == '\0') {
            entry->kind = PROC_TASKS;
            return put_name(path, prefix, "task", "");
        }
        entry->thread = take_number(&name, &number) ? linux_thread_find(g, number) : NULL;
        entry->is_thread = true;
        if (entry->thread == NULL)
            return -ENOENT;
        snprintf(prefix, sizeof prefix, "/proc/self/task/%d", getpid());
    }
    return find_own(g, path, prefix, name, follows, entry);
}

void linux_proc_name_guest(const struct guest *g, char *path)
{
    const char *name = path;
    char prefix[64];
    uint32_t host, task;
    (void)take(&name, "/proc");
    uint32_t pid = take_number(&name, &host) ? linux_guest_pid(g, (int)host) : 0;
    if (pid == 0)
        return;
    int n = snprintf(prefix, sizeof prefix, "/proc/%" PRIu32, pid);
    if (take(&name, "task") && take_number(&name, &task))
        snprintf(prefix + n, sizeof prefix - (size_t)n, "/task/%" PRIu32, task == host ? pid : task);
    else if (strstr(path, "/task") != NULL)
        snprintf(prefix + n, sizeof prefix - (size_t)n, "/task");
    (void)put_name(path, prefix, name, "");
}

static int64_t read_host_link(const char *path, char *target)
{
    ssize_t n = readlink(path, target, PATH_MAX - 1);
    target[n > 0 ? n : 0] = '\0';
    return n < 0 ? -errno : n;
}

int64_t linux_proc_read_link(const struct guest *g, const struct proc_entry *entry, const char *path, char *target)
{
    switch (entry->kind) {
    case PROC_SELF:
        return snprintf(target, PATH_MAX, "%" PRIu32, g->os->pid);
    case PROC_THREAD_SELF:
        return snprintf(target, PATH_MAX, "%" PRIu32 "/task/%" PRIu32, g->os->pid, g->thread->tid);
    case PROC_EXE:
        return snprintf(target, PATH_MAX, "%s", g->os->exe_inside);
    case PROC_ROOT:
        return snprintf(target, PATH_MAX, "/");
    default: {
        int64_t r = read_host_link(entry->kind == PROC_CWD ? "/proc/self/cwd" : path, target);
        if (r >= 0)
            linux_name_guest(g, target);
        return r < 0 ? r : (int64_t)strlen(target);
    }
    }
}

int64_t linux_proc_check(const struct guest *g, int host_fd, bool follows, struct linux_place *place)
{
    struct statfs sf;
    char link[64], opened[PATH_MAX];
    if (fstatfs(host_fd, &sf) != 0 || sf.f_type != PROC_SUPER_MAGIC)
        return 0;
    snprintf(opened, sizeof opened, "%s", place->path);
    snprintf(link, sizeof link, "/proc/self/fd/%d", host_fd);
    int64_t r = read_host_link(link, place->path);
    if (r < 0)
        return r;
    linux_name_guest(g, place->path);
    if (strncmp(place->path, "/proc", 5) != 0 || (place->path[5] != '/' && place->path[5] != '\0'))
        return -EACCES; /* mounted elsewhere: which of its files are the emulator's is unknown */
    place->dir = AT_FDCWD;
    r = linux_find_place(g, follows, place);
    return r < 0 ? r : strcmp(opened, place->path) != 0 || place->entry.kind == PROC_FILE;
}

static uint32_t *process_numbers(const struct guest *g, size_t *count)
{
    uint32_t *numbers = NULL, pid;
    int host;
    *count = 0;
    for (uint32_t i = 0; linux_process_at(g, i, &pid, &host); i++) {
        if (host <= 0)
            continue;
        numbers = xgrow(numbers, *count, sizeof *numbers);
        numbers[(*count)++] = pid;
    }
    return numbers;
}

static uint32_t *thread_numbers(const struct guest *g, size_t *count)
{
    uint32_t *numbers = xcalloc(g->os->threads, sizeof *numbers);
    *count = 0;
    for (size_t i = 0; i < g->os->threads; i++)
        if (!g->os->thread[i]->ended)
            numbers[(*count)++] = g->os->thread[i]->tid;
    return numbers;
}

static uint32_t *descriptor_numbers(const struct guest *g, size_t *count)
{
    uint32_t *numbers = xcalloc(LINUX_FD_MAX, sizeof *numbers);
    *count = 0;
    for (uint32_t fd = 0; fd < LINUX_FD_MAX; fd++)
        if (g->os->fd[fd] >= 0)
            numbers[(*count)++] = fd;
    return numbers;
}

static uint32_t *processor_numbers(const struct guest *g, size_t *count)
{
    uint32_t *numbers = xcalloc(g->os->processors, sizeof *numbers);
    for (*count = 0; *count < g->os->processors; (*count)++)
        numbers[*count] = (uint32_t)*count;
    return numbers;
}

int64_t linux_processors_find(const struct guest *g, const char *name, char *path, struct proc_entry *entry)
{
    static const char file[] = "/proc/self/stat";
    char words[3][32] = {"", "", ""}, rest;
    int count = sscanf(name, "/%31[^/]/%31[^/]/%31[^/]%c", words[0], words[1], words[2], &rest);
    const char *digits = words[0] + strlen("cpu");
    bool of_one = strncmp(words[0], "cpu", strlen("cpu")) == 0 && take_number(&digits, &entry->processor) &&
                  entry->processor < g->os->processors;
    bool topology = of_one && strcmp(words[1], "topology") == 0;
    entry->file = count == 1               ? linux_processors_file(words[0])
                  : count == 3 && topology ? linux_topology_file(words[2])
                                           : NULL;
    entry->kind = entry->file != NULL ? PROC_FILE : PROC_HOST;
    if (entry->file != NULL)
        strcpy(path, file);
    else if (count <= 0 || (count == 1 && of_one) || (count == 2 && topology))
        snprintf(path, PATH_MAX, LINUX_PROCESSORS "%s%s", of_one ? "/cpu0" : "", topology ? "/topology" : "");
    else
        return -ENOENT;
    return 0;
}

static uint32_t *numbers_of(const struct guest *g, int host_fd, size_t *count)
{
    struct statfs sf;
    char link[64], path[PATH_MAX];
    const char *name = path;
    uint32_t number;
    snprintf(link, sizeof link, "/proc/self/fd/%d", host_fd);
    if (fstatfs(host_fd, &sf) != 0 || (sf.f_type != PROC_SUPER_MAGIC && sf.f_type != SYSFS_MAGIC) ||
        read_host_link(link, path) < 0)
        return NULL;
    if (strcmp(path, LINUX_PROCESSORS) == 0)
        return processor_numbers(g, count);
    if (strcmp(path, "/proc") == 0)
        return process_numbers(g, count);
    if (!take(&name, "/proc") || !take_number(&name, &number) || number != (uint32_t)getpid())
        return NULL;
    if (take(&name, "task")) {
        if (name[0] == '\0')
            return thread_numbers(g, count);
        (void)take_number(&name, &number);
    }
    return strcmp(name, "fd") == 0 || strcmp(name, "fdinfo") == 0 ? descriptor_numbers(g, count) : NULL;
}

struct proc_numbers linux_proc_numbers(const struct guest *g, int host_fd)
{
    struct proc_numbers n = {0};
    char link[64], path[PATH_MAX];
    n.number = numbers_of(g, host_fd, &n.count);
    snprintf(link, sizeof link, "/proc/self/fd/%d", host_fd);
    if (n.number != NULL && read_host_link(link, path) >= 0)
        n.prefix = strcmp(path, LINUX_PROCESSORS) == 0 ? "cpu" : "";
    return n;
}
