/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in /proc. A name is walked component by component, as the guest sees the folders; the walk ends at an entry of
 * the tables below, for which the host has a name of the same type. The host's names of other entries are never used.
 * Source: proc(5). */
#include "core-model/linux/procfs.h"

#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

/* Folders, files and links that the walk can be at. */
enum node {
    NODE_FOLDER, /* /proc, or the folder of a process or thread */
    NODE_TASKS,
    NODE_DESCRIPTORS, /* fd or fdinfo */
    NODE_TREE,        /* a folder of the host with all that is in it */
    NODE_FILE,        /* the guest's, or the host's */
    NODE_WRITE,       /* the host's, which the guest may write */
    NODE_LINK,
    NODE_REFUSED, /* exists, but cannot be opened */
};

struct proc_name {
    const char *name;
    enum node node;
};

/* Entries of the folder of a process or a thread, besides those of proc_file.c. Files and trees are the host's, for all
 * processes of the guest alike. */
static const struct proc_name process_names[] = {
    {"attr", NODE_TREE},          {"cgroup", NODE_FILE},    {"cpuset", NODE_FILE},
    {"cwd", NODE_LINK},           {"exe", NODE_LINK},       {"fd", NODE_DESCRIPTORS},
    {"fdinfo", NODE_DESCRIPTORS}, {"gid_map", NODE_FILE},   {"loginuid", NODE_FILE},
    {"mem", NODE_REFUSED},        {"mountinfo", NODE_FILE}, {"mounts", NODE_FILE},
    {"mountstats", NODE_FILE},    {"net", NODE_TREE},       {"ns", NODE_TREE},
    {"oom_adj", NODE_FILE},       {"oom_score", NODE_FILE}, {"oom_score_adj", NODE_WRITE},
    {"projid_map", NODE_FILE},    {"root", NODE_LINK},      {"sessionid", NODE_FILE},
    {"setgroups", NODE_FILE},     {"task", NODE_TASKS},     {"timens_offsets", NODE_FILE},
    {"uid_map", NODE_FILE},
};

/* Entries of /proc, besides those of proc_machine.c and processors.c: the host's. */
static const struct proc_name machine_names[] = {
    {"buddyinfo", NODE_FILE},  {"cgroups", NODE_FILE},   {"consoles", NODE_FILE},    {"crypto", NODE_FILE},
    {"devices", NODE_FILE},    {"diskstats", NODE_FILE}, {"filesystems", NODE_FILE}, {"interrupts", NODE_FILE},
    {"misc", NODE_FILE},       {"modules", NODE_FILE},   {"mounts", NODE_LINK},      {"net", NODE_LINK},
    {"partitions", NODE_FILE}, {"pressure", NODE_TREE},  {"self", NODE_LINK},        {"softirqs", NODE_FILE},
    {"swaps", NODE_FILE},      {"sys", NODE_TREE},       {"thread-self", NODE_LINK}, {"tty", NODE_TREE},
    {"vmstat", NODE_FILE},     {"zoneinfo", NODE_FILE},
};

enum { HOST_FILE = 2 }; /* result of a walk: `path` is the host's name */
enum {
    PROCESS_NAMES = sizeof process_names / sizeof process_names[0],
    MACHINE_NAMES = sizeof machine_names / sizeof machine_names[0]
};

static const struct proc_name *find_name(const struct proc_name *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0)
            return &names[i];
    return NULL;
}

/* A walk through /proc: the place that it has come to, and the components behind. */
struct proc_walk {
    const struct guest *g;
    uint32_t pid;        /* 0: not below the folder of a process */
    uint32_t tid;        /* 0: not below the folder of a thread */
    bool is_top;         /* that folder is in /proc itself, which does not list it */
    char name[PATH_MAX]; /* below that folder, or below /proc; empty for the folder itself */
    enum node node;
    char rest[PATH_MAX];
    struct proc_entry *entry;
};

static bool is_own(const struct proc_walk *w) { return w->pid == w->g->task->pid; }

/* ---- entering ---- */

static int64_t procfs_append(struct proc_walk *w, const char *name, enum node node)
{
    size_t length = strlen(w->name), room = sizeof w->name - length;
    int n = snprintf(w->name + length, room, "%s%s", length > 0 ? "/" : "", name);
    w->node = node;
    return n >= (int)room ? -ENAMETOOLONG : 0;
}

