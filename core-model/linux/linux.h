/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the Linux emulation share: the process's state, access to its memory, the handlers.
 * Private to guest.c and linux*.c. Handlers return the result or a negative error number, as the kernel does. */
#ifndef CORE_MODEL_LINUX_LINUX_H
#define CORE_MODEL_LINUX_LINUX_H

#include <errno.h>
#include <limits.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#include "core-model/linux/elf.h"
#include "core-model/linux/guest.h"
#include "isa/support/random.h"

/* The layout below the 256 GiB of Sv39's user half. All code, the program's and its libraries', is in the lowest 8 GiB:
 * there the key pc32 (isa/contract/sample.h) tells all instructions apart, and is an address. */
#define LINUX_STACK_TOP ((UINT64_C(1) << MEM_ADDRESS_BITS) - MEM_PAGE_BYTES)
#define LINUX_TRAMPOLINE LINUX_STACK_TOP /* one page of code that returns from signal handlers */
#define LINUX_MMAP_TOP ((UINT64_C(1) << MEM_ADDRESS_BITS) - 0x20000000)
#define LINUX_PIE_START UINT64_C(0x100000000)
#define LINUX_CODE_TOP \
    (UINT64_C(0x200000000) - 0x20000000) /* mapped code goes below it, the dynamic linker is above it */
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
    LINUX_RESTART = 512,  /* result of a handler: interrupted by a signal, to be restarted if the action says so */
    LINUX_HWCAP = 0x112d, /* the letters I, M, A, F, D, C */
    LINUX_CLOCK_TICKS = 100,
};

struct linux_dir;
struct linux_processes;

struct linux_sigaction {
    uint64_t handler, flags, mask;
};

/* What a handler is told of a signal's origin. */
struct linux_siginfo {
    int32_t code, status;
    uint32_t pid, uid;
    uint64_t value;
};

/* Of setitimer, on the clock it counts; no deadline is 0. */
struct linux_timer {
    uint64_t deadline_ns, interval_ns;
};
enum { LINUX_TIMERS = 3 };

struct linux_state {
    uint64_t brk_start, brk;
    struct random random;
    uint64_t clock_hz;
    uint64_t slept_ns;    /* sleeping moves the clock instead of waiting */
    int fd[LINUX_FD_MAX]; /* the host's, or -1; 0, 1 and 2 are never closed there */
    uint8_t fd_cloexec[LINUX_FD_MAX];
    uint8_t fd_random[LINUX_FD_MAX];     /* a device of random numbers: what is read there is the generator's */
    struct linux_dir *dir[LINUX_FD_MAX]; /* what getdents64 has read, or NULL */
    struct linux_sigaction action[LINUX_SIGNAL_MAX + 1];
    struct linux_siginfo info[LINUX_SIGNAL_MAX + 1];
    uint64_t signal_mask, pending;
    uint64_t saved_mask; /* what sigsuspend and its kin replaced, where has_saved_mask */
    bool has_saved_mask;
    uint64_t host_blocked; /* the signals blocked in our own process */
    uint64_t host_initial; /* those blocked before the guest came */
    uint64_t host_ignored; /* those ignored or blocked before the guest came; of them only the ones of its own processes
                              reach it */
    uint64_t host_kept;    /* those that are ours, whatever the guest does with them */
    int signal_fd;         /* tells poll of them; -1 while there is none */
    uint64_t altstack[3];
    struct linux_timer timer[LINUX_TIMERS];
    uint8_t warned[LINUX_SYSCALL_MAX / 8];
    uint32_t umask;
    uint32_t pid;
    bool is_child; /* our process was forked for a guest's child */
    bool has_children;
    unsigned forks; /* processes that this one has forked */
    bool warned_of_threads;
    int vfork_fd;                      /* held open until a vfork child has called execve or ended; else -1 */
    struct linux_processes *processes; /* shared by all processes of the guest */
    uint64_t start_cycle;              /* of this process; its processor time counts from there */
    uint64_t children_ns;              /* processor time of the children waited for */
    char task_name[16];
    char *command_line; /* the arguments, each with its NUL */
    size_t command_line_bytes;
    bool strace;
    char *sysroot;          /* or NULL */
    char *exe;              /* absolute path of the program */
    const char *exe_inside; /* within it: the path without the sysroot, which is how the guest knows it */
};

/* Remembers that the file's contents from `offset` on have been mapped as code. */
void linux_note_image(struct guest *g, const char *path, uint64_t start, uint64_t size_bytes, uint64_t offset);

/* The guest's memory at [addr, addr + size) if it may be accessed so, or NULL. Empty ranges are always good. */
void *linux_memory(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need);
/* Copies out and in; -EFAULT or 0. */
int64_t linux_put(struct guest *g, uint64_t addr, const void *data, size_t size_bytes);
int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes);
/* In io.c: makes the host's vector of the guest's; returns the number of elements, -EINVAL or -EFAULT. */
enum { LINUX_VECTOR_MAX = 1024 };
int64_t linux_get_vector(struct guest *g, uint64_t addr, uint64_t count, unsigned need, struct iovec *out);
/* Reads a path name into `path` (PATH_MAX bytes): 0, -EFAULT or -ENAMETOOLONG. */
int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes);
/* The same, then puts the sysroot before an absolute path that exists there. */
int64_t linux_get_path(struct guest *g, uint64_t addr, char *path);
void linux_apply_sysroot(const struct linux_state *os, char *path);
/* The same, and follows symbolic links with absolute targets below the sysroot. */
void linux_follow_sysroot(const struct linux_state *os, char *path);
/* Absolute names of the process's own descriptors, which have other numbers on the host. */
void linux_translate_proc_path(const struct linux_state *os, char *path);
/* In procfs.c: a descriptor of the host for a file of /proc that must be the guest's; -ENOENT where it need not. */
int linux_open_proc(struct guest *g, const char *path);

