/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Linux user-mode process: the loaded program, its hart, and the system calls it makes.
 * Deterministic: fixed layout and pid, seeded random numbers, the clock derived from simulated cycles.
 * docs/decisions.md, "The guest", lists what is fixed and what remains the host's. */
#ifndef CORE_MODEL_LINUX_GUEST_H
#define CORE_MODEL_LINUX_GUEST_H

#include <signal.h>

#include "contract/host_change.h"
#include "core-model/riscv/hart.h"
#include "isa/sample.h"

struct guest;
struct guest_checkpoint;
struct guest_tracer;

/* Runs the processes that the guest forks, each in a process of its own; otherwise they run functionally. The child
 * ends when `run` returns, with the guest's exit status. When the child calls execve, its hart's stop flag is set. */
struct guest_follower {
    void (*run)(void *ctx, struct guest *g);
    void *ctx;
};

/* Files with absolute names that the sysroot does not have, and the names of the folder in which the emulator was
 * started and of the program's. */
enum guest_names {
    GUEST_NAMES_USER,    /* the host's files outside of its system's folders; names that are the same everywhere */
    GUEST_NAMES_SYSROOT, /* no files but those of /dev and /proc; the same names */
    GUEST_NAMES_HOST,    /* the host's files and names */
};

struct guest_config {
    const char *path;         /* the ELF file or script */
    const char *name;         /* name used by the guest in execve; NULL: the path */
    char *const *argv;        /* NULL-terminated; argv[0] is the program's name as the user gave it */
    char *const *envp;        /* NULL-terminated */
    const char *sysroot;      /* -L: prefix tried first for absolute paths; NULL: none */
    enum guest_names names;   /* without a sysroot the host has all files */
    uint64_t seed;            /* AT_RANDOM, getrandom, /dev/random, /dev/urandom; places of pages */
    uint64_t clock_hz;        /* simulated frequency: clock_gettime = cycle / clock_hz */
    uint32_t quantum;         /* mean length of a thread's turn, in cycles; 0: the default */
    unsigned processors;      /* that the guest sees: the harts it will have; 0: one */
    bool strace;              /* print system calls on standard error */
    size_t translation_bytes; /* see rv_translate */
    bool translates_apart;
    const struct guest_follower *follower; /* copied; NULL: none */
    struct guest_checkpoint *checkpoint;   /* the guest goes on from there (checkpoint.h); borrowed; NULL: it begins */
    bool keeps_interrupt; /* Ctrl-C is handled by the caller, even if the guest catches or ignores SIGINT */
};

/* A part of an ELF file mapped as code by the guest, or by the kernel on its behalf. */
struct guest_image {
    char *path;
    uint64_t start, end;
    uint64_t offset; /* file offset of the byte at `start` */
};

/* State that all harts of a process share. */
struct guest_process {
    uint64_t entries;  /* kernel entries, after which the alarm of any hart may be another */
    unsigned programs; /* number of programs that execve has loaded */
    bool exited;
    int exit_status;  /* as seen by a shell: 0..255; 128 + signal if a signal ended it */
    int fatal_signal; /* 0, or the signal that ended it */
    char fault[256];  /* the synchronous fault that ended it, in words: signal, pc, address, instruction; else empty */
    uint64_t bias;    /* load bias of the program */
    uint64_t seed;    /* of the run */
    struct guest_image *image; /* dynamic linker and shared libraries, oldest first, without the program; owned */
    size_t images;
    const struct guest_tracer *tracer; /* tracing.h; NULL: none. Borrowed */
};

/* A process as one of its harts sees it. The kernel acts on behalf of a hart, so its functions take that hart's view.
 */
struct guest {
    struct hart hart;
    unsigned number;        /* of the hart; the processor that the guest sees */
    uint64_t alarm_cycle;   /* from this cycle on guest_alarm is to be called, before the next instruction; UINT64_MAX:
                             * never */
    uint64_t interruptions; /* calls of guest_alarm, after which the hart's registers may be others */
    uint64_t turn_start, turn_end; /* of the running thread, in cycles */
    uint64_t busy_cycles;          /* length of the turns before it */
    struct linux_thread *thread;   /* the running thread, NULL if the hart is idle; owned by `sched` */
    struct guest_process *process; /* owned by the first hart's view, as are those below */
    /* The state of Linux by subject, each structure in the header of this name, private to core-model/linux. */
    struct linux_sched *sched;
    struct linux_space *space;
    struct linux_files *files;
    struct linux_names *names; /* of files: path.h */
    struct linux_signals *signals;
    struct linux_clock *clock;
    struct linux_task *task;
};

/* The thread that runs on a hart. */
struct guest_thread {
    uint64_t number;         /* among all threads that programs of the process have started, from 1; 0: none runs */
    uint64_t handlers;       /* signal handlers that it has entered */
    uint64_t interrupted_pc; /* before which it has entered the last of them */
};
struct guest_thread guest_running_thread(const struct guest *g);