static int64_t enter_link(struct proc_walk *w, const char *name, enum proc_kind kind)
{
    w->entry->kind = kind;
    return procfs_append(w, name, NODE_LINK);
}

/* Enters a folder in /proc: of a process, or of a thread of this one. */
static int64_t enter_number(struct proc_walk *w, uint32_t number)
{
    const struct guest *g = w->g;
    const struct linux_process *p = linux_process_entry(g, number);
    bool is_thread = number != g->task->pid && linux_thread_find(g, number) != NULL;
    w->pid = is_thread ? g->task->pid : number;
    w->tid = is_thread ? number : 0;
    w->is_top = is_thread;
    return is_own(w) || (p != NULL && !p->is_thread && linux_host_pid(g, number) > 0) ? 0 : -ENOENT;
}

static int64_t enter_root(struct proc_walk *w, const char *name)
{
    uint32_t number;
    const struct proc_name *known = find_name(machine_names, MACHINE_NAMES, name);
    if (linux_read_number(name, &number))
        return enter_number(w, number);
    if (known == NULL)
        return linux_machine_file(name) != NULL ? procfs_append(w, name, NODE_FILE) : -ENOENT;
    if (known->node != NODE_LINK)
        return procfs_append(w, name, known->node);
    bool is_self = strcmp(name, "self") == 0, is_thread = strcmp(name, "thread-self") == 0;
    return enter_link(w, name, is_self ? PROC_SELF : is_thread ? PROC_THREAD_SELF : PROC_HOST);
}

static int64_t enter_thread(struct proc_walk *w, const char *name)
{
    const struct guest *g = w->g;
    uint32_t tid;
    if (!linux_read_number(name, &tid))
        return -ENOENT;
    const struct linux_process *p = linux_process_entry(g, tid);
    bool exists = is_own(w) ? linux_thread_find(g, tid) != NULL
                            : tid == w->pid || (p != NULL && p->is_thread && p->parent == w->pid);
    w->tid = tid;
    w->is_top = false;
    w->name[0] = '\0';
    w->node = NODE_FOLDER;
    return exists ? 0 : -ENOENT;
}

/* An entry of the folder of a process or a thread. */
static int64_t enter_own(struct proc_walk *w, const char *name)
{
    const struct proc_name *known = find_name(process_names, PROCESS_NAMES, name);
    w->entry->file = linux_proc_file(name);
    if (known == NULL)
        return w->entry->file != NULL ? procfs_append(w, name, NODE_FILE) : -ENOENT;
    if (known->node == NODE_TASKS && w->tid != 0)
        return -ENOENT;
    if (known->node == NODE_DESCRIPTORS && !is_own(w))
        return procfs_append(w, name, NODE_REFUSED);
    if (known->node == NODE_LINK)
        return enter_link(w, name, name[0] == 'e' ? PROC_EXE : name[0] == 'c' ? PROC_CWD : PROC_ROOT);
    return procfs_append(w, name, known->node);
}

/* A descriptor of this process: fd/N is a link, fdinfo/N a file. */
static int64_t enter_descriptor(struct proc_walk *w, const char *name)
{
    uint32_t fd;
    bool is_link = strcmp(w->name, "fd") == 0;
    if (!linux_read_number(name, &fd) || fd >= LINUX_FD_MAX || w->g->files->fd[fd] < 0)
        return -ENOENT;
    w->entry->fd = fd;
    w->entry->file = is_link ? NULL : &linux_descriptor_file;
    return is_link ? enter_link(w, name, PROC_DESCRIPTOR) : procfs_append(w, name, NODE_FILE);
}

/* Goes to the folder above; false: above /proc. */
static bool procfs_enter_parent(struct proc_walk *w)
{
    char *slash = strrchr(w->name, '/');
    if (w->name[0] != '\0') {
        *(slash != NULL ? slash : w->name) = '\0';
        w->node = slash != NULL ? NODE_TREE : NODE_FOLDER;
    } else if (w->tid != 0 && !w->is_top) {
        w->tid = 0;
        strcpy(w->name, "task");
        w->node = NODE_TASKS;
    } else if (w->pid != 0) {
        w->pid = w->tid = 0;
    } else {
        return false;
    }
    return true;
}

