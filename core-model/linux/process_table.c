/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of the guest's processes and threads, and the host's processes that execute them. A host number is compared
 * together with the start of its process, after the question or the action that used it: a process that is the same
 * afterwards was the same all the time. Source: proc_pid_stat(5), pidfd_open(2). */
#include "core-model/linux/process_table.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/proc_facts.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { CLAIMED = -1, VERSION_TRIES = 1000 };

struct linux_processes {
    _Atomic uint32_t next;
    int32_t start_group; /* of the host */
    _Atomic uint64_t changes[HOST_CHANGES];
    struct linux_missing missing;
    struct linux_process slot[LINUX_PROCESSES_MAX];
};

/* ---- the host's processes ---- */

/* A process of the host, as its stat file shows it. */
struct host_process {
    char state;
    int parent;
    uint64_t start; /* in clock ticks since the host's boot */
};

static bool host_look(int host_pid, struct host_process *p)
{
    enum { START_FIELD = 22, STATE_FIELD = 3 };
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", host_pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *at = strrchr(text, ')'); /* the name before it may have spaces */
    if (at == NULL || at[1] == '\0' || at[2] == '\0')
        return false;
    p->state = at[2];
    p->parent = (int)strtol(at + 3, NULL, 10);
    for (int field = STATE_FIELD - 1; at != NULL && field < START_FIELD; field++)
        at = strchr(at + 1, ' ');
    p->start = at != NULL ? strtoull(at, NULL, 10) : 0;
    return at != NULL;
}

/* Whether the host's process with the number of the entry is the one that was entered. */
static bool process_table_is_same(const struct linux_process *p, int host_pid)
{
    struct host_process now;
    return host_pid == getpid() || (host_look(host_pid, &now) && now.start == p->host_start);
}

/* ---- numbers ---- */

void linux_processes_init(struct guest *g)
{
    struct linux_task *task = g->task;
    const size_t texts_bytes = sizeof *task->texts * LINUX_PROCESSES_MAX;
    const int kind = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    void *p = mmap(NULL, sizeof *task->processes, PROT_READ | PROT_WRITE, kind, -1, 0);
    if (p == MAP_FAILED)
        out_of_memory();
    task->processes = p;
    p = mmap(NULL, texts_bytes, PROT_READ | PROT_WRITE, kind, -1, 0);
    task->texts = p != MAP_FAILED ? p : NULL; /* without them processes show no texts of others */
    task->processes->next = 1;
    task->processes->start_group = getpgrp();
    task->processes->slot[0] = (struct linux_process){
        .parent = LINUX_PPID, .host_parent = getppid(), .group = LINUX_PID, .session = LINUX_PPID};
    task->pid = LINUX_PID;
    task->vfork_fd = -1;
    linux_enter_process(g, LINUX_PID, getpid());
}

void linux_processes_fini(struct guest *g)
{
    munmap(g->task->processes, sizeof *g->task->processes);
    if (g->task->texts != NULL)
        munmap(g->task->texts, sizeof *g->task->texts * LINUX_PROCESSES_MAX);
}

static uint32_t process_table_number_of(const struct guest *g, const struct linux_process *p)
{
    return LINUX_PID + (uint32_t)(p - g->task->processes->slot);
}

struct linux_process *linux_process_entry(const struct guest *g, uint32_t pid)
{
    uint32_t index = pid - LINUX_PID;
    return index < LINUX_PROCESSES_MAX && g->task->processes->slot[index].host > 0 ? &g->task->processes->slot[index]
                                                                                   : NULL;
}

static uint32_t slots_used(const struct guest *g)
{
    uint32_t n = g->task->processes->next;
    return n < LINUX_PROCESSES_MAX ? n : LINUX_PROCESSES_MAX;
}

/* Whether a number is that of a group or of a session that a process is in. */
static bool names_group(const struct guest *g, uint32_t number)
{
    for (uint32_t i = 0; i < slots_used(g); i++) {
        const struct linux_process *p = &g->task->processes->slot[i];
        const int host = p->host;
        if (host > 0 && (p->group == number || p->session == number) && process_table_is_same(p, host))
            return true;
    }
    return false;
}

