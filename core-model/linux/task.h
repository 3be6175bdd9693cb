/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of a process besides its memory, files, signals, time and threads: its number, its children, limits
 * and options. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_TASK_H
#define CORE_MODEL_LINUX_TASK_H

#include "base/random.h"
#include "core-model/linux/guest.h"
#include "core-model/linux/missing.h"
#include "core-model/linux/syscall.h"

enum { LINUX_PID = 1000, LINUX_PPID = 999 };

struct linux_processes;
struct linux_texts;

/* A resource limit: the limit in force, and the highest that the guest may set; UINT64_MAX: none. */
struct linux_limit {
    uint64_t now, most;
};
enum { LINUX_LIMITS = 16, LINUX_LIMIT_STACK = 3, LINUX_LIMIT_CORE = 4, LINUX_LIMIT_NOFILE = 7 };

/* Values that prctl stores without further effect. */
struct linux_options {
    bool not_dumpable, no_new_privileges, no_huge_pages;
    uint64_t timer_slack_ns; /* 0: the default */
};

struct linux_task {
    uint32_t pid;
    bool is_child; /* this process was forked for a child of the guest */
    bool has_children;
    unsigned forks;                    /* number of processes forked by this one */
    int vfork_fd;                      /* in a vfork child: held open until execve or exit; else -1 */
    struct guest_follower follower;    /* run NULL: none */
    bool is_followed;                  /* in a child process: the follower runs it */
    struct linux_processes *processes; /* shared by all processes of the guest: process_table.h */
    struct linux_texts *texts;         /* also shared; NULL: none */
    struct random random;
    uint32_t umask;
    uint32_t personality;
    bool has_membarrier;                    /* registered for MEMBARRIER_CMD_PRIVATE_EXPEDITED */
    struct linux_limit limit[LINUX_LIMITS]; /* of RLIMIT_; of those, RLIMIT_NOFILE alone has an effect */
    struct linux_options options;
    int32_t nice;
    uint16_t input_priority; /* of ioprio_set */
    bool strace;
    uint8_t warned[LINUX_SYSCALL_MAX / 8]; /* of calls that are not supported */
    uint32_t missing[LINUX_MISSING_MAX];   /* times that this process has counted a missing program */
};

/* In proc.c: limits of a program at its start. */
void linux_limits_init(struct linux_task *task);
/* In proc.c: the machine's names, of uname. */
enum linux_name { UNAME_SYSTEM, UNAME_NODE, UNAME_RELEASE, UNAME_VERSION, UNAME_MACHINE, UNAME_DOMAIN, LINUX_UNAMES };
extern const char *const linux_uname[LINUX_UNAMES];

/* In process.c: the end of a child process. */
_Noreturn void linux_exit_child(struct guest *g);

#endif