static int64_t procfs_enter(struct proc_walk *w, const char *name)
{
    switch (w->node) {
    case NODE_FOLDER:
        return w->pid == 0 ? enter_root(w, name) : enter_own(w, name);
    case NODE_TASKS:
        return enter_thread(w, name);
    case NODE_DESCRIPTORS:
        return enter_descriptor(w, name);
    case NODE_TREE:
        return procfs_append(w, name, NODE_TREE);
    case NODE_REFUSED:
        return -EACCES;
    default:
        return -ENOTDIR;
    }
}

/* ---- the host's names ---- */

/* The folder of the process or thread. What is not of the process itself is the same for all of the guest. */
static int put_folder(const struct proc_walk *w, bool is_shared, char *path)
{
    const int host = is_shared || is_own(w) ? getpid() : linux_host_pid(w->g, w->pid);
    int n = is_shared || is_own(w) ? snprintf(path, PATH_MAX, "/proc/self")
                                   : snprintf(path, PATH_MAX, "/proc/%d", host > 0 ? host : 0);
    if (w->tid != 0)
        n += snprintf(path + n, PATH_MAX - (size_t)n, "/task/%d", host > 0 ? host : 0);
    return n;
}

/* The host's name of what the walk has come to. A folder to which the host may have a link is named with `.` at the
 * end. */
static int64_t procfs_finish(struct proc_walk *w, char *path)
{
    char name[PATH_MAX];
    struct proc_entry *entry = w->entry;
    if (w->pid == 0 && w->node != NODE_LINK)
        entry->file = linux_machine_file(w->name);
    if (w->node != NODE_LINK)
        entry->kind = w->node == NODE_REFUSED ? PROC_REFUSED
                      : entry->file != NULL   ? PROC_FILE
                      : w->node == NODE_TASKS ? PROC_TASKS
                      : w->node == NODE_WRITE ? PROC_WRITE
                                              : PROC_HOST;
    entry->pid = w->pid;
    entry->thread = is_own(w) && w->tid != 0 ? linux_thread_find(w->g, w->tid) : NULL;
    if (entry->kind == PROC_FILE && w->rest[0] != '\0')
        return -ENOTDIR;
    strcpy(name, w->name);
    if (entry->kind == PROC_DESCRIPTOR || entry->file == &linux_descriptor_file)
        snprintf(name, sizeof name, "%s/%d", entry->kind == PROC_DESCRIPTOR ? "fd" : "fdinfo",
                 w->g->files->fd[entry->fd]);
    if (entry->kind == PROC_REFUSED) /* the host's name of another file of the type, for its status */
        strcpy(name, strcmp(w->name, "mem") == 0 ? "environ" : "attr");
    const char *end = w->node == NODE_DESCRIPTORS                    ? "/."
                      : name[0] == '\0'                              ? "."
                      : w->node == NODE_TREE || w->node == NODE_FILE ? w->rest
                                                                     : "";
    bool is_shared = entry->kind == PROC_WRITE || entry->kind == PROC_REFUSED ||
                     (entry->kind == PROC_HOST && w->name[0] != '\0');
    int n = w->pid != 0 ? put_folder(w, is_shared, path) : snprintf(path, PATH_MAX, "/proc");
    n += snprintf(path + n, PATH_MAX - (size_t)n, "/%s%s", name, end);
    return n >= PATH_MAX ? -ENAMETOOLONG : 0;
}

/* ---- links ---- */

/* Goes on at another name of the guest, with the rest behind it. */
static int64_t go_on_at(const struct proc_walk *w, const char *target, char *path)
{
    bool is_root = strcmp(target, "/") == 0 && w->rest[0] != '\0';
    return snprintf(path, PATH_MAX, "%s%s", is_root ? "" : target, w->rest) >= PATH_MAX ? -ENAMETOOLONG : 1;
}

/* The program is the host's file: it may be hidden by a file of the sysroot. */
static int64_t follow_program(const struct proc_walk *w, char *path)
{
    w->entry->kind = PROC_NONE;
    if (w->rest[0] != '\0')
        return -ENOTDIR;
    if (!is_own(w))
        return linux_read_text(w->g, w->pid, TEXT_EXE, path, PATH_MAX) < 0 ? -ENOENT : HOST_FILE;
    return snprintf(path, PATH_MAX, "%s", w->g->names->exe) >= PATH_MAX ? -ENAMETOOLONG : HOST_FILE;
}

