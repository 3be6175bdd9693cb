/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals: actions, masks, and entering handlers. Signals of the process itself are delivered at the end of a system
 * call or at the faulting instruction; kill.c handles those of other processes. Source: Linux
 * arch/riscv/kernel/signal.c and include/uapi/asm/{sigcontext,ucontext}.h for the frame. */
#include "core-model/linux/linux.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum {
    SIG_DEFAULT = 0,
    SIG_IGNORED = 1,
    SIGNO_CHLD = 17,
    SIGNO_CONT = 18,
    SIGNO_TTOU = 22,
    SIGNO_URG = 23,
    SIGNO_WINCH = 28,
    ACTION_ONSTACK = 0x08000000,
    ACTION_NODEFER = 0x40000000,
    ACTION_RESTART = 0x10000000,
    STACK_DISABLE = 2,
    REG_RA = 1,
    REG_SP = 2,
    REG_A0 = 10,
    REG_F0 = 32,
    CODE_USER = 0,
    CODE_FAULT = 1,
};
#define ACTION_RESETHAND UINT64_C(0x80000000)

/* Stack frame of a signal handler. */
struct signal_frame {
    struct {
        int32_t number, error, code, pad;
        uint64_t addr;   /* fault address; else pid and uid */
        uint64_t status; /* status of a child; else the value sent with the signal */
        uint64_t rest[12];
    } info;
    uint64_t flags, link;
    uint64_t stack[3];
    uint64_t mask;
    uint8_t unused[120];
    uint64_t pad; /* aligns the registers to 16 bytes */
    uint64_t pc, x[31];
    uint64_t f[32];
    uint32_t fcsr;
    uint8_t quad[268]; /* the kernel's layout reserves 128-bit registers */
};
_Static_assert(sizeof(struct signal_frame) == 1088, "the frame's size is part of the kernel's interface");

const char *linux_signal_name(int signal)
{
    static const char *const names[] = {
        "0",         "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
        "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
        "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
        "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS",
    };
    return signal >= 0 && signal < (int)(sizeof names / sizeof names[0]) ? names[signal] : "SIGRT";
}

static bool ignored_by_default(int signal)
{
    return signal == SIGNO_CHLD || (signal >= SIGNO_CONT && signal <= SIGNO_TTOU) || signal == SIGNO_URG ||
           signal == SIGNO_WINCH;
}

bool linux_signal_ignored(const struct guest *g, int signal)
{
    uint64_t handler = g->os->action[signal].handler;
    return handler == SIG_IGNORED || (handler == SIG_DEFAULT && ignored_by_default(signal));
}

/* Sets the mask without SIGKILL and SIGSTOP, which cannot be blocked. */
void linux_set_mask(struct guest *g, uint64_t mask)
{
    g->os->signal_mask = mask & ~(linux_signal_bit(LINUX_SIGKILL) | linux_signal_bit(LINUX_SIGSTOP));
    linux_signals_update(g);
}

void linux_replace_mask(struct guest *g, uint64_t mask)
{
    g->os->saved_mask = g->os->signal_mask;
    g->os->has_saved_mask = true;
    linux_set_mask(g, mask);
}

static void end_by(struct guest *g, int signal)
{
    g->exited = true;
    g->fatal_signal = signal;
    g->exit_status = 128 + signal;
}

static uint64_t frame_place(const struct guest *g, const struct linux_sigaction *action)
{
    const uint64_t *alt = g->os->altstack;
    uint64_t sp = g->hart.reg[REG_SP];
    bool on_alt = sp - alt[0] < alt[2];
    if ((action->flags & ACTION_ONSTACK) && alt[2] != 0 && !(alt[1] & STACK_DISABLE) && !on_alt)
        sp = alt[0] + alt[2];
    return (sp - sizeof(struct signal_frame)) & ~UINT64_C(15);
}

