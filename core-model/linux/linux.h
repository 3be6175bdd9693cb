/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the Linux emulation: process state, memory access, system-call handlers. Private to
 * core-model/linux. Handlers return the result or a negative error number, as the kernel does. */
#ifndef CORE_MODEL_LINUX_LINUX_H
#define CORE_MODEL_LINUX_LINUX_H

#include <errno.h>
#include <limits.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#include "base/random.h"
#include "core-model/linux/alias.h"
#include "core-model/linux/elf.h"
#include "core-model/linux/guest.h"
#include "core-model/linux/thread.h"

/* The layout below the 256 GiB of Sv39's user half. All code, the program's and its libraries', is in the lowest 8 GiB:
 * there the key pc32 (isa/sample.h) is unique for each instruction and identifies its address. */
#define LINUX_STACK_TOP ((UINT64_C(1) << MEM_ADDRESS_BITS) - MEM_PAGE_BYTES)
#define LINUX_TRAMPOLINE LINUX_STACK_TOP /* one page of code that returns from signal handlers */
#define LINUX_MMAP_TOP ((UINT64_C(1) << MEM_ADDRESS_BITS) - 0x20000000)
#define LINUX_PIE_START UINT64_C(0x100000000)
#define LINUX_CODE_TOP (UINT64_C(0x200000000) - 0x20000000) /* mapped code is below, the dynamic linker above */
/* The size of the machine's memory, and of what is free. */
#define LINUX_MEMORY_BYTES (UINT64_C(8) << 30)
#define LINUX_FREE_BYTES (UINT64_C(4) << 30)
enum {
    LINUX_STACK_BYTES = 8 << 20,
    LINUX_PID = 1000,
    LINUX_PPID = 999,
    LINUX_FD_MAX = 1024,
    LINUX_SIGNAL_MAX = 64,
    LINUX_SIGILL = 4,
    LINUX_SIGTRAP = 5,
    LINUX_SIGBUS = 7,
    LINUX_SIGKILL = 9,
    LINUX_SIGSEGV = 11,
    LINUX_SIGSTOP = 19,
    LINUX_SYSCALL_MAX = 512,
    LINUX_RESTART = 512,    /* handler result: interrupted by a signal; restarted if the action has SA_RESTART */
    LINUX_BLOCK = 600,      /* handler result: see linux_block */
    LINUX_QUANTUM = 100000, /* default of guest_config.quantum */
    LINUX_CLOCK_TICKS = 100,
};

struct linux_dir;
struct linux_event;
struct posix_timer;
struct linux_processes;
struct linux_texts;
struct linux_shm;

struct linux_sigaction {
    uint64_t handler, flags, mask;
};

/* An interval timer of setitimer, in the time of its clock; deadline 0: not armed. */
struct linux_timer {
    uint64_t deadline_ns, interval_ns;
};
enum { LINUX_TIMERS = 3 };

/* A resource limit: the limit in force, and the highest that the guest may set; UINT64_MAX: none. */
struct linux_limit {
    uint64_t now, most;
};
enum { LINUX_LIMITS = 16, LINUX_LIMIT_STACK = 3, LINUX_LIMIT_CORE = 4, LINUX_LIMIT_NOFILE = 7 };

/* Options that prctl stores without further effect. */
struct linux_options {
    bool not_dumpable, no_new_privileges, no_huge_pages;
    uint64_t timer_slack_ns; /* 0: the default */
};

