/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/signals.h"

#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/outfile.h"
#include "base/terminal.h"

enum { PAUSE_US = 100000, LEFT_MAX = 256 };

/* Effect of a signal that ends a process. While an output blocks, the signal ends pcemu in each phase. */
enum pcemu_signals_phase {
    STARTING,   /* it ends pcemu */
    RUNNING,    /* it stops the run, which ends with a report */
    CONCLUDING, /* it is reported when the outputs are complete */
    OVER,       /* it ends pcemu, unless one of an earlier phase decides the status */
};

/* State of the signal handler. */
static volatile enum pcemu_signals_phase phase;
static volatile int *stop_flag;
static struct guest *volatile guest_of_run; /* NULL: none, or no more */
static pid_t left[LEFT_MAX];                /* then: the other processes of the guest */
static volatile size_t left_count;
static volatile pid_t owner; /* process of the run; elsewhere signals have their default action */
static volatile bool has_debugger;
static ending_set ignored; /* from outside: those caught for the run that were ignored at the start */
static volatile sig_atomic_t ended_by, status_wanted;

static void pause_run(void)
{
    if (*stop_flag == 0)
        *stop_flag = HART_PAUSE;
}

/* Stops the core between two cycles, which does not change the results. The core's caller reads the cause and resumes
 * it. False: the signal is to end pcemu. At the debugger's prompt the flag is not read. An output that has waited long
 * for its reader may wait for ever. */
static bool stop_run(int signal)
{
    if (has_debugger && signal != SIGINT)
        return false;
    if (outfile_is_stuck())
        return false;
    if (ended_by == 0)
        ended_by = signal;
    ending_ignore_stops(); /* the report follows */
    *stop_flag = HART_STOP;
    return true;
}

static bool show_status(void)
{
    status_wanted = 1;
    if (phase == RUNNING)
        *stop_flag = HART_STOP;
    return true;
}

/* Whether a process that the guest has left has sent the signal. */
static bool is_of_guest(const siginfo_t *info)
{
    for (size_t i = 0; info->si_code <= 0 && i < left_count; i++)
        if (left[i] == info->si_pid)
            return true;
    return false;
}

/* Two signals that this process gets of its own writes need no action: a write to a closed pipe and one beyond the
 * limit of file sizes fail too. readline sends a signal that comes at the prompt again. */
static bool on_signal(int signal, const siginfo_t *info)
{
    const bool is_sent = info->si_code <= 0, is_owner = getpid() == owner;
    const struct guest *guest = guest_of_run;
    const bool is_dropped = is_owner && (ignored >> (signal - 1) & 1) != 0;
    if (phase == STARTING)
        return signal == SIGUSR1; /* there is no progress to show */
    if (is_sent && info->si_pid == getpid())
        return signal == SIGPIPE || signal == SIGXFSZ;
    if (signal == SIGVTALRM && !is_sent) {
        if (phase != OVER)
            pause_run();
        return true;
    }
    if (phase == OVER && is_owner) /* no output is left that could be stuck; processes of the guest do not end pcemu */
        return signal == SIGUSR1 || is_dropped || ended_by != 0 ||
               (guest != NULL ? guest_keep_signal(guest, info, true) : is_of_guest(info));
    if (guest != NULL && guest_keep_signal(guest, info, is_owner)) {
        if (is_owner)
            pause_run();
        return true;
    }
    return is_dropped || (is_owner && (signal == SIGUSR1 ? show_status() : stop_run(signal)));
}

void signals_begin(void) { ending_divert(on_signal); }

static void catch_ignored(int signal)
{
    if (ending_is_ignored(signal))
        ignored |= UINT64_C(1) << (signal - 1);
    ending_catch(signal);
}

/* The timer counts processor time, so it does not interrupt a blocked guest. */
void signals_catch(volatile int *stop, struct guest *guest, bool debugger)
{
    const struct itimerval every = {.it_interval = {.tv_usec = PAUSE_US}, .it_value = {.tv_usec = PAUSE_US}};
    stop_flag = stop;
    guest_of_run = guest;
    owner = getpid();
    has_debugger = debugger;
    phase = RUNNING;
    ending_catch(SIGUSR1);
    catch_ignored(SIGPIPE);   /* from a process of the guest it is not ignored */
    catch_ignored(SIGVTALRM); /* nor is the timer's */
    if (!debugger)
        setitimer(ITIMER_VIRTUAL, &every, NULL);
}

void signals_conclude(void) { phase = CONCLUDING; }

void signals_finish(void) { phase = OVER; }

void signals_forget_guest(void)
{
    const struct guest *guest = guest_of_run;
    left_count = guest != NULL ? guest_other_processes(guest, left, LEFT_MAX) : 0;
    guest_of_run = NULL;
}

void signals_release(void)
{
    const struct itimerval never = {0};
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    owner = 0;
    if (ended_by == 0)
        *stop_flag = 0;
}

int signals_ended_by(void) { return ended_by; }

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