/* Makes the hart enter the handler. If the frame cannot be written to the stack, the process ends. */
static void enter_handler(struct guest *g, int signal, const struct linux_siginfo *info, uint64_t addr)
{
    struct linux_sigaction *action = &g->os->action[signal];
    struct hart *h = &g->hart;
    struct signal_frame frame = {.info = {.number = signal, .code = info->code, .addr = addr},
                                 .mask = g->os->signal_mask,
                                 .pc = h->pc,
                                 .fcsr = h->fcsr};
    frame.info.status = signal == SIGNO_CHLD ? (uint32_t)info->status : info->value;
    if (g->os->has_saved_mask)
        frame.mask = g->os->saved_mask;
    g->os->has_saved_mask = false;
    memcpy(frame.stack, g->os->altstack, sizeof frame.stack);
    memcpy(frame.x, &h->reg[1], sizeof frame.x);
    memcpy(frame.f, &h->reg[REG_F0], sizeof frame.f);
    uint64_t sp = frame_place(g, action);
    if (linux_put(g, sp, &frame, sizeof frame) != 0) {
        end_by(g, LINUX_SIGSEGV);
        return;
    }
    h->pc = action->handler;
    h->reg[REG_RA] = LINUX_TRAMPOLINE;
    h->reg[REG_SP] = sp;
    h->reg[REG_A0] = (uint64_t)signal;
    h->reg[REG_A0 + 1] = sp;
    h->reg[REG_A0 + 2] = sp + offsetof(struct signal_frame, flags);
    linux_set_mask(g,
                   g->os->signal_mask | action->mask | (action->flags & ACTION_NODEFER ? 0 : linux_signal_bit(signal)));
    if (action->flags & ACTION_RESETHAND)
        action->handler = SIG_DEFAULT;
    linux_signals_update(g);
}

int64_t sys_rt_sigreturn(struct guest *g, const uint64_t *a)
{
    struct hart *h = &g->hart;
    struct signal_frame frame;
    (void)a;
    if (linux_get(g, h->reg[REG_SP], &frame, sizeof frame) != 0) {
        end_by(g, LINUX_SIGSEGV);
        return 0;
    }
    memcpy(&h->reg[1], frame.x, sizeof frame.x);
    memcpy(&h->reg[REG_F0], frame.f, sizeof frame.f);
    h->fcsr = frame.fcsr & 0xff;
    h->pc = frame.pc;
    linux_set_mask(g, frame.mask);
    return (int64_t)h->reg[REG_A0];
}

void linux_raise(struct guest *g, int signal)
{
    if (signal < 1 || signal > LINUX_SIGNAL_MAX)
        return;
    g->os->pending |= linux_signal_bit(signal);
    g->os->info[signal] = (struct linux_siginfo){.code = CODE_USER, .pid = g->os->pid, .uid = getuid()};
}

/* Performs the default action of a signal. A child is stopped by the host, so that its parent is notified. */
static void act_by_default(struct guest *g, int signal)
{
    bool stops = signal == LINUX_SIGSTOP || (signal > LINUX_SIGSTOP && signal <= SIGNO_TTOU);
    if (!ignored_by_default(signal))
        end_by(g, signal);
    else if (stops && g->os->is_child)
        (void)kill(getpid(), signal);
}

void linux_deliver(struct guest *g)
{
    uint64_t ready;
    linux_signals_collect(g);
    while (!g->exited && (ready = g->os->pending & ~g->os->signal_mask) != 0) {
        int signal = 1 + __builtin_ctzll(ready);
        uint64_t handler = g->os->action[signal].handler;
        const struct linux_siginfo *info = &g->os->info[signal];
        g->os->pending &= ~linux_signal_bit(signal);
        if (handler == SIG_DEFAULT)
            act_by_default(g, signal);
        else if (handler != SIG_IGNORED)
            enter_handler(g, signal, info, info->pid | (uint64_t)info->uid << 32);
    }
    if (g->os->has_saved_mask) {
        g->os->has_saved_mask = false;
        linux_set_mask(g, g->os->saved_mask);
    }
}

bool linux_restarts(const struct guest *g)
{
    uint64_t ready = g->os->pending & ~g->os->signal_mask;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        if ((ready & linux_signal_bit(signal)) && !linux_signal_ignored(g, signal))
            return (g->os->action[signal].flags & ACTION_RESTART) != 0;
    return true;
}