struct linux_state {
    struct linux_thread **thread; /* in the order of their start; owned */
    size_t threads;
    struct guest *hart[GUEST_HARTS_MAX]; /* borrowed */
    unsigned harts;
    unsigned processors; /* that the guest sees: more than `harts` before those are added and in the child of a fork */
    void (*quiesce)(void *ctx, struct guest *hart); /* see guest_set_quiesce; NULL: nothing is to be done */
    void *quiesce_ctx;
    void (*before_output)(void *ctx); /* see guest_before_output; NULL: nothing is to be called */
    void *before_output_ctx;
    bool follows_lines, in_line; /* see guest_in_line */
    uint64_t quantum;            /* in cycles */
    struct random turn_random;   /* of the lengths of turns */
    uint64_t ended_cycles;       /* processor time of threads that have ended */
    uint64_t waits_begun;
    uint64_t looks;    /* changes when threads that wait for the host may be able to go on */
    int leader_status; /* exit status of the first thread, if that has ended */
    uint64_t brk_start, brk;
    struct random random;
    uint64_t clock_hz;
    uint64_t slept_ns;    /* total time slept: sleeping advances the clock instead of waiting */
    int fd[LINUX_FD_MAX]; /* host descriptor, or -1; host descriptors 0, 1 and 2 are never closed */
    uint8_t fd_cloexec[LINUX_FD_MAX];
    uint32_t fd_name[LINUX_FD_MAX];          /* thread whose name is written to the descriptor; 0: none */
    uint8_t fd_random[LINUX_FD_MAX];         /* random-number device: reads return the seeded generator's output */
    struct linux_dir *dir[LINUX_FD_MAX];     /* directory read by getdents64, or NULL */
    struct linux_event *event[LINUX_FD_MAX]; /* eventfd, timerfd or signalfd, or NULL; shared by duplicates */
    size_t events;                           /* number of timerfds and signalfds */
    struct linux_sigaction action[LINUX_SIGNAL_MAX + 1];
    struct linux_pending pending; /* signals sent to the process that no thread has taken */
    uint64_t host_blocked;        /* signals blocked in the emulator's process */
    uint64_t host_initial;        /* signals blocked before the guest started */
    uint64_t host_ignored; /* signals ignored or blocked before the guest started; delivered only if sent by its own
                            * processes */
    uint64_t host_kept;    /* signals handled by the emulator, whatever the guest's action */
    volatile uint64_t host_passed; /* of those, what guest_keep_signal takes: the guest handles, ignores or blocks it */
    int signal_fd;                 /* signalfd for poll; -1: none */
    struct linux_timer timer[LINUX_TIMERS];
    struct posix_timer **posix_timer; /* in the order of their creation; owned */
    size_t posix_timers;
    uint8_t warned[LINUX_SYSCALL_MAX / 8];
    uint32_t umask;
    uint32_t personality;
    bool has_membarrier;                    /* registered for MEMBARRIER_CMD_PRIVATE_EXPEDITED */
    struct linux_limit limit[LINUX_LIMITS]; /* of RLIMIT_; of those, RLIMIT_NOFILE alone has an effect */
    struct linux_options options;
    int32_t nice;
    uint16_t input_priority; /* of ioprio_set */
    uint32_t pid;
    bool is_child; /* this process was forked for a child of the guest */
    bool has_children;
    uint64_t children_heard;                   /* number of SIGCHLD taken from the host */
    unsigned forks;                            /* number of processes forked by this one */
    int vfork_fd;                              /* in a vfork child: held open until execve or exit; else -1 */
    uint64_t shared_stack, shared_stack_bytes; /* of a vfork child with its parent; 0 bytes: none */
    struct guest_follower follower;            /* run NULL: none */
    bool is_followed;                          /* in a child process: the follower runs it */
    struct linux_processes *processes;         /* shared by all processes of the guest: process_table.h */
    struct linux_texts *texts;                 /* also shared; NULL: none */
    struct linux_shm *shm;                     /* of shmget: also shared; NULL: none */
    int shm_fd;                                /* host file of the segments; -1: none */
    uint64_t start_cycle;                      /* start of this process, the origin of its processor time */
    uint64_t children_ns;                      /* processor time of reaped children */
    uint64_t start_ns;                         /* start of this process on CLOCK_MONOTONIC */
    uint64_t image_start;                      /* first address of the program, which ends at brk_start */
    uint64_t stack_start;                      /* stack pointer at the program's start */
    uint64_t arg_start, arg_end;               /* the arguments' strings, the environment's, and the auxiliary vector */
    uint64_t env_start, env_end;
    uint64_t aux_start, aux_end;
    bool strace;
    char *sysroot; /* absolute, without links; NULL: none */
    enum guest_names names;
    char *start_folder; /* in which the emulator was started; NULL: it has no name */
    struct linux_alias alias;
    uint64_t no_magic_links; /* RESOLVE_NO_MAGICLINKS; 0: the host's kernel has no openat2 */
    int change_ruleset;      /* see guest_confine; -1: not confined */
    dev_t root_dev;          /* of the sysroot, which is the guest's root, and of the host's root */
    dev_t host_root_dev;
    uint64_t root_ino, host_root_ino;
    char *exe;        /* absolute path of the program */
    char *exe_inside; /* the same, as the guest names it */
};

