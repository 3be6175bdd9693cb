/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the Linux emulation share: the process's state, access to its memory, the handlers.
 * Private to guest.c and linux*.c. Handlers return the result or a negative error number, as the kernel does. */
#ifndef CORE_MODEL_RISCV_LINUX_H
#define CORE_MODEL_RISCV_LINUX_H

#include <errno.h>
#include <limits.h>
#include <sys/types.h>

#include "core-model/riscv/elf.h"
#include "core-model/riscv/guest.h"

/* The layout below the 256 GiB of Sv39's user half. */
#define LINUX_STACK_TOP UINT64_C(0x3ffffff000)
#define LINUX_TRAMPOLINE LINUX_STACK_TOP /* one page of code that returns from signal handlers */
#define LINUX_MMAP_TOP UINT64_C(0x3fe0000000)
#define LINUX_PIE_START UINT64_C(0x2aaaaaa000)
#define LINUX_INTERP_START UINT64_C(0x3fe0000000)
enum {
    LINUX_STACK_BYTES = 8 << 20,
    LINUX_PID = 1000,
    LINUX_PPID = 999,
    LINUX_FD_MAX = 1024,
    LINUX_SIGNAL_MAX = 64,
    LINUX_SIGILL = 4, LINUX_SIGTRAP = 5, LINUX_SIGBUS = 7, LINUX_SIGKILL = 9, LINUX_SIGSEGV = 11, LINUX_SIGSTOP = 19,
    LINUX_SYSCALL_MAX = 512,
    LINUX_HWCAP = 0x112d, /* the letters I, M, A, F, D, C */
    LINUX_CLOCK_TICKS = 100,
};

struct linux_dir;

struct linux_sigaction {
    uint64_t handler, flags, mask;
};

struct linux_state {
    uint64_t brk_start, brk;
    uint64_t mmap_hint;          /* new mappings go below it */
    uint64_t random;             /* state of the generator */
    uint64_t clock_hz;
    uint64_t slept_ns;           /* sleeping moves the clock instead of waiting */
    int fd[LINUX_FD_MAX];        /* the host's, or -1; 0, 1 and 2 are never closed there */
    uint8_t fd_cloexec[LINUX_FD_MAX];
    struct linux_dir *dir[LINUX_FD_MAX]; /* what getdents64 has read, or NULL */
    struct linux_sigaction action[LINUX_SIGNAL_MAX + 1];
    uint64_t signal_mask, pending;
    uint64_t altstack[3];
    uint8_t warned[LINUX_SYSCALL_MAX / 8];
    uint32_t umask;
    uint64_t pgid;
    char task_name[16];
    bool strace;
    char *sysroot;               /* or NULL */
    char *exe;                   /* absolute path of the program */
};

/* The guest's memory at [addr, addr + size) if it may be accessed so, or NULL. Empty ranges are always good. */
void *linux_memory(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need);
/* Copies out and in; -EFAULT or 0. */
int64_t linux_put(struct guest *g, uint64_t addr, const void *data, size_t size_bytes);
int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes);
/* Reads a path name into `path` (PATH_MAX bytes): 0, -EFAULT or -ENAMETOOLONG. */
int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes);
/* The same, then puts the sysroot before an absolute path that exists there. */
int64_t linux_get_path(struct guest *g, uint64_t addr, char *path);
void linux_apply_sysroot(const struct linux_state *os, char *path);

/* The host's descriptor, or -EBADF; a directory descriptor may also be AT_FDCWD. */
int linux_fd(const struct guest *g, uint64_t fd);
int linux_dirfd(const struct guest *g, uint64_t fd);
/* Gives a host descriptor the lowest free number from `from` on; -EMFILE (and it is closed) where there is none. */
int64_t linux_new_fd(struct guest *g, int host_fd, unsigned from, bool cloexec);

/* In linux_dir.c: drops what is known of a descriptor's directory; lseek within it, false where it is none. */
void linux_dir_forget(struct guest *g, uint32_t fd);
bool linux_dir_seek(struct guest *g, uint32_t fd, int64_t offset, int whence);

/* `r` if not negative, else -errno. */
int64_t linux_result(int64_t r);

uint64_t linux_clock_ns(const struct guest *g);
uint64_t linux_random(struct linux_state *os);

/* Makes a signal pending; carries pending ones out, by ending the guest or entering a handler; a fault of the instruction at pc. */
void linux_raise(struct guest *g, int signal);
void linux_deliver(struct guest *g);
void linux_fault(struct guest *g, int signal, uint64_t addr);
const char *linux_signal_name(int signal);

/* In linux_stack.c: argv, envp and the auxiliary vector, on the stack that is mapped already. */
enum status linux_build_stack(struct guest *g, const struct guest_config *config, const struct elf_image *program,
                              uint64_t interp_base, struct errmsg *err) MUST_USE;

#define SYSCALL(number, name, arguments) int64_t sys_##name(struct guest *g, const uint64_t *a);
#define ABSENT(number, name)
#define DECLINED(number, name)
#include "core-model/riscv/syscall.def"
#undef SYSCALL
#undef ABSENT
#undef DECLINED

#endif
