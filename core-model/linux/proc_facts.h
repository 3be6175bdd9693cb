/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contents of the files of a process in /proc: the same structure for the process itself and for others. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_PROC_FACTS_H
#define CORE_MODEL_LINUX_PROC_FACTS_H

#include "core-model/linux/task.h"
#include "core-model/linux/thread.h"

/* Sizes of the memory, in bytes. Every mapped page is resident, as mincore says. */
struct linux_sizes {
    uint64_t all, resident, shared, code, data, stack;
};

struct linux_facts {
    uint32_t pid, number; /* of the process, and of the thread if the file is a thread's */
    uint32_t parent, group, session;
    uint32_t threads;
    char name[LINUX_NAME_BYTES];
    char state; /* R, S, T or Z, as in proc(5) */
    bool no_new_privileges;
    uint32_t umask, personality;
    uint32_t policy, processor;
    int32_t priority, nice;
    uint64_t start_ns, cpu_ns, children_ns;
    uint64_t affinity;
    struct linux_sizes sizes;
    uint64_t image_start, brk_start, stack_start, arg_start, arg_end, env_end;
    uint64_t pending, shared_pending, blocked, ignored, caught; /* sets of signals */
    uint64_t queued;                                            /* number of pending signals */
    struct linux_limit limit[LINUX_LIMITS];
};

/* Texts of a process; those that may be long are last. */
enum linux_text {
    TEXT_EXE,        /* the program's path on the host */
    TEXT_EXE_INSIDE, /* the same, as the guest names it */
    TEXT_AUXILIARY,
    TEXT_COMMAND_LINE,
    TEXT_ENVIRONMENT,
    LINUX_TEXTS
};

/* Of a thread of this process; number and processor time are those of the process unless `is_thread`. */
void linux_fill_facts(struct guest *g, const struct linux_thread *t, bool is_thread, struct linux_facts *facts);
/* A text of this process, up to `room` bytes; its size in bytes. */
size_t linux_fill_text(struct guest *g, enum linux_text text, char *to, size_t room);
/* Shows the other processes what this one is now, if there are any. */
void linux_publish(struct guest *g);

#endif
