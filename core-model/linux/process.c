/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: a guest's fork forks the emulator. The child runs on the functional core, whatever core its parent uses,
 * and writes no reports: it never returns from clone and exits here. A table in shared memory assigns guest process
 * numbers in order of creation and maps them to host process numbers. */
#include "core-model/linux/linux.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core-model/linux/event_fd.h"
#include "core-model/linux/posix_timer.h"
#include "isa/support/ending.h"

enum { PROCESS_MAX = 31000, CLAIMED = -1, REG_SP = 2, REG_TP = 4, REG_A0 = 10 };

struct linux_process {
    _Atomic int32_t host; /* host pid; 0: free; CLAIMED: being created */
    uint32_t parent;
    int32_t host_parent;
    uint32_t exited;
    uint32_t is_thread;        /* of the process with the same host pid */
    uint64_t clock_ns, cpu_ns; /* at the process's end */
};

struct linux_processes {
    _Atomic uint32_t next;
    _Atomic uint64_t changes[HOST_CHANGES];
    struct linux_process slot[PROCESS_MAX];
};

void linux_processes_init(struct guest *g)
{
    struct linux_state *os = g->os;
    void *p = mmap(NULL, sizeof *os->processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                   0);
    if (p == MAP_FAILED)
        out_of_memory();
    os->processes = p;
    os->processes->next = 1;
    os->processes->slot[0] = (struct linux_process){.host = getpid(), .parent = LINUX_PPID, .host_parent = getppid()};
    os->pid = LINUX_PID;
    os->vfork_fd = -1;
}

void linux_processes_fini(struct guest *g) { munmap(g->os->processes, sizeof *g->os->processes); }

static struct linux_process *slot_of(const struct guest *g, uint32_t pid)
{
    uint32_t index = pid - LINUX_PID;
    return index < PROCESS_MAX && g->os->processes->slot[index].host > 0 ? &g->os->processes->slot[index] : NULL;
}

uint32_t guest_pid(const struct guest *g) { return g->os->pid; }
unsigned guest_forks(const struct guest *g) { return g->os->forks; }

void linux_count_change(const struct guest *g, enum host_change kind)
{
    atomic_fetch_add(&g->os->processes->changes[kind], 1);
}

uint64_t guest_changes(const struct guest *g, enum host_change kind) { return g->os->processes->changes[kind]; }

int linux_host_pid(const struct guest *g, uint32_t pid)
{
    const struct linux_process *p = slot_of(g, pid);
    return p != NULL ? p->host : -ESRCH;
}

static uint32_t slots_used(const struct guest *g)
{
    uint32_t n = g->os->processes->next;
    return n < PROCESS_MAX ? n : PROCESS_MAX;
}

uint32_t linux_guest_pid(const struct guest *g, int host_pid)
{
    for (uint32_t i = slots_used(g); i-- > 0;)
        if (g->os->processes->slot[i].host == host_pid && !g->os->processes->slot[i].is_thread)
            return LINUX_PID + i;
    return 0;
}

bool linux_process_at(const struct guest *g, uint32_t index, uint32_t *pid, int *host_pid)
{
    if (index >= slots_used(g))
        return false;
    const struct linux_process *p = &g->os->processes->slot[index];
    *pid = LINUX_PID + index;
    *host_pid = p->exited || p->is_thread ? 0 : p->host;
    return true;
}

/* Claims a free process number; 0: none. Numbers of processes that ended without being waited for are reused. */
static uint32_t claim_pid(struct guest *g)
{
    struct linux_processes *all = g->os->processes;
    for (uint32_t tries = 0; tries < PROCESS_MAX; tries++) {
        uint32_t n = atomic_fetch_add(&all->next, 1);
        struct linux_process *p = &all->slot[n % PROCESS_MAX];
        int32_t host = p->host;
        if (host > 0 && kill(host, 0) != 0 && errno == ESRCH && atomic_compare_exchange_strong(&p->host, &host, 0))
            host = 0;
        if (host == 0 && atomic_compare_exchange_strong(&p->host, &host, CLAIMED)) {
            p->exited = p->is_thread = 0;
            return LINUX_PID + n % PROCESS_MAX;
        }
    }
    return 0;
}