int64_t linux_put_siginfo(struct guest *g, uint64_t addr, int signal)
{
    enum { INFO_WORDS = 16 };
    const struct linux_siginfo *info = &g->os->info[signal];
    const uint64_t words[INFO_WORDS] = {(uint32_t)signal, (uint32_t)info->code, info->pid | (uint64_t)info->uid << 32,
                                        signal == SIGNO_CHLD ? (uint32_t)info->status : info->value};
    return linux_put(g, addr, words, sizeof words);
}

/* Raises a synchronous fault, which ends the process if the signal is ignored or blocked. */
void linux_fault(struct guest *g, int signal, uint64_t addr)
{
    static const struct linux_siginfo info = {.code = CODE_FAULT};
    uint64_t handler = g->os->action[signal].handler;
    if (handler == SIG_DEFAULT || handler == SIG_IGNORED || (g->os->signal_mask & linux_signal_bit(signal)))
        end_by(g, signal);
    else
        enter_handler(g, signal, &info, addr);
}

/* Ignoring SIGCHLD means that children are not waited for; the host's action is set accordingly. */
static void note_action(struct guest *g, int signal)
{
    const struct linux_sigaction *action = &g->os->action[signal];
    if (signal == SIGNO_CHLD) {
        struct sigaction host = {.sa_handler = action->handler == SIG_IGNORED ? SIG_IGN : SIG_DFL,
                                 .sa_flags = (int)(action->flags & (SA_NOCLDWAIT | SA_NOCLDSTOP))};
        (void)sigaction(SIGCHLD, &host, NULL);
    }
    if (linux_signal_ignored(g, signal))
        g->os->pending &= ~linux_signal_bit(signal);
    linux_signals_update(g);
}

int64_t sys_rt_sigaction(struct guest *g, const uint64_t *a)
{
    struct linux_sigaction *action = &g->os->action[a[0] <= LINUX_SIGNAL_MAX ? a[0] : 0], old, new;
    if (a[0] == 0 || a[0] > LINUX_SIGNAL_MAX || a[3] != sizeof(uint64_t))
        return -EINVAL;
    if (a[1] != 0 && (a[0] == LINUX_SIGKILL || a[0] == LINUX_SIGSTOP))
        return -EINVAL;
    old = new = *action;
    if (a[1] != 0 && linux_get(g, a[1], &new, sizeof new) != 0)
        return -EFAULT;
    if (a[2] != 0 && linux_put(g, a[2], &old, sizeof old) != 0)
        return -EFAULT;
    if (a[1] != 0) {
        linux_signals_collect(g); /* signals that arrived under the old action */
        *action = new;
        note_action(g, (int)a[0]);
    }
    return 0;
}

int64_t sys_rt_sigprocmask(struct guest *g, const uint64_t *a)
{
    enum { BLOCK, UNBLOCK, SETMASK };
    uint64_t set = 0, old = g->os->signal_mask;
    if (a[3] != sizeof set || (a[1] != 0 && (uint32_t)a[0] > SETMASK))
        return -EINVAL;
    if (a[1] != 0 && linux_get(g, a[1], &set, sizeof set) != 0)
        return -EFAULT;
    if (a[2] != 0 && linux_put(g, a[2], &old, sizeof old) != 0)
        return -EFAULT;
    if (a[1] != 0)
        linux_set_mask(g, (uint32_t)a[0] == BLOCK ? old | set : (uint32_t)a[0] == UNBLOCK ? old & ~set : set);
    return 0;
}

int64_t sys_sigaltstack(struct guest *g, const uint64_t *a)
{
    uint64_t old[3];
    memcpy(old, g->os->altstack, sizeof old);
    if (a[0] != 0 && linux_get(g, a[0], g->os->altstack, sizeof old) != 0)
        return -EFAULT;
    return a[1] != 0 ? linux_put(g, a[1], old, sizeof old) : 0;
}
