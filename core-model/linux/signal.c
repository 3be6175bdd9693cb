/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals: actions, masks, and entering handlers. Signals of the process itself are delivered at the end of a system
 * call or at the faulting instruction; host_signals.c collects those of other processes. Source: Linux
 * arch/riscv/kernel/signal.c and include/uapi/asm/{sigcontext,ucontext}.h for the frame. */
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "core-model/linux/posix_timer.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/tracing.h"

enum {
    STACK_ONSTACK = 1,
    STACK_DISABLE = 2,
    REG_RA = 1,
    REG_SP = 2,
    REG_A0 = 10,
    REG_F0 = 32,
};
#define STACK_AUTODISARM UINT32_C(0x80000000)

/* Stack frame of a signal handler. */
struct signal_frame {
    struct linux_siginfo info;
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

/* Sets the mask without SIGKILL and SIGSTOP, which cannot be blocked. */
void linux_set_mask(struct guest *g, uint64_t mask)
{
    g->thread->signal_mask = mask & ~(linux_signal_bit(LINUX_SIGKILL) | linux_signal_bit(LINUX_SIGSTOP));
    linux_signals_update(g);
}

void linux_replace_mask(struct guest *g, uint64_t mask)
{
    g->thread->saved_mask = g->thread->signal_mask;
    g->thread->has_saved_mask = true;
    linux_set_mask(g, mask);
}

/* Whether the stack pointer is on the alternate stack, which grows down from its end. */
static bool is_on_stack(const uint64_t *alt, uint64_t sp)
{
    return !(alt[1] & STACK_DISABLE) && sp > alt[0] && sp - alt[0] <= alt[2];
}

/* Where the frame is written. A frame that would leave the alternate stack has no place: the process ends. */
static uint64_t frame_place(const struct guest *g, const struct linux_sigaction *action)
{
    const uint64_t *alt = g->thread->altstack;
    uint64_t sp = g->hart.reg[REG_SP];
    const bool on_alt = is_on_stack(alt, sp);
    if (on_alt && !is_on_stack(alt, sp - sizeof(struct signal_frame)))
        return UINT64_MAX;
    if ((action->flags & ACTION_ONSTACK) && alt[2] != 0 && !(alt[1] & STACK_DISABLE) && !on_alt)
        sp = alt[0] + alt[2];
    return (sp - sizeof(struct signal_frame)) & ~UINT64_C(15);
}

/* Makes the hart enter the handler. If the frame cannot be written to the stack, the process ends. */
static void enter_handler(struct guest *g, const struct linux_siginfo *info)
{
    int signal = info->signal;
    struct linux_sigaction *action = &g->signals->action[signal];
    struct linux_thread *t = g->thread;
    struct hart *h = &g->hart;
    struct signal_frame frame = {.info = *info, .mask = t->signal_mask, .pc = h->pc, .fcsr = h->fcsr};
    if (t->has_saved_mask)
        frame.mask = t->saved_mask;
    t->has_saved_mask = false;
    memcpy(frame.stack, t->altstack, sizeof frame.stack);
    memcpy(frame.x, &h->reg[1], sizeof frame.x);
    memcpy(frame.f, &h->reg[REG_F0], sizeof frame.f);
    uint64_t sp = frame_place(g, action);
    if (t->altstack[1] & STACK_AUTODISARM)
        memset(t->altstack, 0, sizeof t->altstack);
    if (linux_put(g, sp, &frame, sizeof frame) != 0) {
        linux_end_by(g, LINUX_SIGSEGV);
        return;
    }
    t->seen.handlers++;
    t->seen.interrupted_pc = h->pc;
    h->pc = action->handler;
    h->reg[REG_RA] = LINUX_TRAMPOLINE;
    h->reg[REG_SP] = sp;
    h->reg[REG_A0] = (uint64_t)signal;
    h->reg[REG_A0 + 1] = sp;
    h->reg[REG_A0 + 2] = sp + offsetof(struct signal_frame, flags);
    linux_set_mask(g, t->signal_mask | action->mask | (action->flags & ACTION_NODEFER ? 0 : linux_signal_bit(signal)));
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
        linux_end_by(g, LINUX_SIGSEGV);
        return 0;
    }
    memcpy(&h->reg[1], frame.x, sizeof frame.x);
    memcpy(&h->reg[REG_F0], frame.f, sizeof frame.f);
    h->fcsr = frame.fcsr & 0xff;
    h->pc = frame.pc;
    memcpy(g->thread->altstack, frame.stack, sizeof frame.stack);
    linux_set_mask(g, frame.mask);
    return (int64_t)h->reg[REG_A0];
}

/* Performs the default action of a signal. The host stops the process, so that its parent is notified. */
static void act_by_default(struct guest *g, int signal)
{
    bool stops = signal == LINUX_SIGSTOP || (signal > LINUX_SIGSTOP && signal <= SIGNO_TTOU);
    if (!linux_signal_ignored(g, signal))
        linux_end_by(g, signal);
    if (!stops)
        return;
    (void)kill(getpid(), signal);
    linux_signals_collect(g); /* SIGCONT comes before the next instruction */
}