/* Numbers of processes that ended without being waited for are reused. */
uint32_t linux_claim_pid(struct guest *g)
{
    struct linux_processes *all = g->task->processes;
    for (uint32_t tries = 0; tries < LINUX_PROCESSES_MAX; tries++) {
        uint32_t n = atomic_fetch_add(&all->next, 1), number = LINUX_PID + n % LINUX_PROCESSES_MAX;
        struct linux_process *p = &all->slot[n % LINUX_PROCESSES_MAX];
        int32_t host = p->host;
        if (n >= LINUX_PROCESSES_MAX && names_group(g, number))
            continue;
        if (host > 0 && !process_table_is_same(p, host) && atomic_compare_exchange_strong(&p->host, &host, 0))
            host = 0;
        if (host == 0 && atomic_compare_exchange_strong(&p->host, &host, CLAIMED)) {
            p->exited = p->is_thread = p->has_executed = 0;
            p->group = p->session = 0;
            return number;
        }
    }
    return 0;
}

static void enter_tid(struct guest *g, uint32_t tid)
{
    const struct linux_process *own = linux_process_entry(g, g->task->pid);
    struct linux_process *p = &g->task->processes->slot[tid - LINUX_PID];
    p->is_thread = 1;
    p->parent = g->task->pid;
    p->host_start = own != NULL ? own->host_start : 0;
    p->host = getpid();
}

uint32_t linux_claim_tid(struct guest *g)
{
    const uint32_t tid = linux_claim_pid(g);
    if (tid != 0)
        enter_tid(g, tid);
    return tid;
}

void linux_restore_tid(struct guest *g, uint32_t tid)
{
    if (tid != g->task->pid)
        enter_tid(g, tid);
}

void linux_release_number(struct guest *g, uint32_t number) { g->task->processes->slot[number - LINUX_PID].host = 0; }

static void copy_texts(struct linux_texts *to, const struct linux_texts *from)
{
    size_t used = 0;
    for (int i = 0; i < LINUX_TEXTS; i++)
        used += to->size_bytes[i] = from->size_bytes[i];
    memcpy(to->data, from->data, used);
}

void linux_inherit_process(struct guest *g, uint32_t pid)
{
    const struct linux_process *own = linux_process_entry(g, g->task->pid);
    struct linux_process *p = &g->task->processes->slot[pid - LINUX_PID];
    p->parent = g->task->pid;
    p->host_parent = getpid();
    p->group = own->group;
    p->session = own->session;
    p->version = 0;
    p->facts = own->facts;
    p->facts.cpu_ns = p->facts.children_ns = 0;
    if (g->task->texts != NULL)
        copy_texts(&g->task->texts[pid - LINUX_PID], &g->task->texts[g->task->pid - LINUX_PID]);
}

/* Other entries with the same host number are of a process that has ended. */
void linux_enter_process(struct guest *g, uint32_t pid, int host_pid)
{
    struct linux_processes *all = g->task->processes;
    struct host_process now = {0};
    (void)host_look(host_pid, &now); /* a zombie is still there; without /proc no other process is reached */
    for (uint32_t i = 0; i < slots_used(g); i++) {
        int32_t host = host_pid;
        if (LINUX_PID + i != pid && all->slot[i].host_start != now.start)
            (void)atomic_compare_exchange_strong(&all->slot[i].host, &host, 0);
    }
    all->slot[pid - LINUX_PID].host_start = now.start;
    all->slot[pid - LINUX_PID].host = host_pid;
}

int linux_host_pid(const struct guest *g, uint32_t pid)
{
    const struct linux_process *p = linux_process_entry(g, pid);
    const int host = p != NULL ? p->host : 0;
    return host > 0 && process_table_is_same(p, host) ? host : -ESRCH;
}

int linux_host_parent(int host_pid)
{
    enum { INIT = 1 };
    struct host_process now;
    return host_look(host_pid, &now) && now.state != 'Z' && now.parent > INIT ? now.parent : 0;
}