uint32_t linux_claim_tid(struct guest *g)
{
    uint32_t tid = claim_pid(g);
    if (tid != 0) {
        g->os->processes->slot[tid - LINUX_PID].is_thread = 1;
        g->os->processes->slot[tid - LINUX_PID].host = getpid();
    }
    return tid;
}

void linux_release_tid(struct guest *g, uint32_t tid) { g->os->processes->slot[tid - LINUX_PID].host = 0; }

enum { CLEAR_HANDLERS_BIT = 32 /* of the flags of clone3 */ };

static void default_handlers(struct linux_state *os)
{
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if (os->action[signal].handler > 1)
            os->action[signal] = (struct linux_sigaction){0};
}

static void become_child(struct guest *g, uint32_t pid, const struct clone_request *c)
{
    enum { SETTLS = 0x80000, CHILD_SETTID = 0x1000000 };
    struct linux_state *os = g->os;
    struct hart *h = &g->hart;
    os->processes->slot[pid - LINUX_PID].host = getpid();
    os->pid = pid;
    os->is_child = true;
    os->has_children = false;
    linux_threads_reduce(g);
    linux_harts_leave(g);
    pending_drop(&g->thread->pending, UINT64_MAX);
    pending_drop(&os->pending, UINT64_MAX);
    linux_signals_forget();
    os->start_cycle = g->turn_start = h->cycle;
    os->start_ns = linux_monotonic_ns(g);
    g->thread->cycles = os->ended_cycles = 0;
    os->children_ns = 0;
    os->random.state ^= pid * UINT64_C(0x9e3779b97f4a7c15); /* otherwise parent and child would draw the same numbers */
    memset(os->timer, 0, sizeof os->timer);
    linux_posix_timers_drop(g);
    linux_events_fork(g);
    linux_shm_fork(g);
    if (os->signal_fd >= 0)
        close(os->signal_fd); /* its signal set is that of the parent */
    os->signal_fd = -1;
    h->stop = 0;
    if (c->flags >> CLEAR_HANDLERS_BIT & 1)
        default_handlers(os);
    linux_signals_update(g);
    h->reg[REG_A0] = 0;
    if (c->stack != 0)
        h->reg[REG_SP] = c->stack;
    if (c->flags & SETTLS)
        h->reg[REG_TP] = c->tls;
    if (c->flags & CHILD_SETTID)
        (void)linux_put(g, c->child_tid, &pid, sizeof pid); /* errors are ignored, as in Linux */
}

void linux_exit_child(struct guest *g)
{
    struct linux_process *p = slot_of(g, g->os->pid);
    linux_threads_release(g);
    if (p != NULL) {
        p->clock_ns = linux_clock_ns(g);
        p->cpu_ns = linux_cpu_ns(g) + g->os->children_ns;
        p->exited = 1;
    }
    if (g->process->fault[0] != '\0')
        fprintf(stderr, "pcemu: process %u of the guest ended by a signal: %s\n", g->os->pid, g->process->fault);
    if (g->process->fatal_signal != 0)
        ending_by(g->process->fatal_signal);
    _exit(g->process->exit_status);
}

/* Blocks the parent of a vfork until the child's end of the pipe is closed. */
static void wait_for_vfork(int fd)
{
    char byte;
    while (read(fd, &byte, 1) < 0 && errno == EINTR)
        continue;
    close(fd);
}

/* In Linux a vfork child shares all memory with its parent; here it shares only the top of the parent's stack, through
 * which posix_spawn reports errors. The pages keep their contents when they become shared. */
static uint64_t share_stack(struct guest *g, bool vfork, uint64_t *size_bytes)
{
    enum { WINDOW_BYTES = 65536, OWN = MEM_R | MEM_W | MEM_MAPPED | MEM_PLAIN, KIND = OWN | MEM_X | MEM_SHARED };
    struct memory *m = &g->hart.mem;
    uint64_t start = g->hart.reg[REG_SP] & ~(uint64_t)(MEM_PAGE_BYTES - 1), end = start;
    while (vfork && end - start < WINDOW_BYTES && memory_allows(m, end, 1, MEM_W) &&
           (m->perm[end >> MEM_PAGE_BITS] & KIND) == OWN)
        end += MEM_PAGE_BYTES;
    *size_bytes = end - start;
    return start;
}

