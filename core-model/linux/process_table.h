/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the guest's processes and threads, in memory that all of them share: their numbers, and which process of
 * the host executes each. A host number alone does not identify a process, because the host reuses it: it counts
 * together with the time at which the host's process started. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_PROCESS_TABLE_H
#define CORE_MODEL_LINUX_PROCESS_TABLE_H

#include <signal.h>

#include "core-model/checkpoint/stream.h"
#include "core-model/linux/proc_facts.h"

enum { LINUX_PROCESSES_MAX = 31000, LINUX_TEXT_BYTES = 32 << 10 };

/* A process or a thread. */
struct linux_process {
    _Atomic int32_t host; /* host pid; 0: free; negative: being created */
    uint64_t host_start;  /* start of the host's process, in clock ticks since the host's boot */
    uint32_t parent;
    int32_t host_parent;
    uint32_t group, session; /* guest numbers */
    uint32_t exited;
    uint32_t is_thread;        /* of the process with the same host pid */
    uint32_t has_executed;     /* an execve */
    uint64_t clock_ns, cpu_ns; /* at the process's end */
    _Atomic uint32_t version;  /* odd while the process writes `facts` and its texts */
    struct linux_facts facts;
};

/* The texts of a process, one behind the other. One that does not fit is cut. */
struct linux_texts {
    uint32_t size_bytes[LINUX_TEXTS];
    char data[LINUX_TEXT_BYTES - LINUX_TEXTS * sizeof(uint32_t)];
};

void linux_processes_init(struct guest *g);
void linux_processes_fini(struct guest *g);

/* Claims a number for a process that is to be created, or for a thread of this one; 0: none is free. */
uint32_t linux_claim_pid(struct guest *g);
uint32_t linux_claim_tid(struct guest *g);
void linux_release_number(struct guest *g, uint32_t number);
/* Gives the entry of a number that linux_claim_pid has given what a child has from this process. */
void linux_inherit_process(struct guest *g, uint32_t pid);
/* Enters the host's process of a number that linux_claim_pid has given. */
void linux_enter_process(struct guest *g, uint32_t pid, int host_pid);

/* The entry of a process or thread of which this process knows that it exists, as itself; NULL: a free number. */
struct linux_process *linux_process_entry(const struct guest *g, uint32_t pid);
/* The number of the host's process; -ESRCH: it has ended and been waited for, or never existed. */
int linux_host_pid(const struct guest *g, uint32_t pid);
/* The parent of a process of the host; 0: the process has ended, or init is its parent. */
int linux_host_parent(int host_pid);
/* The guest's number of a process of the host that exists, or 0. */
uint32_t linux_guest_pid(const struct guest *g, int host_pid);
/* That of one that may have ended since: the sender of a signal, a child that was waited for. Safe in a handler of
 * the host's signals. */
uint32_t linux_guest_pid_before(const struct guest *g, int host_pid);
/* Iterates over the processes that exist, from number *pid on, 0 at first; false: end. */
bool linux_next_process(const struct guest *g, uint32_t *pid, int *host_pid);
/* Does so for the threads of a process, but its first. */
bool linux_next_thread(const struct guest *g, uint32_t pid, uint32_t *tid);

/* Sends a signal to another process, with a siginfo or (NULL) as kill does: 0 or a negative error number. No other
 * process of the host is reached, whatever number it has. */
int64_t linux_signal_process(const struct guest *g, uint32_t pid, int signal, siginfo_t *info);
/* A host descriptor of the process, for pidfd_open; or a negative error number. */
int linux_open_process(const struct guest *g, uint32_t pid, unsigned flags);

/* The host's number of a process group, or -ESRCH: no process is in it. */
int linux_host_group(const struct guest *g, uint32_t group);
/* Whether the host's group is that in which the emulator was started: other processes of the user may be in it. */
bool linux_is_start_group(const struct guest *g, int host_group);
/* The guest's number of a group and of a session; those that no process of the guest has made are numbered as those in
 * which the guest began. */
uint32_t linux_guest_group(const struct guest *g, int host_group);
uint32_t linux_guest_session(const struct guest *g, int host_session);

/* Reads the facts of another process; false: it does not exist. */
bool linux_read_facts(const struct guest *g, uint32_t pid, struct linux_facts *facts);
/* A text of another process: its size in bytes; the text is cut at `room` and terminated. -ESRCH. */
int64_t linux_read_text(const struct guest *g, uint32_t pid, enum linux_text text, char *to, size_t room);

/* The table in a checkpoint: that of a guest with one process. */
void linux_processes_move(struct guest *g, struct checkpoint_stream *s);
/* Enters a thread of this process under a number that a checkpoint has given. */
void linux_restore_tid(struct guest *g, uint32_t tid);

void linux_count_change(const struct guest *g, enum host_change kind);
/* The programs that processes of the guest have not found. */
struct linux_missing *linux_missing_of(const struct guest *g);

#endif