static int64_t procfs_follow(struct proc_walk *w, char *path)
{
    char target[PATH_MAX], host[PATH_MAX];
    const uint32_t pid = w->g->task->pid;
    const enum proc_kind kind = w->entry->kind;
    w->entry->pid = w->pid;
    if (kind == PROC_EXE)
        return follow_program(w, path);
    if (kind == PROC_SELF || kind == PROC_THREAD_SELF)
        snprintf(target, sizeof target, "/proc/%" PRIu32, pid);
    if (kind == PROC_THREAD_SELF)
        snprintf(target, sizeof target, "/proc/%" PRIu32 "/task/%" PRIu32, pid, w->g->thread->tid);
    if (kind == PROC_HOST)
        snprintf(target, sizeof target, "/proc/%" PRIu32 "/%.16s", pid, w->name); /* mounts, net */
    if (kind == PROC_SELF || kind == PROC_THREAD_SELF || kind == PROC_HOST)
        return go_on_at(w, target, path);
    int64_t r = kind == PROC_DESCRIPTOR ? procfs_finish(w, host) : 0;
    if (r == 0 && kind == PROC_DESCRIPTOR && strspn(w->rest, "/") == strlen(w->rest)) {
        w->entry->kind = PROC_NONE; /* opened again; slashes behind ask for a folder */
        return snprintf(path, PATH_MAX, "%s%s", host, w->rest) >= PATH_MAX ? -ENAMETOOLONG : HOST_FILE;
    }
    if (r == 0)
        r = linux_proc_read_link(w->g, w->entry, host, target);
    return r < 0 ? r : target[0] != '/' ? -ENOTDIR : go_on_at(w, target, path);
}

/* Walks to what `path` names. 0; 1: `path` is now another name of the guest; HOST_FILE; or a negative error number. */
static int64_t walk_to(struct proc_walk *w, char *path, bool follows)
{
    char name[NAME_MAX + 1];
    int64_t r;
    snprintf(w->rest, sizeof w->rest, "%s", path + strlen("/proc"));
    while ((r = linux_take_component(w->rest, name)) > 0) {
        bool is_up = strcmp(name, "..") == 0, is_folder = w->node != NODE_FILE && w->node != NODE_WRITE;
        if (is_up && is_folder && !procfs_enter_parent(w))
            return go_on_at(w, "/", path);
        r = is_up ? (is_folder ? 0 : -ENOTDIR) : procfs_enter(w, name);
        if (r < 0)
            return r;
        if (w->node == NODE_LINK && (w->rest[0] != '\0' || follows))
            return procfs_follow(w, path);
    }
    return r;
}

int64_t linux_proc_find(const struct guest *g, char *path, bool follows, struct proc_entry *entry)
{
    struct proc_walk w = {.g = g, .entry = entry};
    *entry = (struct proc_entry){0};
    if (strncmp(path, "/proc", 5) != 0 || (path[5] != '/' && path[5] != '\0'))
        return 1;
    int64_t r = walk_to(&w, path, follows);
    return r == 0 ? procfs_finish(&w, path) : r == HOST_FILE ? 0 : r;
}

/* ---- names of the host ---- */

/* The working folder of a process. */
static int64_t read_working_folder(const struct guest *g, uint32_t pid, char *target)
{
    char link[64] = "/proc/self/cwd";
    const int host = pid != g->task->pid ? linux_host_pid(g, pid) : getpid();
    if (host < 0)
        return -ENOENT;
    if (pid != g->task->pid)
        snprintf(link, sizeof link, "/proc/%d/cwd", host);
    int64_t r = linux_read_host_link(link, target);
    return r >= 0 && pid != g->task->pid && linux_host_pid(g, pid) < 0 ? -ENOENT : r;
}

int64_t linux_proc_read_link(const struct guest *g, const struct proc_entry *entry, const char *path, char *target)
{
    int64_t r;
    switch (entry->kind) {
    case PROC_SELF:
        return snprintf(target, PATH_MAX, "%" PRIu32, g->task->pid);
    case PROC_THREAD_SELF:
        return snprintf(target, PATH_MAX, "%" PRIu32 "/task/%" PRIu32, g->task->pid, g->thread->tid);
    case PROC_EXE:
        if (entry->pid != g->task->pid)
            return linux_read_text(g, entry->pid, TEXT_EXE_INSIDE, target, PATH_MAX);
        return snprintf(target, PATH_MAX, "%s", g->names->exe_inside);
    case PROC_ROOT:
        return snprintf(target, PATH_MAX, "/");
    case PROC_CWD:
        r = read_working_folder(g, entry->pid, target);
        break;
    default:
        r = linux_read_host_link(path, target);
        break;
    }
    if (r >= 0)
        linux_name_guest(g, target);
    return r < 0 ? r : (int64_t)strlen(target);
}