/* The host's descriptor, or -EBADF; a directory descriptor may also be AT_FDCWD. */
int linux_fd(const struct guest *g, uint64_t fd);
int linux_dirfd(const struct guest *g, uint64_t fd);
/* Makes the free number `fd` mean a host descriptor. */
void linux_set_fd(struct guest *g, uint32_t fd, int host_fd, bool cloexec);
/* Gives a host descriptor the lowest free number from `from` on; -EMFILE (and it is closed) where there is none. */
int64_t linux_new_fd(struct guest *g, int host_fd, unsigned from, bool cloexec);

/* In dir.c: drops what is known of a descriptor's directory; lseek within it, false where it is none. */
void linux_dir_forget(struct guest *g, uint32_t fd);
bool linux_dir_seek(struct guest *g, uint32_t fd, int64_t offset, int whence);

/* `r` if not negative, else -errno. */
int64_t linux_result(int64_t r);

uint64_t linux_clock_ns(const struct guest *g);
uint64_t linux_cpu_ns(const struct guest *g);
/* Reads a struct timespec: 0, -EFAULT, -EINVAL. */
int64_t linux_get_time(struct guest *g, uint64_t addr, uint64_t *ns);
int64_t linux_put_time(struct guest *g, uint64_t addr, uint64_t ns, unsigned unit_ns);
uint64_t linux_random(struct linux_state *os);
void linux_random_bytes(struct linux_state *os, void *p, uint64_t size_bytes);

/* Makes a signal pending; carries pending ones out, by ending the guest or entering a handler; a fault of the
 * instruction at pc. */
void linux_raise(struct guest *g, int signal);
void linux_deliver(struct guest *g);
void linux_fault(struct guest *g, int signal, uint64_t addr);
const char *linux_signal_name(int signal);
bool linux_signal_ignored(const struct guest *g, int signal);
void linux_set_mask(struct guest *g, uint64_t mask);
void linux_replace_mask(struct guest *g, uint64_t mask); /* until the next delivery */
int64_t linux_put_siginfo(struct guest *g, uint64_t addr, int signal);
bool linux_restarts(const struct guest *g); /* does the signal to be delivered next want its system call restarted? */
static inline uint64_t linux_signal_bit(int signal) { return UINT64_C(1) << (signal - 1); }

/* In kill.c. Signals from other processes wait, blocked, in our own process until they are collected here; those the
 * guest left at their default act on our process as they would on the guest's. */
void linux_signals_inherit(struct guest *g); /* at the start */
void linux_signals_fini(struct guest *g);
void linux_signals_update(struct guest *g); /* after a change of actions or mask */
void linux_signals_collect(struct guest *g);
bool linux_signals_ready(struct guest *g);        /* one is to be delivered: collects too */
bool linux_signals_caught(const struct guest *g); /* can any be? */
uint64_t linux_signals_taken(
    const struct linux_state *os); /* those that are collected, and do not act on our own process */
/* Waits for a signal, not longer than `timeout` (NULL: for ever). */
void linux_signals_wait(struct guest *g, const struct timespec *timeout);
void linux_signals_end(int signal); /* ends our own process by the signal, if it does that */

/* In timer.c: raises what is due; nanoseconds to the next, or UINT64_MAX. */
void linux_timers_check(struct guest *g);
uint64_t linux_timers_next(const struct guest *g);

/* In poll.c: waits until the host's descriptor can be read or written, -LINUX_RESTART where a signal comes first. */
int64_t linux_wait_ready(struct guest *g, int host_fd, short events);

/* In process.c. Process numbers are the guest's: 1000 and on, in the order of creation. */
void linux_processes_init(struct guest *g);
void linux_processes_fini(struct guest *g);
int linux_host_pid(const struct guest *g, uint32_t pid);       /* or -ESRCH */
uint32_t linux_guest_pid(const struct guest *g, int host_pid); /* or 0 */
bool linux_process_at(const struct guest *g, uint32_t index, uint32_t *pid,
                      int *host_pid);   /* for a walk over all; false: end */
void linux_exit_child(struct guest *g); /* in a child: does not return */

/* In guest.c: loads a program into fresh memory, its stack included, and sets the pc. */
enum status linux_load(struct guest *g, const struct guest_config *config, struct errmsg *err) MUST_USE;
void linux_name_program(struct guest *g, const struct guest_config *config);

/* In stack.c: argv, envp and the auxiliary vector, on the stack that is mapped already. */
enum status linux_build_stack(struct guest *g, const struct guest_config *config, const struct elf_image *program,
                              uint64_t interp_base, struct errmsg *err) MUST_USE;

#define SYSCALL(number, name, arguments) int64_t sys_##name(struct guest *g, const uint64_t *a);
#define ABSENT(number, name)
#define DECLINED(number, name)
#include "core-model/linux/syscall.def"
#undef SYSCALL
#undef ABSENT
#undef DECLINED

#endif