/* Returns whether the host has room for the mapping. */
static bool remap_stack(struct guest *g, uint64_t start, uint64_t size_bytes, bool shared)
{
    struct memory *m = &g->hart.mem;
    if (size_bytes == 0)
        return true;
    uint8_t *copy = xmalloc(size_bytes);
    memcpy(copy, memory_at(m, start), size_bytes);
    enum status st = shared ? memory_map_file(m, start, size_bytes, MEM_R | MEM_W | MEM_SHARED, -1, 0)
                            : memory_map(m, start, size_bytes, MEM_R | MEM_W);
    if (st == ST_OK)
        memcpy(memory_at(m, start), copy, size_bytes);
    free(copy);
    return st == ST_OK;
}

static int64_t fork_guest(struct guest *g, const struct clone_request *c, uint32_t pid)
{
    enum { VFORK = 0x4000, PARENT_SETTID = 0x100000 };
    struct linux_state *os = g->os;
    struct linux_process *p = &os->processes->slot[pid - LINUX_PID];
    int ends[2] = {-1, -1};
    p->parent = os->pid;
    p->host_parent = getpid();
    os->has_children = true;
    linux_show_name(g);
    linux_signals_update(g);
    uint64_t window_bytes, window = share_stack(g, (c->flags & VFORK) != 0, &window_bytes);
    if (!remap_stack(g, window, window_bytes, true))
        return -ENOMEM;
    if ((c->flags & VFORK) && pipe2(ends, O_CLOEXEC) != 0)
        ends[0] = ends[1] = -1;
    int host = fork();
    if (host == 0) {
        if (ends[0] >= 0)
            close(ends[0]);
        if (os->vfork_fd >= 0)
            close(os->vfork_fd);
        os->vfork_fd = ends[1];
        become_child(g, pid, c);
        os->is_followed = os->follower.run != NULL;
        if (os->is_followed)
            os->follower.run(os->follower.ctx, g);
        os->is_followed = false; /* the rest, and what it executes, is in no profile */
        (void)guest_run(g, UINT64_MAX);
        linux_exit_child(g);
    }
    int why = errno;
    if (host > 0) {
        p->host = host;
        os->forks++;
    }
    if (ends[1] >= 0) {
        close(ends[1]);
        wait_for_vfork(ends[0]);
    }
    (void)remap_stack(g, window, window_bytes, false); /* without room it remains shared */
    if (host < 0)
        return -why;
    if (c->flags & PARENT_SETTID)
        (void)linux_put(g, c->parent_tid, &pid, sizeof pid);
    return pid;
}

static int64_t clone_guest(struct guest *g, const struct clone_request *c)
{
    enum { VM = 0x100, SIGHAND = 0x800, VFORK = 0x4000, THREAD = 0x10000, NEW_NAMESPACES = 0x7e020000 };
    if (((c->flags & THREAD) && !(c->flags & SIGHAND)) || ((c->flags & SIGHAND) && !(c->flags & VM)))
        return -EINVAL;
    if ((c->flags & SIGHAND) && (c->flags >> CLEAR_HANDLERS_BIT & 1))
        return -EINVAL;
    if (c->flags & NEW_NAMESPACES)
        return -EPERM;
    if (c->flags & THREAD)
        return linux_thread_start(g, c);
    if ((c->flags & (VM | VFORK)) == VM)
        return -EAGAIN; /* a process that shares its memory with its parent, both running */
    uint32_t pid = claim_pid(g);
    if (pid == 0)
        return -EAGAIN;
    int64_t r = fork_guest(g, c, pid);
    if (r < 0)
        g->os->processes->slot[pid - LINUX_PID].host = 0;
    return r;
}

int64_t sys_clone(struct guest *g, const uint64_t *a)
{
    const struct clone_request c = {
        .flags = (uint32_t)a[0], .stack = a[1], .parent_tid = a[2], .tls = a[3], .child_tid = a[4]};
    return clone_guest(g, &c);
}