static const struct linux_process *entry_of_host(const struct guest *g, int host_pid)
{
    for (uint32_t i = slots_used(g); i-- > 0;)
        if (g->task->processes->slot[i].host == host_pid && !g->task->processes->slot[i].is_thread)
            return &g->task->processes->slot[i];
    return NULL;
}

uint32_t linux_guest_pid_before(const struct guest *g, int host_pid)
{
    const struct linux_process *p = host_pid > 0 ? entry_of_host(g, host_pid) : NULL;
    return p != NULL ? process_table_number_of(g, p) : 0;
}

uint32_t linux_guest_pid(const struct guest *g, int host_pid)
{
    const struct linux_process *p = host_pid > 0 ? entry_of_host(g, host_pid) : NULL;
    return p != NULL && process_table_is_same(p, host_pid) ? process_table_number_of(g, p) : 0;
}

bool linux_next_process(const struct guest *g, uint32_t *pid, int *host_pid)
{
    for (uint32_t i = *pid != 0 ? *pid - LINUX_PID + 1 : 0; i < slots_used(g); i++) {
        const struct linux_process *p = &g->task->processes->slot[i];
        *pid = LINUX_PID + i;
        *host_pid = p->host;
        if (*host_pid > 0 && !p->is_thread && process_table_is_same(p, *host_pid))
            return true;
    }
    return false;
}

bool linux_next_thread(const struct guest *g, uint32_t pid, uint32_t *tid)
{
    for (uint32_t i = *tid != 0 ? *tid - LINUX_PID + 1 : 0; i < slots_used(g); i++) {
        const struct linux_process *p = &g->task->processes->slot[i];
        *tid = LINUX_PID + i;
        if (p->host > 0 && p->is_thread && p->parent == pid)
            return true;
    }
    return false;
}

size_t guest_other_processes(const struct guest *g, pid_t *host, size_t most)
{
    size_t count = 0;
    uint32_t pid = 0;
    for (int found; guest_has_linux(g) && count < most && linux_next_process(g, &pid, &found);)
        if (found != getpid())
            host[count++] = found;
    return count;
}

/* ---- actions ---- */

int linux_open_process(const struct guest *g, uint32_t pid, unsigned flags)
{
    const struct linux_process *p = linux_process_entry(g, pid);
    const int host = p != NULL ? p->host : 0;
    int fd = host > 0 ? (int)syscall(SYS_pidfd_open, host, flags) : -1;
    if (host <= 0)
        return -ESRCH;
    if (fd < 0)
        return -errno;
    if (process_table_is_same(p, host))
        return fd;
    close(fd);
    return -ESRCH;
}

int64_t linux_signal_process(const struct guest *g, uint32_t pid, int signal, siginfo_t *info)
{
    int fd = linux_open_process(g, pid, 0);
    if (fd < 0)
        return fd;
    int64_t r = linux_result(syscall(SYS_pidfd_send_signal, fd, signal, info, 0));
    close(fd);
    return r;
}

/* ---- groups ---- */

int linux_host_group(const struct guest *g, uint32_t group)
{
    uint32_t pid = 0;
    for (int host; linux_next_process(g, &pid, &host);) {
        const struct linux_process *p = &g->task->processes->slot[pid - LINUX_PID];
        const int found = p->group == group ? getpgid(host) : -1;
        if (found > 0 && process_table_is_same(p, host))
            return found;
    }
    return -ESRCH;
}

bool linux_is_start_group(const struct guest *g, int host_group)
{
    return host_group == g->task->processes->start_group;
}

uint32_t linux_guest_group(const struct guest *g, int host_group)
{
    uint32_t pid = 0;
    for (int host; linux_next_process(g, &pid, &host);)
        if (getpgid(host) == host_group)
            return g->task->processes->slot[pid - LINUX_PID].group;
    return LINUX_PID;
}

uint32_t linux_guest_session(const struct guest *g, int host_session)
{
    uint32_t pid = 0;
    for (int host; linux_next_process(g, &pid, &host);)
        if (getsid(host) == host_session)
            return g->task->processes->slot[pid - LINUX_PID].session;
    return LINUX_PPID;
}

