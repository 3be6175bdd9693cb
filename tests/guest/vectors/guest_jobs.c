/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Job control: what background processes may do with their terminal, by the signals' actions; stopped processes. The
 * expected output is that of the same file compiled for the host. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int out, tty;
static volatile sig_atomic_t got;

static void record(int signal) { got = signal; }

/* Whole lines, in a pipe that all processes share. */
static void say(const char *format, ...)
{
    char line[256];
    va_list list;
    va_start(list, format);
    int n = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    (void)!write(out, line, (size_t)n);
}

static const char *result(long r) { return r < 0 ? strerrorname_np(errno) : "done"; }

/* ---- what background processes do ---- */

static char byte;
static struct termios mode;
static struct winsize size = {.ws_row = 30, .ws_col = 90};

static long read_byte(void) { return read(tty, &byte, 1); }
static long write_byte(void) { return write(tty, "w", 1); }
static long set_group(void) { return tcsetpgrp(tty, getpgrp()); }
static long set_mode(void) { return tcsetattr(tty, TCSANOW, &mode); }
static long set_mode_later(void) { return tcsetattr(tty, TCSADRAIN, &mode); }
static long flush(void) { return tcflush(tty, TCIFLUSH); }
static long flow(void) { return tcflow(tty, TCOON); }
static long get_mode(void) { return tcgetattr(tty, &mode); }
static long set_size(void) { return ioctl(tty, TIOCSWINSZ, &size); }

static const struct use {
    const char *name;
    long (*perform)(void);
} uses[] = {
    {"read", read_byte},
    {"write", write_byte},
    {"tcsetpgrp", set_group},
    {"tcsetattr", set_mode},
    {"tcsetattr-drain", set_mode_later},
    {"tcflush", flush},
    {"tcflow", flow},
    {"tcgetattr", get_mode},
    {"window", set_size},
};
static const struct use restricted = {"write-tostop", write_byte};

enum action { BY_DEFAULT, HANDLED, IGNORED, BLOCKED, ACTIONS };
static const char *const action_names[] = {"default", "handled", "ignored", "blocked"};

static void set_action(enum action action)
{
    const int signals[] = {SIGTTIN, SIGTTOU};
    struct sigaction a = {.sa_handler = action == HANDLED ? record : action == IGNORED ? SIG_IGN : SIG_DFL};
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < 2; i++) {
        sigaction(signals[i], &a, NULL);
        sigaddset(&set, signals[i]);
    }
    sigprocmask(action == BLOCKED ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

/* A process in a group of its own, in the background. */
static void use_in_background(const struct use *use, enum action action)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        set_action(action);
        got = 0;
        const char *r = result(use->perform());
        say("%s, %s: %s, signal %d\n", use->name, action_names[action], r, (int)got);
        _exit(0);
    }
    setpgid(pid, pid);
    waitpid(pid, &status, WUNTRACED);
    if (WIFSTOPPED(status)) {
        say("%s, %s: stopped by %d\n", use->name, action_names[action], WSTOPSIG(status));
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
    }
    set_action(IGNORED);
    tcsetpgrp(tty, getpgrp());
    set_action(BY_DEFAULT);
}

/* Every process of the group gets the signal. */
static void tell_group(void)
{
    int ready[2], status;
    pid_t first = fork();
    if (first == 0) {
        setpgid(0, 0);
        set_action(HANDLED);
        if (pipe(ready) != 0)
            _exit(1);
        pid_t second = fork();
        if (second == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            sigset_t set;
            int signal = 0;
            set_action(BLOCKED);
            (void)!write(ready[1], "", 1);
            sigemptyset(&set);
            sigaddset(&set, SIGTTIN);
            sigwait(&set, &signal);
            _exit(signal);
        }
        (void)!read(ready[0], &byte, 1);
        say("read: %s\n", result(read_byte()));
        waitpid(second, &status, 0);
        say("another member of the group: signal %d\n", WEXITSTATUS(status));
        _exit(0);
    }
    setpgid(first, first);
    waitpid(first, &status, 0);
}