/* clone with a structure of arguments. If it were missing, libc would fall back to clone but leave ENOSYS in errno,
 * which some programs observe. */
int64_t sys_clone3(struct guest *g, const uint64_t *a)
{
    enum { PIDFD = 0x1000 };
    struct {
        uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_bytes, tls;
    } c;
    if (a[1] < sizeof c || a[1] > MEM_PAGE_BYTES)
        return a[1] < sizeof c ? -EINVAL : -E2BIG;
    if (linux_get(g, a[0], &c, sizeof c) != 0)
        return -EFAULT;
    if ((c.flags & PIDFD) || c.flags >> 33 != 0)
        return -ENOSYS;
    const struct clone_request request = {.flags = c.flags,
                                          .stack = c.stack != 0 ? c.stack + c.stack_bytes : 0,
                                          .parent_tid = c.parent_tid,
                                          .child_tid = c.child_tid,
                                          .tls = c.tls};
    return clone_guest(g, &request);
}

/* Records a reaped child: the parent's clock advances at least to the child's end. */
static void note_end(struct guest *g, uint32_t pid)
{
    struct linux_process *p = slot_of(g, pid);
    if (p == NULL)
        return;
    uint64_t now = linux_clock_ns(g);
    if (p->exited && p->clock_ns > now)
        linux_sleep(g, p->clock_ns - now);
    if (p->exited)
        g->os->children_ns += p->cpu_ns;
    p->exited = 0;
    p->host = 0;
}

bool linux_is_own_group(const struct guest *g, int32_t group)
{
    return group == 0 || (group == LINUX_PID && linux_guest_pid(g, getpgrp()) == 0);
}

/* Translates a wait selector: a child, a process group (negative or 0), or any child (-1). */
static bool host_selector(const struct guest *g, int32_t pid, int *host)
{
    *host = linux_is_own_group(g, (int32_t)(0u - (uint32_t)pid)) ? 0 : pid;
    if (*host == -1 || *host == 0)
        return true;
    int found = linux_host_pid(g, (uint32_t)(pid < 0 ? -pid : pid));
    *host = pid < 0 ? -found : found;
    return found > 0;
}

/* Waits for a child: 0 with info->si_pid 0 if none has ended and `options` has WNOHANG. */
static int64_t wait_child(struct guest *g, int idtype, int id, siginfo_t *info, int options)
{
    const bool interrupted = linux_signals_ready(g);
    *info = (siginfo_t){0};
    if (waitid((idtype_t)idtype, (id_t)id, info, options | WNOHANG) != 0)
        return -errno;
    if (info->si_pid != 0 || (options & WNOHANG))
        return 0;
    if (interrupted)
        return -LINUX_RESTART;
    return linux_block(g, &(struct linux_wait){.until_ns = UINT64_MAX, .child = true});
}

static int wait_status(const siginfo_t *info)
{
    switch (info->si_code) {
    case CLD_EXITED:
        return (info->si_status & 0xff) << 8;
    case CLD_KILLED:
        return info->si_status & 0x7f;
    case CLD_DUMPED:
        return (info->si_status & 0x7f) | 0x80;
    case CLD_CONTINUED:
        return 0xffff;
    default:
        return (info->si_status & 0xff) << 8 | 0x7f;
    }
}

static bool has_ended(const siginfo_t *info)
{
    return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;
}

static int64_t put_usage(struct guest *g, uint64_t addr, uint64_t ns)
{
    uint64_t usage[sizeof(struct rusage) / sizeof(uint64_t)] = {ns / 1000000000, ns % 1000000000 / 1000};
    return addr != 0 ? linux_put(g, addr, usage, sizeof usage) : 0;
}

