/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execve and posix_spawn of itself. qemu-riscv64 leaves execve to its host: guest_exec.out says what is right. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_signal(int signal) { (void)signal; }

static int second_life(char **argv)
{
    struct sigaction handled, ignored;
    sigaction(SIGUSR1, NULL, &handled);
    sigaction(SIGUSR2, NULL, &ignored);
    printf("%s %s: handlers %d %d, descriptors %d %d\n", argv[1], getenv("LIFE"), handled.sa_handler == SIG_DFL,
           ignored.sa_handler == SIG_IGN, fcntl(10, F_GETFD) == 0, fcntl(11, F_GETFD) == -1);
    return 42;
}

static void print_end(const char *what)
{
    int status;
    wait(&status);
    printf("%s %d\n", what, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

int main(int argc, char **argv)
{
    static char *const environment[] = {"LIFE=second", NULL};
    char *again[] = {"again", "by execve", NULL}, *spawned[] = {"again", "by posix_spawn", NULL};
    char self[4096];
    pid_t pid;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (strcmp(argv[0], "again") == 0 && argc == 2)
        return second_life(argv);
    signal(SIGUSR1, on_signal);
    signal(SIGUSR2, SIG_IGN);
    dup2(1, 10);
    dup3(1, 11, O_CLOEXEC);
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    if (fork() == 0) {
        execve("/proc/self/exe", again, environment);
        _exit(1);
    }
    print_end("execve");
    if (posix_spawn(&pid, self, NULL, NULL, spawned, environment) == 0)
        print_end("posix_spawn");
    printf("%s\n", strerror(posix_spawn(&pid, "/nonexistent/program", NULL, NULL, spawned, environment)));
    execve("/dev/null", again, environment);
    printf("%s\n", strerror(errno));
    execve("/", again, environment);
    printf("%s\n", strerror(errno));
    execve("/bin/true", again, environment); /* the sysroot has none, and the host's is not the guest's */
    printf("%s\n", strerror(errno));
    execve(self, again, environment);
    return 1;
}