/* Records that the file's contents from `offset` on were mapped as code. */
void linux_note_image(struct guest *g, const char *path, uint64_t start, uint64_t size_bytes, uint64_t offset);
/* Another file's code that is or was mapped in the range; NULL: none. */
const struct guest_image *linux_other_image(const struct guest *g, const char *path, uint64_t start,
                                            uint64_t size_bytes);
void linux_free_images(struct guest_process *p);

/* In harts.c: discards decoded instructions of the range on all harts, and, before another address space replaces that
 * of `g`, on all harts what they have in flight. */
void linux_discard_code(struct guest *g, uint64_t start, uint64_t size_bytes);
/* linux_discard_code for decoded instructions that memory no longer holds, and for those behind the end of a file that
 * has been cut, wherever it is mapped. */
void linux_flush_code(struct guest *g);
void linux_drop_cut_code(struct guest *g);
void linux_quiesce_others(struct guest *g);
/* The child of a fork runs on the hart of `g` alone. */
void linux_harts_leave(struct guest *g);
/* After execve all harts have the address space of `g`. */
void linux_harts_share_memory(struct guest *g);

/* Host pointer to guest memory [addr, addr + size), or NULL if an access with `need` is not allowed. Empty ranges are
 * always allowed. The pointer is for the host's kernel; the emulator itself copies with the functions below, since a
 * page may be behind the end of a mapped file. */
void *linux_memory(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need);
/* Copy to and from guest memory; 0 or -EFAULT. */
int64_t linux_put(struct guest *g, uint64_t addr, const void *data, size_t size_bytes);
int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes);
/* In transfer.c: converts a guest I/O vector to the host's; returns the number of elements, -EINVAL or -EFAULT. */
enum { LINUX_VECTOR_MAX = 1024 };
int64_t linux_get_vector(struct guest *g, uint64_t addr, uint64_t count, unsigned need, struct iovec *out);
/* Copies to the vector from byte `from` on, where it has room; false: a part of it is not accessible. */
bool linux_scatter(const struct iovec *vector, int64_t count, uint64_t from, const void *data, size_t size_bytes);
/* Reads from a host descriptor as sys_readv does. */
int64_t linux_read_host(struct guest *g, int host_fd, const struct iovec *vector, int64_t count);
/* Reads a path name into `path` (PATH_MAX bytes): 0, -EFAULT or -ENAMETOOLONG. */
int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes);

/* The host's descriptor, or -EBADF; a directory descriptor may also be AT_FDCWD. */
int linux_fd(const struct guest *g, uint64_t fd);
int linux_dirfd(const struct guest *g, uint64_t fd);
/* The guest's number of a descriptor of the host; UINT32_MAX: it has none. */
uint32_t linux_guest_fd(const struct guest *g, int host_fd);
/* Assigns a host descriptor to the free guest descriptor `fd`. */
void linux_set_fd(struct guest *g, uint32_t fd, int host_fd, bool cloexec);
/* Assigns a host descriptor to the lowest free guest descriptor from `from` on; if none is free, closes it and returns
 * -EMFILE. */
bool linux_has_free_fd(const struct guest *g);
int64_t linux_new_fd(struct guest *g, int host_fd, unsigned from, bool cloexec);

/* In io.c: assigns a duplicate of the host descriptor, which is the guest's `from`, to the lowest free number from
 * `lowest` on. */