int64_t sys_wait4(struct guest *g, const uint64_t *a)
{
    const uint32_t known = WNOHANG | WUNTRACED | WCONTINUED | (uint32_t)__WNOTHREAD | (uint32_t)__WCLONE | __WALL;
    int host, options = (int)a[2], idtype = P_ALL;
    siginfo_t info;
    if ((uint32_t)options & ~known)
        return -EINVAL;
    if ((int32_t)a[0] == INT32_MIN)
        return -ESRCH;
    if (!host_selector(g, (int32_t)a[0], &host))
        return -ECHILD;
    if (host != -1) {
        idtype = host > 0 ? P_PID : P_PGID;
        host = host > 0 ? host : host == 0 ? getpgrp() : -host;
    }
    int64_t r = wait_child(g, idtype, host, &info, options | WEXITED);
    if (r < 0 || info.si_pid == 0)
        return r;
    uint32_t pid = linux_guest_pid(g, info.si_pid);
    const int32_t status = wait_status(&info);
    uint64_t before = g->os->children_ns;
    if (has_ended(&info))
        note_end(g, pid);
    if ((a[1] != 0 && linux_put(g, a[1], &status, sizeof status) != 0) ||
        put_usage(g, a[3], g->os->children_ns - before) != 0)
        return -EFAULT;
    return pid;
}

static int64_t wait_id(struct guest *g, const uint64_t *a, siginfo_t *info)
{
    int id = (int)a[1], idtype = (int)a[0];
    if (idtype == P_PIDFD)
        id = linux_fd(g, a[1]);
    else if (idtype == P_PGID && linux_is_own_group(g, id))
        id = getpgrp();
    else if (idtype != P_ALL && !(id > 0 && host_selector(g, id, &id)))
        return idtype == P_PID || idtype == P_PGID ? -ECHILD : -EINVAL;
    if (idtype == P_PIDFD && id < 0)
        return -EBADF;
    int64_t r = wait_child(g, idtype, id, info, (int)a[3]);
    if (r == 0 && info->si_pid != 0) {
        uint32_t pid = linux_guest_pid(g, info->si_pid);
        if (has_ended(info) && !(a[3] & WNOWAIT))
            note_end(g, pid);
        info->si_pid = (pid_t)pid;
    }
    return r;
}

/* As in Linux the structure is written even if the call fails. */
int64_t sys_waitid(struct guest *g, const uint64_t *a)
{
    siginfo_t info = {0};
    int64_t r = wait_id(g, a, &info);
    if (r == -LINUX_BLOCK || r == -LINUX_RESTART || a[2] == 0)
        return r;
    return linux_put(g, a[2], &info, sizeof info) != 0 ? -EFAULT : r;
}

int64_t sys_getppid(struct guest *g, const uint64_t *a)
{
    enum { INIT = 1 };
    (void)a;
    const struct linux_process *p = slot_of(g, g->os->pid);
    if (p != NULL && p->host_parent == getppid())
        return p->parent;
    uint32_t reaper = linux_guest_pid(g, getppid()); /* an ancestor, by PR_SET_CHILD_SUBREAPER */
    return reaper != 0 ? reaper : INIT;
}

/* Translates a process group or session; one created outside the guest maps to `outside`. */
static int64_t guest_group(const struct guest *g, int host, uint32_t outside)
{
    if (host < 0)
        return -errno;
    uint32_t pid = linux_guest_pid(g, host);
    return pid != 0 ? pid : outside;
}

static int host_or_self(const struct guest *g, uint64_t pid)
{
    return (int32_t)pid == 0 ? 0 : linux_host_pid(g, (uint32_t)pid);
}

int64_t sys_getpgid(struct guest *g, const uint64_t *a)
{
    int host = host_or_self(g, a[0]);
    return host < 0 ? host : guest_group(g, getpgid(host), LINUX_PID);
}

int64_t sys_getsid(struct guest *g, const uint64_t *a)
{
    int host = host_or_self(g, a[0]);
    return host < 0 ? host : guest_group(g, getsid(host), LINUX_PPID);
}

int64_t sys_setpgid(struct guest *g, const uint64_t *a)
{
    int host = host_or_self(g, a[0]), group = host_or_self(g, a[1]);
    if ((int32_t)a[1] < 0 || ((int32_t)a[1] == 0 && (int32_t)a[0] < 0))
        return -EINVAL;
    if (host < 0)
        return host;
    if (group < 0)
        return -EPERM;
    return linux_result(setpgid(host, group));
}

int64_t sys_setsid(struct guest *g, const uint64_t *a)
{
    (void)a;
    return linux_result(setsid()) < 0 ? -EPERM : (int64_t)g->os->pid;
}