/* The signals of the process that the running thread may take. A signal that the thread blocks is taken by a call, any
 * other by the thread that is chosen for delivery. */
static uint64_t shared_signals(const struct guest *g)
{
    return g->thread->signal_mask | linux_signals_chosen(g, g->thread);
}

int linux_take(struct guest *g, uint64_t set, struct linux_siginfo *info)
{
    uint64_t shared = set & shared_signals(g);
    int signal = pending_take(&g->thread->pending, set, info);
    if (signal == 0)
        signal = pending_take(&g->signals->pending, shared, info);
    if (signal != 0)
        linux_posix_timer_taken(g, info);
    return signal;
}

/* Whether a debugger withholds the signal that linux_take would return. */
static bool is_withheld(struct guest *g)
{
    const uint64_t set = ~g->thread->signal_mask, own = g->thread->pending.set & set,
                   shared = g->signals->pending.set & set & shared_signals(g), next = own != 0 ? own : shared;
    return next != 0 && linux_withholds(g, GUEST_STOP_SIGNAL, pending_first(next));
}

void linux_deliver(struct guest *g)
{
    struct linux_siginfo info;
    linux_signals_collect(g);
    while (!g->process->exited) {
        if (is_withheld(g))
            return;
        const int signal = linux_take(g, ~g->thread->signal_mask, &info);
        if (signal == 0)
            break;
        uint64_t handler = g->signals->action[signal].handler;
        if (handler == SIG_DEFAULT)
            act_by_default(g, signal);
        else if (handler != SIG_IGNORED)
            enter_handler(g, &info);
    }
    if (g->thread->has_saved_mask) {
        g->thread->has_saved_mask = false;
        linux_set_mask(g, g->thread->saved_mask);
    }
}

/* Raises a synchronous fault, which ends the process if the signal is ignored or blocked. */
void linux_fault(struct guest *g, int signal, int code, uint64_t addr)
{
    const struct linux_siginfo info = {.signal = signal, .code = code, .word = {addr}};
    uint64_t handler = g->signals->action[signal].handler;
    if (handler == SIG_DEFAULT || handler == SIG_IGNORED || (g->thread->signal_mask & linux_signal_bit(signal)))
        linux_end_by(g, signal);
    else
        enter_handler(g, &info);
}

/* Ignoring SIGCHLD means that children are not waited for; the host's action is set accordingly. */
static void note_action(struct guest *g, int signal)
{
    const struct linux_sigaction *action = &g->signals->action[signal];
    if (signal == SIGNO_CHLD) {
        struct sigaction host = {.sa_handler = action->handler == SIG_IGNORED ? SIG_IGN : SIG_DFL,
                                 .sa_flags = (int)(action->flags & (SA_NOCLDWAIT | SA_NOCLDSTOP))};
        (void)sigaction(SIGCHLD, &host, NULL);
    }
    if (linux_signal_ignored(g, signal)) {
        pending_drop(&g->signals->pending, linux_signal_bit(signal));
        for (size_t i = 0; i < g->sched->threads; i++)
            pending_drop(&g->sched->thread[i]->pending, linux_signal_bit(signal));
    }
    linux_signals_update(g);
}

int64_t sys_rt_sigaction(struct guest *g, const uint64_t *a)
{
    struct linux_sigaction *action = &g->signals->action[a[0] <= LINUX_SIGNAL_MAX ? a[0] : 0], old, new;
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
    uint64_t set = 0, old = g->thread->signal_mask;
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

/* Whether the thread executes on its alternate stack. */
static bool on_altstack(const struct guest *g)
{
    const uint64_t *alt = g->thread->altstack;
    return alt[2] != 0 && g->hart.reg[REG_SP] - alt[0] < alt[2];
}

/* sigaltstack(2): flags SS_ONSTACK (only reported), SS_DISABLE and SS_AUTODISARM. */
int64_t sys_sigaltstack(struct guest *g, const uint64_t *a)
{
    enum { STACK_BYTES_MIN = 2048 };
    uint64_t *alt = g->thread->altstack, new[3];
    uint64_t old[3] = {alt[0], alt[2] == 0 ? STACK_DISABLE : alt[1] | (on_altstack(g) ? STACK_ONSTACK : 0), alt[2]};
    if (a[0] != 0) {
        if (linux_get(g, a[0], new, sizeof new) != 0)
            return -EFAULT;
        uint32_t flags = (uint32_t) new[1], mode = flags & ~STACK_AUTODISARM;
        if (on_altstack(g))
            return -EPERM;
        if (mode != 0 && mode != STACK_DISABLE && mode != STACK_ONSTACK)
            return -EINVAL;
        if (mode != STACK_DISABLE && new[2] < STACK_BYTES_MIN)
            return -ENOMEM;
        bool off = mode == STACK_DISABLE;
        alt[0] = off ? 0 : new[0];
        alt[1] = off ? STACK_DISABLE : flags & STACK_AUTODISARM;
        alt[2] = off ? 0 : new[2];
    }
    return a[1] != 0 ? linux_put(g, a[1], old, sizeof old) : 0;
}