int64_t linux_duplicate(struct guest *g, int host_fd, uint64_t from, unsigned lowest, bool cloexec);
/* Stores the numbers of two new descriptors; closes them if that fails. */
int64_t linux_put_pair(struct guest *g, uint64_t addr, uint64_t first, uint64_t second);

/* In ioctl.c: process of F_SETOWN and F_GETOWN, and of their forms _EX; a negative number is that of a group. */
int64_t linux_set_owner(struct guest *g, int fd, int32_t pid);
int32_t linux_get_owner(const struct guest *g, int fd);
int64_t linux_owner_by_kind(struct guest *g, int fd, bool sets, uint64_t addr);

/* In lock.c: F_GETLK, F_SETLK, F_SETLKW and their F_OFD_ forms. */
int64_t linux_lock_file(struct guest *g, int host_fd, int command, uint64_t addr);

/* In dir.c: drops the cached entries of a directory. */
void linux_dir_drop(struct guest *g, uint32_t fd);

/* In proc.c: the machine's names, of uname. */
enum linux_name { UNAME_SYSTEM, UNAME_NODE, UNAME_RELEASE, UNAME_VERSION, UNAME_MACHINE, UNAME_DOMAIN, LINUX_UNAMES };
extern const char *const linux_uname[LINUX_UNAMES];

/* In proc.c: limits of a program at its start; the number above all descriptors that the guest may open. */
void linux_limits_init(struct linux_state *os);
unsigned linux_fd_limit(const struct guest *g);

/* `r` if not negative, else -errno. */
int64_t linux_result(int64_t r);

uint64_t linux_clock_ns(const struct guest *g);     /* CLOCK_REALTIME */
void linux_sleep(struct guest *g, uint64_t ns);     /* the guest's clock and time CSR go on by this */
uint64_t linux_monotonic_ns(const struct guest *g); /* CLOCK_MONOTONIC */
bool linux_read_clock(const struct guest *g, int32_t id, uint64_t *ns);
/* When a timer of the clock expires, on linux_clock_ns; 0: never, if first_ns is 0. */
uint64_t linux_timer_deadline(const struct guest *g, int32_t clock, uint64_t first_ns, bool absolute);
uint64_t linux_cpu_ns(const struct guest *g);
uint64_t linux_thread_cpu_ns(const struct guest *g, const struct linux_thread *t);
uint64_t linux_ns_cycles(const struct guest *g, uint64_t ns);
uint64_t linux_cycles_ns(const struct guest *g, uint64_t cycles);
/* Reads a struct timespec: 0, -EFAULT, -EINVAL. */
int64_t linux_get_time(struct guest *g, uint64_t addr, uint64_t *ns);
int64_t linux_put_time(struct guest *g, uint64_t addr, uint64_t ns, unsigned unit_ns);
uint64_t linux_random(struct linux_state *os);
void linux_random_bytes(struct linux_state *os, void *p, uint64_t size_bytes);

/* Makes a signal pending; delivers pending signals by ending the guest or entering a handler; raises the fault of the
 * instruction at pc. */
void linux_raise(struct guest *g, int signal); /* sent to the running thread on account of its call */
/* Sends a signal to a thread, or to the process (NULL); -EAGAIN: its queue is full. */
int64_t linux_send(struct guest *g, struct linux_thread *to, const struct linux_siginfo *info);
/* Takes the running thread's next pending signal of the set: the signal, or 0. */
int linux_take(struct guest *g, uint64_t set, struct linux_siginfo *info);
void linux_deliver(struct guest *g);
void linux_end_by(struct guest *g, int signal);
void linux_fault(struct guest *g, int signal, int code, uint64_t addr);
const char *linux_signal_name(int signal);
bool linux_signal_ignored(const struct guest *g, int signal);
void linux_set_mask(struct guest *g, uint64_t mask);
void linux_replace_mask(struct guest *g, uint64_t mask); /* until the next delivery */
bool linux_restarts(const struct guest *g); /* whether the next signal to be delivered restarts its system call */
/* Whether a signal is to be delivered to the thread. */
bool linux_thread_interrupted(const struct guest *g, const struct linux_thread *t);
static inline uint64_t linux_signal_bit(int signal) { return UINT64_C(1) << (signal - 1); }

