/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes in between while a run goes on: the wish to end it (SIGINT, SIGTERM, SIGHUP), the question how far it is
 * (SIGUSR1), and the timer of a terminal that is watched, which gets a line of progress. */
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "emu/pcemu/session.h"

/* The only mutable state outside main's reach: the signal handlers'. */
static volatile int *stop_flag;
static volatile sig_atomic_t ended_by, status_wanted;

/* A core stops between two cycles, which changes nothing in what it computes; who runs it sees why, and goes on. */
static void on_signal(int signal)
{
    if (signal == SIGUSR1)
        status_wanted = 1;
    else if (signal != SIGVTALRM && ended_by == 0)
        ended_by = signal;
    *stop_flag = 1;
}

/* A shell's background job is not ended by what the shell ignores for it. */
static void catch_end(int signal, const struct sigaction *act)
{
    struct sigaction old;
    if (sigaction(signal, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signal, act, NULL);
}

/* A debugger at its prompt looks at no flag: only Ctrl-C, which it has for itself, does not end it at once. The timer
 * counts the time we compute, so that it never ends a guest's waiting. */
void session_catch_signals(const struct session *session, volatile int *stop)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    stop_flag = stop;
    signal(SIGPIPE, SIG_IGN); /* a guest gets its own, from EPIPE */
    sigaction(SIGUSR1, &act, NULL);
    catch_end(SIGINT, &act);
    if (session->debugger == NULL) {
        catch_end(SIGTERM, &act);
        catch_end(SIGHUP, &act);
    }
    if (isatty(STDERR_FILENO) && session->debugger == NULL) {
        struct itimerval every = {.it_interval = {.tv_usec = 500000}, .it_value = {.tv_usec = 500000}};
        sigaction(SIGVTALRM, &act, NULL);
        setitimer(ITIMER_VIRTUAL, &every, NULL);
    }
}

bool session_interrupted(void) { return ended_by != 0; }

void session_note_interrupt(struct session *session)
{
    if (ended_by == SIGINT)
        fputs("pcemu: interrupted\n", stderr);
    else
        fprintf(stderr, "pcemu: ended by SIG%s\n", sigabbrev_np(ended_by));
    session->partial = true;
    session->exit_status = 128 + ended_by;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void session_begin_progress(struct session *session) { session->phase_start = seconds_now(); }

void session_show_progress(struct session *session, const struct progress *progress)
{
    struct progress p = *progress;
    bool terminal = isatty(STDERR_FILENO) != 0;
    p.seconds = seconds_now() - session->phase_start;
    fputs(terminal ? "\r\033[Kpcemu: " : "pcemu: ", stderr);
    progress_print(stderr, &p);
    if (!terminal || status_wanted)
        fputc('\n', stderr);
    session->progress_shown = terminal;
    status_wanted = 0;
}

void session_end_progress(struct session *session)
{
    if (session->progress_shown)
        fputs("\r\033[K", stderr);
    session->progress_shown = false;
}