/* Loads the program and prepares its stack. Errors name the file, the offset, what was expected and what was found. */
enum status guest_init(struct guest *g, const struct guest_config *config, struct errmsg *err) MUST_USE;
/* A guest without a program, whose address space a recording fills. */
enum status guest_init_empty(struct guest *g, struct errmsg *err) MUST_USE;
void guest_fini(struct guest *g);
/* Whether the guest has a program: not that of a recording. */
static inline bool guest_has_linux(const struct guest *g) { return g->task != NULL; }
/* Finds the ELF file that the guest would begin with, for the caller to free: the interpreter of a script, or where a
 * link of the sysroot leads. NULL: config->path itself. An error if there is no such interpreter. */
enum status guest_find_program(const struct guest_config *config, char **program, struct errmsg *err) MUST_USE;

/* Several harts. A process begins on one. A further one, `g`, is idle at first: its view shares process, kernel and
 * address space with `first`, and has registers and decoded instructions of its own. guest_remove_hart is to be called
 * before guest_fini of the first. */
enum { GUEST_HARTS_MAX = SAMPLE_HARTS_MAX };
enum status guest_add_hart(struct guest *g, struct guest *first, struct errmsg *err) MUST_USE;
void guest_remove_hart(struct guest *g);
/* Returns whether no thread runs on the hart, which then executes nothing; guest_alarm may let one run. */
static inline bool guest_is_idle(const struct guest *g) { return g->thread == NULL; }
/* `quiesce` empties the pipeline of a hart other than the caller's and completes its retired stores. It is called
 * before mappings change, as Linux interrupts the other harts to flush their TLBs. */
void guest_set_quiesce(struct guest *first, void (*quiesce)(void *ctx, struct guest *hart), void *ctx);

/* `call` is called once, before the guest next writes to a terminal (by write or writev); NULL: nothing is called. */
void guest_before_output(struct guest *g, void (*call)(void *ctx), void *ctx);
/* Whether the guest's last such output to a terminal, since the first call of guest_before_output, does not end a
 * line. */
bool guest_in_line(const struct guest *g);

/* The caller has restricted the process by Landlock. `change_ruleset` is a further ruleset, owned by the guest, which
 * allows opening the files that the guest may change, and no others: by it the guest's calls change modes, owners,
 * times and extended attributes, which Landlock does not check. */
void guest_confine(struct guest *g, int change_ruleset);
/* The path of the program on the host; valid until the next execve. */
const char *guest_program(const struct guest *g);
/* The process's number, as the guest sees it. */
uint32_t guest_pid(const struct guest *g);
/* The host's numbers of the guest's other processes, at most `most` of them; their number. */
size_t guest_other_processes(const struct guest *g, pid_t *host, size_t most);
/* Number of processes forked directly by the guest process. */
unsigned guest_forks(const struct guest *g);
/* Number of changes of this kind that the guest's processes have made. */
uint64_t guest_changes(const struct guest *g, enum host_change kind);
/* The program that the guest's processes tried most often to execute and that is not in the sysroot; NULL: none. Number
 * of times, and of other such programs. */
const char *guest_missing_program(const struct guest *g, uint64_t *times, unsigned *others);

/* Performs the system call of the ecall at h->pc and advances the pc over it. May set process->exited. */
void guest_syscall(struct guest *g);
/* Whether the system call that the hart's registers describe is riscv_flush_icache, with flags that Linux accepts. */
bool guest_flushes_code(const struct hart *h);
/* The kernel's timer interrupt at g->alarm_cycle: may let another thread run or enter a signal handler. */
void guest_alarm(struct guest *g);
/* Between two instructions: collects signals that other processes have sent, except SIGCHLD, for which calls wait.
 * Makes the alarm due at once if there are any. */
void guest_collect_signals(struct guest *g);
/* For a handler of the host's signals, and safe there. Keeps a signal until signals are collected, if it is the
 * guest's: the host may not block it, and the guest does not leave it to its default action; or, if `collects`, a
 * process of the guest has sent it. Then the caller will collect signals soon, as the signal may end the guest. Returns
 * whether it is kept. */
bool guest_keep_signal(const struct guest *g, const siginfo_t *info, bool collects);
/* The guest's process has ended, or executes no more: what it has blocked on the host is as it was at the start, and
 * the signals that are pending for it are dropped. */
void guest_leave_signals(struct guest *g);
/* Delivers a synchronous fault: enters the guest's handler or ends the guest with the signal Linux would send (SIGSEGV,
 * SIGILL, SIGTRAP, SIGBUS). */
void guest_fault(struct guest *g, enum rv_trap trap);

/* The functional core: runs until exit, a fatal fault, a stop request or `max_insts` more instructions.
 * Returns RV_TRAP_NONE when the guest has exited, RV_TRAP_LIMIT or RV_TRAP_STOP otherwise. */
enum rv_trap guest_run(struct guest *g, uint64_t max_insts);
/* The same, up to the first instruction at stop_pc: RV_TRAP_LIMIT before it. */
enum rv_trap guest_run_to(struct guest *g, uint64_t max_insts, uint64_t stop_pc);

#endif
