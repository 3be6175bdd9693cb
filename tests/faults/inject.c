/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a command and makes its Nth system call of a kind fail, or kills it there. The kernel sends the calls of the
 * command's processes to this one (seccomp's user notification); no code of the command takes part.
 *
 *     inject KIND N ERROR COMMAND [ARG...]
 *
 * KIND is a row of `kinds`; N counts from 1, with + behind it all calls from that one on fail; ERROR is a name such as
 * ENOSPC, KILL, = and the value that the call returns, or + and the numbers of signals that arrive there, with commas
 * between them; then the call does not fail. Calls count from the tool's own start on (tool_start, which
 * sets an action for SIGXFSZ), so those of the dynamic loader do not; nor do those that write the counters of a build
 * with COVERAGE=1 (tests/checks/coverage/coverage.h, which asks for no action of SIGXFSZ). The exit status is the
 * command's, with 128 added to the number of a signal; 200 if the command has ended before its Nth call; 201 if the
 * kernel cannot do this. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 8, NOT_REACHED = 200, NOT_POSSIBLE = 201, START = SYS_rt_sigaction };

static const struct {
    const char *name;
    int call[CALLS]; /* ends with -1 */
} kinds[] = {
    {"open", {SYS_openat, -1}},
    {"read", {SYS_read, SYS_pread64, -1}},
    {"status", {SYS_fstat, SYS_newfstatat, -1}},
    {"write", {SYS_write, SYS_pwrite64, SYS_writev, -1}},
    {"name", {SYS_renameat, SYS_renameat2, SYS_flock, SYS_fchmod, SYS_ftruncate, -1}},
    {"close", {SYS_close, SYS_fsync, SYS_fdatasync, -1}},
    {"memory", {SYS_mmap, SYS_brk, SYS_mremap, -1}},
    {"restrict",
     {SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self, SYS_socketpair, SYS_clone,
      SYS_capset, -1}},
    {"filter", {SYS_prctl, SYS_seccomp, -1}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct request {
    const int *call;
    unsigned long number;
    bool all;  /* the calls that follow, too */
    int error; /* 0: kill, or return the value */
    bool returns;
    long value;
    const char *signals; /* the numbers; NULL: none */
};

static _Noreturn void refuse(const char *why)
{
    fprintf(stderr, "inject: %s\n", why);
    exit(NOT_POSSIBLE);
}

static struct request parse(char **argv)
{
    struct request r = {0};
    char *end;
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            r.call = kinds[i].call;
    r.number = strtoul(argv[2], &end, 10);
    r.all = *end == '+';
    for (int e = 1; e < 134 && strcmp(argv[3], "KILL") != 0; e++)
        if (strerrorname_np(e) != NULL && strcmp(strerrorname_np(e), argv[3]) == 0)
            r.error = e;
    r.signals = argv[3][0] == '+' ? argv[3] + 1 : NULL;
    r.returns = argv[3][0] == '=';
    r.value = r.returns ? strtol(argv[3] + 1, NULL, 10) : 0;
    if ((r.returns || r.signals != NULL) && r.call != NULL && r.number != 0)
        return r;
    if (r.call == NULL || r.number == 0 || (r.error == 0 && strcmp(argv[3], "KILL") != 0))
        refuse("expected KIND N ERROR COMMAND [ARG...]");
    return r;
}

/* Has the calls of this process sent to the descriptor that is returned; -1: not possible. */
static int install(const int *call)
{
    struct sock_filter filter[2 * CALLS + 4];
    unsigned short n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (; *call >= 0; call++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)*call, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, START, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {.len = n, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

enum { LATER = -2 };

struct child {
    char **command;
    const int *call;
    atomic_int listener; /* descriptor; -1: none can be made; LATER: not yet */
};

/* Shares memory and descriptors with its parent up to execvp: the parent reads the descriptor that this process gets,
 * which cannot send it, as its calls wait for the parent. */
static int execute(void *ctx)
{
    struct child *c = ctx;
    setpgid(0, 0);
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (int n = 1; n < NSIG; n++)
        (void)signal(n, SIG_DFL); /* not as whoever runs the tests has left it */
    int fd = install(c->call);
    atomic_store(&c->listener, fd);
    if (fd >= 0)
        execvp(c->command[0], c->command);
    _exit(NOT_POSSIBLE);
}

/* The answer to a call that fails. brk has no error: it returns the old end of the heap, or less. */
static struct seccomp_notif_resp failure(const struct seccomp_notif *call, int error)
{
    return (struct seccomp_notif_resp){.id = call->id, .error = call->data.nr == SYS_brk ? 0 : -error};
}

/* The calls that count. */
struct counted {
    unsigned long calls;
    bool begun;
    uint32_t ended; /* number of a process whose calls do not count any more */
};

static bool counts(struct counted *n, const struct seccomp_notif *call)
{
    bool is_start = call->data.nr == START, asks = call->data.nr == SYS_brk && call->data.args[0] == 0;
    if (is_start && call->data.args[0] == SIGXFSZ) {
        n->begun = true;
        if (call->data.args[1] == 0 && call->data.args[2] == 0)
            n->ended = call->pid;
    }
    return n->begun && !is_start && !asks && call->pid != n->ended;
}

static void send_signals(pid_t child, const char *numbers)
{
    for (char *end; *numbers != '\0'; numbers = *end == ',' ? end + 1 : end) {
        int signal = (int)strtol(numbers, &end, 10);
        if (end == numbers || kill(child, signal) != 0)
            refuse("a signal cannot be sent");
    }
}

/* Answers one call; returns whether it was the one that fails. */
static bool answer(int listener, const struct request *r, pid_t child, struct counted *n)
{
    struct seccomp_notif call = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return false;
    bool is_counted = counts(n, &call);
    n->calls += is_counted;
    bool fails = is_counted && (n->calls == r->number || (r->all && n->calls > r->number));
    if (fails && r->signals != NULL)
        send_signals(child, r->signals);
    else if (fails && r->error == 0 && !r->returns)
        kill(child, SIGKILL);
    struct seccomp_notif_resp response = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    if (fails && r->error != 0)
        response = failure(&call, r->error);
    if (fails && r->returns)
        response = (struct seccomp_notif_resp){.id = call.id, .val = r->value};
    (void)!ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
    return fails;
}

/* Ends the processes that the command has left. One can wait for a descriptor to be closed, which the fault has left
 * open. They are children of this process now, also those with a session of their own. */
static void end_others(void)
{
    char path[64];
    pid_t other;
    bool found = true;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    while (found) {
        FILE *children = fopen(path, "r");
        if (children == NULL)
            refuse("the kernel does not list a process's children");
        for (found = false; fscanf(children, "%d", &other) == 1; found = true) {
            kill(other, SIGKILL);
            waitpid(other, NULL, 0);
        }
        fclose(children);
    }
}

int main(int argc, char **argv)
{
    enum { STACK_BYTES = 1 << 18 };
    if (argc < 5)
        refuse("expected KIND N ERROR COMMAND [ARG...]");
    struct request r = parse(argv);
    struct child c = {.command = argv + 4, .call = r.call, .listener = LATER};
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_t child = stack != MAP_FAILED ? clone(execute, stack + STACK_BYTES, CLONE_VM | CLONE_FILES | SIGCHLD, &c) : -1;
    if (child < 0)
        refuse("no process can be made");
    while (atomic_load(&c.listener) == LATER)
        sched_yield();
    if (c.listener < 0)
        refuse("the kernel does not send system calls to other processes (seccomp)");
    struct counted n = {0};
    bool hit = false;
    struct pollfd p[] = {{.fd = c.listener, .events = POLLIN},
                         {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN}};
    while (poll(p, 2, -1) < 0 || (!(p[0].revents & POLLHUP) && !(p[1].revents & POLLIN)))
        if (p[0].revents & POLLIN)
            hit = answer(c.listener, &r, child, &n) || hit;
    int status;
    if (waitpid(child, &status, 0) != child)
        refuse("the command's status is lost");
    end_others();
    return !hit ? NOT_REACHED : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