/* ---- listings ---- */

static void procfs_add_number(struct proc_listing *l, uint32_t number)
{
    l->number = xgrow(l->number, l->count, sizeof *l->number);
    l->number[l->count++] = number;
}

static bool is_machine_name(const char *name)
{
    return find_name(machine_names, MACHINE_NAMES, name) != NULL || linux_machine_file(name) != NULL;
}

static bool is_process_name(const char *name)
{
    return find_name(process_names, PROCESS_NAMES, name) != NULL || linux_proc_file(name) != NULL;
}

static bool is_thread_name(const char *name)
{
    const struct proc_name *known = find_name(process_names, PROCESS_NAMES, name);
    return known != NULL ? known->node != NODE_TASKS : linux_proc_file(name) != NULL;
}

static bool is_processors_name(const char *name) { return linux_processors_file(name) != NULL; }

static void list_threads(const struct guest *g, uint32_t pid, struct proc_listing *l)
{
    uint32_t tid = 0;
    for (size_t i = 0; pid == g->task->pid && i < g->sched->threads; i++)
        if (!g->sched->thread[i]->ended)
            procfs_add_number(l, g->sched->thread[i]->tid);
    if (pid == g->task->pid)
        return;
    procfs_add_number(l, pid);
    while (linux_next_thread(g, pid, &tid))
        procfs_add_number(l, tid);
}

static void list_numbers(const struct guest *g, const struct proc_walk *w, struct proc_listing *l)
{
    uint32_t pid = 0;
    if (w->node == NODE_TASKS)
        list_threads(g, w->pid, l);
    else if (w->node == NODE_DESCRIPTORS)
        for (uint32_t fd = 0; fd < LINUX_FD_MAX; fd++) {
            if (g->files->fd[fd] >= 0)
                procfs_add_number(l, fd);
        }
    else if (w->pid == 0)
        for (int host; linux_next_process(g, &pid, &host);)
            procfs_add_number(l, pid);
}

struct proc_listing linux_proc_list(const struct guest *g, int host_fd)
{
    struct proc_listing l = {0};
    struct statfs sf;
    struct proc_entry entry = {0};
    struct proc_walk w = {.g = g, .entry = &entry};
    char path[PATH_MAX];
    if (fstatfs(host_fd, &sf) != 0 || (sf.f_type != PROC_SUPER_MAGIC && sf.f_type != SYSFS_MAGIC) ||
        linux_descriptor_name(host_fd, path) < 0)
        return l;
    if (strcmp(path, LINUX_PROCESSORS) == 0) {
        for (uint32_t n = 0; n < g->sched->processors; n++)
            procfs_add_number(&l, n);
        l.prefix = "cpu";
        l.has = is_processors_name;
        return l;
    }
    if (sf.f_type == SYSFS_MAGIC)
        return l;
    linux_name_guest(g, path);
    if (walk_to(&w, path, false) != 0 || w.node == NODE_TREE) /* a tree is the host's, without numbers of processes */
        return l;
    list_numbers(g, &w, &l);
    l.prefix = "";
    if (w.node == NODE_FOLDER)
        l.has = w.pid == 0 ? is_machine_name : w.tid == 0 ? is_process_name : is_thread_name;
    return l;
}

/* ---- processors ---- */

int64_t linux_processors_find(const struct guest *g, const char *name, char *path, struct proc_entry *entry)
{
    static const char file[] = "/proc/self/stat";
    char words[3][32] = {"", "", ""}, rest;
    int count = sscanf(name, "/%31[^/]/%31[^/]/%31[^/]%c", words[0], words[1], words[2], &rest);
    bool of_one = strncmp(words[0], "cpu", strlen("cpu")) == 0 &&
                  linux_read_number(words[0] + strlen("cpu"), &entry->processor) &&
                  entry->processor < g->sched->processors;
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