/* In kill.c. Signals from other processes are blocked in the emulator's process until they are collected here; those
 * with default action act on the emulator's process as they would on the guest. */
void linux_signals_inherit(struct guest *g); /* at the start */
void linux_signals_fini(struct guest *g);
void linux_signals_update(struct guest *g); /* after a change of actions or mask */
bool linux_signals_kept(void);              /* whether guest_keep_signal has kept one that is not collected */
void linux_signals_forget(void);            /* in the child of a fork: what is kept is the parent's */
void linux_signals_collect(struct guest *g);
bool linux_signals_ready(struct guest *g); /* collects signals; whether one is to be delivered to the running thread */
bool linux_signals_caught(const struct guest *g); /* whether any signal can be collected */
uint64_t linux_signals_taken(
    const struct linux_state *os); /* signals that are collected instead of acting on the emulator's process */
/* A descriptor that is readable when a signal can be collected; -1: none can. */
int linux_signals_fd(struct guest *g);
bool linux_children_vanish(const struct guest *g); /* children that end raise no signal */

/* In timer.c: raises signals of expired timers; time to the next expiry in ns, or UINT64_MAX. */
void linux_timers_check(struct guest *g);
uint64_t linux_timers_next(const struct guest *g);
/* Whether any thread can execute: otherwise clocks of processor time stand still. */
bool linux_processor_runs(const struct guest *g);

/* In processors.c. The processors that the guest sees, and those of them on which the thread may run. */
uint64_t linux_processors(const struct linux_state *os);
uint64_t linux_affinity(const struct guest *g, const struct linux_thread *t);
/* Time that the processors of this process have spent in turns of threads: their sum. */
uint64_t linux_busy_ns(const struct guest *g);
/* Whether the thread may run on the hart of `g`: on the only one, or one to which it is bound. */
bool linux_may_run_on(const struct guest *g, const struct linux_thread *t);
/* The processor of which the thread's code reads the number. */
unsigned linux_processor(const struct guest *g, const struct linux_thread *t);

/* In poll.c: 0 if the host descriptor is ready or a call on it does not wait, else -LINUX_BLOCK; -LINUX_RESTART or
 * -EINTR if a signal has arrived; -EAGAIN at the end of the socket's time-out. */
int64_t linux_wait_ready(struct guest *g, int host_fd, short events);

/* In process.c: the end of a child process. */
_Noreturn void linux_exit_child(struct guest *g);

/* In shm.c: System V shared memory, of the guest's processes alone. */
void linux_shm_init(struct guest *g);
void linux_shm_fini(struct guest *g);
void linux_shm_fork(struct guest *g);       /* in the child, which has its parent's segments attached */
void linux_shm_drop(const struct guest *g); /* execve detaches all segments */

/* In mem.c: maps a host file as sys_mmap with the arguments `a` does. */
int64_t linux_map_host(struct guest *g, const uint64_t *a, int fd);
/* In mem.c: whether riscv_flush_icache accepts the flags. */
bool linux_accepts_flush(uint64_t flags);

/* In guest.c: loads a program and its stack into a new address space, and sets the pc. */
enum status linux_load(struct guest *g, const struct guest_config *config, struct errmsg *err) MUST_USE;
void linux_name_program(struct guest *g, const struct guest_config *config);

/* In stack.c: builds argv, envp and the auxiliary vector on the mapped stack. */
enum status linux_build_stack(struct guest *g, const struct guest_config *config, const struct elf_image *program,
                              uint64_t interp_base, struct errmsg *err) MUST_USE;

#define SYSCALL(number, name, ...) int64_t sys_##name(struct guest *g, const uint64_t *a);
#define LIMITED SYSCALL
#define DENIED(...)
#define DECLINED(...)
#define ABSENT(...)
#include "core-model/linux/syscall.def"
#undef SYSCALL
#undef LIMITED
#undef DENIED
#undef DECLINED
#undef ABSENT

#endif
