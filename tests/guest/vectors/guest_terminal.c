/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pseudo-terminals: requests, the controlling terminal, signals from the terminal. The expected output is that of the
 * same file compiled for the host: qemu-riscv64 7.2 has not all requests. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static int requests(int master)
{
    struct winsize size = {.ws_row = 30, .ws_col = 90}, got = {0};
    struct termios mode;
    int number = -1, waiting = -1, pair[2];
    SHOW(ioctl(master, TIOCGPTN, &number));
    SHOW(number >= 0);
    SHOW(grantpt(master));
    SHOW(unlockpt(master));
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    SHOW(slave >= 0);
    SHOW(ioctl(slave, TIOCSWINSZ, &size));
    SHOW(ioctl(master, TIOCGWINSZ, &got));
    SHOW(got.ws_row * 1000 + got.ws_col);
    SHOW(tcgetattr(slave, &mode));
    cfmakeraw(&mode);
    SHOW(tcsetattr(slave, TCSADRAIN, &mode));
    SHOW(write(slave, "output", 6));
    SHOW(poll(&(struct pollfd){.fd = master, .events = POLLIN}, 1, -1));
    SHOW(ioctl(master, FIONREAD, &waiting));
    SHOW(waiting);
    SHOW(tcflush(master, TCIOFLUSH));
    SHOW(tcdrain(slave));
    SHOW(tcflow(slave, TCOON));
    SHOW(ioctl(slave, TIOCEXCL, 0));
    SHOW(ioctl(slave, TIOCNXCL, 0));
    SHOW(ioctl(slave, TIOCGPTN, &number));
    SHOW(ioctl(slave, TIOCGPGRP, &number));
    pipe(pair);
    SHOW(ioctl(pair[0], TIOCGPTN, &number));
    return slave;
}

static void on_signal(int signal)
{
    (void)signal;
    write(1, "signal\n", 7);
    _exit(7);
}

/* The program of a terminal: leader of a session, with the terminal as its controlling one. */
static void leader(const char *name, int signal_number)
{
    setsid();
    int tty = open(name, O_RDWR | O_NOCTTY);
    signal(signal_number, on_signal);
    int controls = ioctl(tty, TIOCSCTTY, 0), group = tcgetpgrp(tty) == getpgrp(), session = tcgetsid(tty) == getpid();
    char text[32];
    int n = snprintf(text, sizeof text, "%d %d %d\n", controls, group, session);
    write(tty, text, (size_t)n);
    for (;;)
        pause();
}

/* `signal_number` comes of the character, or of the end of the terminal. */
static void signals(int signal_number, char character)
{
    char line[32] = {0};
    int how, master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    unlockpt(master);
    int pid = fork();
    if (pid == 0) {
        char name[64];
        snprintf(name, sizeof name, "%s", ptsname(master));
        close(master);
        leader(name, signal_number);
    }
    for (size_t n = 0; n < sizeof line - 1 && (n == 0 || line[n - 1] != '\n'); n++)
        if (read(master, line + n, 1) != 1)
            break;
    printf("%s", line);
    if (character != 0)
        write(master, &character, 1);
    else
        close(master);
    waitpid(pid, &how, 0);
    SHOW(WEXITSTATUS(how));
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    int master = posix_openpt(O_RDWR | O_NOCTTY), slave = requests(master);
    close(slave);
    char byte;
    SHOW(read(master, &byte, 1));
    close(master);
    signals(SIGINT, 3);
    signals(SIGQUIT, 034);
    signals(SIGHUP, 0);
    return 0;
}