/* ---- what processes show ---- */

/* Begins and ends a look at what another process publishes: it is repeated if the process has written meanwhile. A
 * process that is killed while it writes does not end its turn. */
static bool is_looked_at(const struct linux_process *p, uint32_t *version, unsigned *tries)
{
    const uint32_t now = p->version;
    const bool is_whole = *tries > 0 && now == *version && now % 2 == 0;
    *version = now;
    return is_whole || (*tries)++ > VERSION_TRIES;
}

bool linux_read_facts(const struct guest *g, uint32_t pid, struct linux_facts *facts)
{
    const struct linux_process *p = linux_process_entry(g, pid);
    const int host = p != NULL ? p->host : 0;
    struct host_process now;
    uint32_t version = 0, tid = 0;
    if (host <= 0 || p->is_thread || !host_look(host, &now) || now.start != p->host_start)
        return false;
    for (unsigned tries = 0; !is_looked_at(p, &version, &tries);)
        *facts = p->facts;
    facts->pid = facts->number = pid;
    facts->parent = p->parent;
    facts->group = p->group;
    facts->session = p->session;
    facts->state = now.state == 'R' || now.state == 'T' || now.state == 'Z' ? now.state : 'S';
    for (facts->threads = 1; linux_next_thread(g, pid, &tid);)
        facts->threads++;
    return true;
}

int64_t linux_read_text(const struct guest *g, uint32_t pid, enum linux_text text, char *to, size_t room)
{
    const struct linux_process *p = linux_process_entry(g, pid);
    uint32_t version = 0;
    size_t size_bytes = 0;
    to[0] = '\0';
    if (p == NULL || g->task->texts == NULL)
        return -ESRCH;
    const struct linux_texts *texts = &g->task->texts[p - g->task->processes->slot];
    for (unsigned tries = 0; !is_looked_at(p, &version, &tries);) {
        size_t from = 0;
        for (int i = 0; i < (int)text; i++)
            from += texts->size_bytes[i];
        size_bytes = texts->size_bytes[text];
        if (from > sizeof texts->data || size_bytes > sizeof texts->data - from)
            continue; /* while it is written */
        size_bytes = size_bytes < room - 1 ? size_bytes : room - 1;
        memcpy(to, texts->data + from, size_bytes);
        to[size_bytes] = '\0';
    }
    return linux_host_pid(g, pid) < 0 ? -ESRCH : (int64_t)size_bytes;
}

uint32_t guest_pid(const struct guest *g) { return g->task->pid; }

void linux_count_change(const struct guest *g, enum host_change kind)
{
    atomic_fetch_add(&g->task->processes->changes[kind], 1);
}

uint64_t guest_changes(const struct guest *g, enum host_change kind) { return g->task->processes->changes[kind]; }

struct linux_missing *linux_missing_of(const struct guest *g) { return &g->task->processes->missing; }

static void move_missing(struct linux_missing *m, struct checkpoint_stream *s)
{
    for (unsigned n = 0; n < LINUX_MISSING_MAX; n++) {
        char *path = m->program[n].path;
        m->program[n].hash = checkpoint_move(s, m->program[n].hash, 0, UINT64_MAX);
        m->program[n].times = checkpoint_move(s, m->program[n].times, 0, UINT64_MAX);
        checkpoint_move_text(s, &path);
        if (s->reads && path != NULL) {
            snprintf(m->program[n].path, sizeof m->program[n].path, "%s", path);
            free(path);
        }
    }
}

void linux_processes_move(struct guest *g, struct checkpoint_stream *s)
{
    struct linux_processes *all = g->task->processes;
    checkpoint_section(s, "the table of processes");
    all->next = (uint32_t)checkpoint_move(s, all->next, 1, UINT32_MAX);
    CHECKPOINT_MOVE(s, all->slot[0].has_executed);
    for (int kind = 0; kind < HOST_CHANGES; kind++)
        all->changes[kind] = checkpoint_move(s, all->changes[kind], 0, UINT64_MAX);
    move_missing(&all->missing, s);
}