/* A group whose leader has ended, so nothing would continue it. */
static void use_as_orphan(enum action action)
{
    int status, over[2], gone[2];
    if (pipe(over) != 0 || pipe(gone) != 0)
        return;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        const pid_t parent = getpid();
        if (fork() == 0) {
            close(over[0]);
            close(gone[1]);
            set_action(action);
            (void)!read(gone[0], &byte, 1);
            while (getppid() == parent)
                continue;
            const char *r = result(read_byte());
            say("orphan, %s: read %s", action_names[action], r);
            r = result(tcflush(tty, TCIFLUSH));
            say(", tcflush %s", r);
            r = result(set_group());
            say(", tcsetpgrp %s\n", r);
            _exit(0);
        }
        _exit(0);
    }
    close(over[1]);
    waitpid(pid, &status, 0);
    close(gone[1]);
    (void)!read(over[0], &byte, 1);
    close(over[0]);
    close(gone[0]);
    set_action(IGNORED);
    tcsetpgrp(tty, getpgrp());
    set_action(BY_DEFAULT);
}

/* A job that stops as it reads goes on when it is in the foreground. */
static void continue_reader(int master)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        setpgid(0, 0);
        const char *r = result(read_byte());
        say("read: %s, %c\n", r, byte);
        _exit(0);
    }
    setpgid(pid, pid);
    waitpid(pid, &status, WUNTRACED);
    say("stopped %d\n", WIFSTOPPED(status) && WSTOPSIG(status) == SIGTTIN);
    tcsetpgrp(tty, pid);
    kill(-pid, SIGCONT);
    (void)!write(master, "x\n", 2);
    waitpid(pid, &status, 0);
    say("ended %d\n", WIFEXITED(status));
    set_action(IGNORED);
    say("tcsetpgrp to no group: %s\n", result(tcsetpgrp(tty, pid)));
    say("tcsetpgrp to -1: %s\n", result(tcsetpgrp(tty, -1)));
    tcsetpgrp(tty, getpgrp());
    set_action(BY_DEFAULT);
}

static void lead_session(int master, const char *name)
{
    setsid();
    tty = open(name, O_RDWR);
    tcgetattr(tty, &mode);
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        for (int action = 0; action < ACTIONS; action++)
            use_in_background(&uses[i], (enum action)action);
    mode.c_lflag |= TOSTOP;
    tcsetattr(tty, TCSANOW, &mode);
    for (int action = 0; action < ACTIONS; action++)
        use_in_background(&restricted, (enum action)action);
    mode.c_lflag &= ~(tcflag_t)TOSTOP;
    tcsetattr(tty, TCSANOW, &mode);
    tell_group();
    use_as_orphan(BY_DEFAULT);
    use_as_orphan(HANDLED);
    continue_reader(master);
}

/* ---- the first process ---- */

static int is_stopped(pid_t pid)
{
    char path[32], text[256];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *end = strrchr(text, ')');
    return end != NULL && end[2] == 'T';
}

/* A child continues this process when it has stopped. */
static void stop(void)
{
    int over[2], status;
    if (pipe(over) != 0)
        return;
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        struct pollfd f = {.fd = over[0], .events = POLLIN};
        while (!is_stopped(parent))
            if (poll(&f, 1, 0) > 0)
                _exit(1);
        kill(parent, SIGCONT);
        _exit(0);
    }
    signal(SIGCONT, record);
    raise(SIGSTOP);
    (void)!write(over[1], "", 1);
    waitpid(pid, &status, 0);
    say("stopped and continued: %s, signal %d\n", WEXITSTATUS(status) == 0 ? "yes" : "no", (int)got);
}

int main(void)
{
    int ends[2], master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    char text[512];
    if (pipe(ends) != 0 || unlockpt(master) != 0)
        return 1;
    out = ends[1];
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        signal(SIGHUP, SIG_IGN);
        lead_session(master, ptsname(master));
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n; (n = read(ends[0], text, sizeof text)) > 0;)
        fwrite(text, 1, (size_t)n, stdout);
    waitpid(pid, NULL, 0);
    fflush(stdout);
    out = STDOUT_FILENO;
    stop();
    return 0;
}
