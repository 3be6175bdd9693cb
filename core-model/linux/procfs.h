/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's /proc: names that refer to its processes, threads and descriptors, whose numbers differ on the host, and
 * files with contents of the guest instead of the emulator. Tables list the names that exist: no other name of the
 * host's /proc can be reached. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_PROCFS_H
#define CORE_MODEL_LINUX_PROCFS_H

#include <stdio.h>

#include "core-model/linux/guest.h"

struct linux_facts;
struct linux_thread;

/* Source of a file's contents. */
struct proc_view {
    struct guest *g;
    const struct linux_facts *facts; /* of the process or thread; NULL: the file is the machine's */
    bool is_other;                   /* another process than this one */
    unsigned processor;              /* the file of a processor */
    uint32_t fd;                     /* the file of a descriptor */
};

struct proc_file {
    const char *name;
    void (*print)(const struct proc_view *v, FILE *out);
};

enum proc_kind {
    PROC_NONE,  /* no file of /proc, or a descriptor to be opened again */
    PROC_HOST,  /* the host's file or folder, which the guest reads */
    PROC_WRITE, /* the same, and the guest may write */
    PROC_SELF,
    PROC_THREAD_SELF,
    PROC_EXE,
    PROC_CWD,
    PROC_ROOT,
    PROC_DESCRIPTOR,
    PROC_TASKS,   /* the folder of threads */
    PROC_FILE,    /* a file with contents of the guest */
    PROC_REFUSED, /* cannot be opened */
};

/* Target of a name in /proc; links only if they are not followed. */
struct proc_entry {
    enum proc_kind kind;
    uint32_t pid;                      /* of a process; 0: the file is the machine's */
    const struct linux_thread *thread; /* of this process: the file is the thread's; NULL: the process's; borrowed */
    unsigned processor;                /* the file of a processor in /sys */
    uint32_t fd;                       /* the file of a descriptor */
    const struct proc_file *file;
};

/* Replaces a name below /proc by the host's. 0, -ENOENT, -EACCES, -ENOTDIR; 1: `path` is now another name of the guest.
 * `path` has PATH_MAX bytes. */
int64_t linux_proc_find(const struct guest *g, char *path, bool follows, struct proc_entry *entry);
/* The target of a link of /proc, of which `path` is the host's name: its length, or a negative error number. `target`
 * has PATH_MAX bytes. */
int64_t linux_proc_read_link(const struct guest *g, const struct proc_entry *entry, const char *path, char *target);

/* Entries of a folder of /proc, or of the processors' folder in /sys, which replace the host's. */
struct proc_listing {
    const char *prefix; /* of the names with numbers; NULL: another folder, whose entries are the host's */
    uint32_t *number;   /* owned by the caller */
    size_t count;
    bool (*has)(const char *name); /* which of the host's other names; NULL: none */
};
struct proc_listing linux_proc_list(const struct guest *g, int host_fd);

/* In proc_file.c. The file of a process or thread with this name; NULL: another name. */
const struct proc_file *linux_proc_file(const char *name);
/* The file of a descriptor in the folder fdinfo. */
extern const struct proc_file linux_descriptor_file;
/* Opens a host descriptor with the file's contents, by guest flags O_; -EACCES, -ENOMEM, -ENOENT. */
int64_t linux_proc_open(struct guest *g, const struct proc_entry *entry, uint64_t flags);
/* Writes to the `comm` of the thread files->fd_name[fd]. */
int64_t linux_proc_write_name(struct guest *g, uint32_t fd, const char *name, size_t size_bytes);

/* The folder in which the guest's processors are, with its parts. */
#define LINUX_PROCESSORS "/sys/devices/system/cpu"
/* In procfs.c: replaces `path`, of which `name` is the part below LINUX_PROCESSORS, by the host's name of a file or
 * folder of the same type. 0, -ENOENT. */
int64_t linux_processors_find(const struct guest *g, const char *name, char *path, struct proc_entry *entry);

/* In proc_machine.c. The file of the machine with this name below /proc; NULL: another name. */
const struct proc_file *linux_machine_file(const char *name);
/* In processors.c. The same for files about processors, of the folder of processors, or of the topology of one. */
const struct proc_file *linux_system_file(const char *name);
const struct proc_file *linux_processors_file(const char *name);
const struct proc_file *linux_topology_file(const char *name);
/* The file of this name, or NULL. */
const struct proc_file *linux_find_file(const struct proc_file *files, size_t count, const char *name);
/* Prints a set of processors as 0-2,5. */
void linux_print_processors(FILE *out, uint64_t set);

#endif
