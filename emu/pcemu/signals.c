/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/pcemu/signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core-model/riscv/hart.h"
#include "isa/support/terminal.h"

enum { PAUSE_US = 100000 };

/* State of the signal handlers. */
static volatile int *stop_flag;
static volatile sig_atomic_t ended_by, status_wanted;

/* Stops the core between two cycles, which does not change the results. The core's caller reads the cause and resumes
 * it. */
static void on_signal(int signal)
{
    if (signal == SIGUSR1)
        status_wanted = 1;
    else if (signal != SIGVTALRM && ended_by == 0)
        ended_by = signal;
    if (signal != SIGVTALRM)
        *stop_flag = HART_STOP;
    else if (*stop_flag == 0)
        *stop_flag = HART_PAUSE;
}

/* An ignored signal stays ignored: shells protect background jobs in this way. */
static void catch_end(int signal, const struct sigaction *act)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal, act, NULL);
}

/* At the debugger's prompt the flag is not read, so SIGTERM and SIGHUP keep their default action. The timer counts
 * processor time, so it does not interrupt a blocked guest. */
void signals_catch(volatile int *stop, bool debugger)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    stop_flag = stop;
    signal(SIGPIPE, SIG_IGN); /* the guest's SIGPIPE is generated from EPIPE */
    sigaction(SIGUSR1, &act, NULL);
    catch_end(SIGINT, &act);
    if (debugger)
        return;
    catch_end(SIGTERM, &act);
    catch_end(SIGHUP, &act);
    const struct itimerval every = {.it_interval = {.tv_usec = PAUSE_US}, .it_value = {.tv_usec = PAUSE_US}};
    sigaction(SIGVTALRM, &act, NULL);
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}

void signals_end_pauses(void)
{
    const struct itimerval never = {0};
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    signal(SIGUSR1, SIG_IGN);
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

void status_line_show(struct status_line *l, const struct progress *progress)
{
    struct progress p = *progress;
    bool terminal = isatty(STDERR_FILENO) != 0;
    if (!terminal && !status_wanted)
        return;
    p.seconds = seconds_now() - l->phase_start;
    if (terminal)
        fputs("\r\033[K", stderr);
    progress_print(stderr, &p, terminal_width(STDERR_FILENO));
    if (status_wanted)
        fputc('\n', stderr);
    l->shown = terminal;
    status_wanted = 0;
}

void status_line_end(struct status_line *l)
{
    if (l->shown)
        fputs("\r\033[K", stderr);
    l->shown = false;
}
