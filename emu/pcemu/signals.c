/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/pcemu/signals.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core-model/riscv/memory_guard.h"
#include "isa/support/terminal.h"

enum { PAUSE_US = 100000 };

/* State of the signal handlers. */
static volatile int *stop_flag;
static struct guest *volatile guest_of_run; /* NULL: none */
static volatile pid_t owner;                /* process of the run; elsewhere signals have their default action */
static volatile sig_atomic_t ended_by, status_wanted;
static struct sigaction before[NSIG]; /* actions for faults of pcemu itself */

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP || signal == SIGSYS;
}

/* Whether the signal ends a process by default. SIGKILL cannot be caught. */
static bool is_end(int signal)
{
    static const int others[] = {SIGKILL, SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (signal == others[i])
            return false;
    return true;
}

/* The signal's default action, when the handler returns. */
static void act_by_default(int signal)
{
    static const struct sigaction by_default = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &by_default, NULL);
    (void)raise(signal);
}

/* Stops the core between two cycles, which does not change the results. The core's caller reads the cause and resumes
 * it. */
static void stop_run(int signal)
{
    if (signal == SIGUSR1)
        status_wanted = 1;
    else if (ended_by == 0)
        ended_by = signal;
    *stop_flag = HART_STOP;
}

static void pause_run(void)
{
    if (*stop_flag == 0)
        *stop_flag = HART_PAUSE;
}

/* What this process sends itself needs no action: a write to a closed pipe and one beyond the limit of file sizes fail
 * too, and abort ends the process whatever the handler does. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
    const bool is_sent = info->si_code <= 0, is_owner = getpid() == owner;
    const struct guest *guest = guest_of_run;
    (void)context;
    if (is_sent && info->si_pid == getpid())
        return;
    if (is_fault(signal) && !is_sent) {
        (void)sigaction(signal, &before[signal], NULL); /* the instruction is repeated */
    } else if (signal == SIGVTALRM && !is_sent) {
        pause_run();
    } else if (guest != NULL && guest_keep_signal(guest, info, is_owner)) {
        if (is_owner)
            pause_run();
    } else if (is_owner) {
        stop_run(signal);
    } else {
        act_by_default(signal);
    }
}

/* An ignored signal stays ignored: shells protect background jobs in this way. */
static void catch_end(int signal, const struct sigaction *act)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) != 0 || old.sa_handler == SIG_IGN)
        return;
    if (old.sa_sigaction != act->sa_sigaction)
        before[signal] = old;
    sigaction(signal, act, NULL);
}

/* Handlers have a stack of their own: under valgrind, a handler on the program's stack ends a program whose function
 * has just taken a large part of it. Sanitizers have set one already. */
static void set_stack(void)
{
    static char stack[1 << 16];
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE) != 0)
        (void)sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
}

/* At the debugger's prompt the flag is not read, so most signals keep their default action. The timer counts processor
 * time, so it does not interrupt a blocked guest. SIGBUS is memory_guard's, which passes on what other processes send.
 */
void signals_catch(volatile int *stop, struct guest *guest, bool debugger)
{
    struct sigaction act = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
    stop_flag = stop;
    guest_of_run = guest;
    owner = getpid();
    set_stack();
    sigaction(SIGUSR1, &act, NULL);
    if (debugger) {
        signal(SIGPIPE, SIG_IGN); /* the guest's SIGPIPE is generated from EPIPE */
        catch_end(SIGINT, &act);
        return;
    }
    for (int signal = 1; signal < NSIG; signal++)
        if (is_end(signal) && signal != SIGUSR1 && signal != SIGVTALRM && signal != SIGBUS)
            catch_end(signal, &act);
    memory_guard_on_sent(on_signal);
    const struct itimerval every = {.it_interval = {.tv_usec = PAUSE_US}, .it_value = {.tv_usec = PAUSE_US}};
    sigaction(SIGVTALRM, &act, NULL);
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}

void signals_forget_guest(void) { guest_of_run = NULL; }

void signals_release(void)
{
    const struct itimerval never = {0};
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    owner = 0;
    if (ended_by == 0)
        *stop_flag = 0;
}

int signals_ended_by(void) { return ended_by; }

const char *signals_name(int signal, char name[SIGNALS_NAME])
{
    const char *abbreviation = sigabbrev_np(signal);
    if (abbreviation != NULL)
        snprintf(name, SIGNALS_NAME, "SIG%s", abbreviation);
    else
        snprintf(name, SIGNALS_NAME, "signal %d", signal);
    return name;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void status_line_begin(struct status_line *l) { l->phase_start = seconds_now(); }

void status_line_show(struct status_line *l, const struct progress *progress, bool in_line)
{
    struct progress p = *progress;
    bool terminal = isatty(STDERR_FILENO) != 0;
    if ((!terminal || in_line) && !status_wanted)
        return;
    p.seconds = seconds_now() - l->phase_start;
    if (terminal)
        fputs(in_line ? "\n" : "\r\033[K", stderr);
    progress_print(stderr, &p, terminal_width(STDERR_FILENO));
    if (status_wanted)
        fputc('\n', stderr);
    l->shown = terminal && !in_line;
    status_wanted = 0;
}

void status_line_end(struct status_line *l)
{
    if (l->shown)
        fputs("\r\033[K", stderr);
    l->shown = false;
}
