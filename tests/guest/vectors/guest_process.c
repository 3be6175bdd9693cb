/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes: what run_riscv.sh compares on two machines. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t children, status_seen;

static void on_child(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    children++;
    status_seen = info->si_status;
}

static void exit_codes(void)
{
    for (int code = 0; code < 300; code += 85) {
        int status;
        pid_t pid = fork();
        if (pid == 0)
            _exit(code);
        pid_t waited = waitpid(pid, &status, 0);
        printf("%d %d %d\n", waited == pid, WIFEXITED(status), WEXITSTATUS(status));
    }
    printf("%d %d\n", (int)wait(NULL), errno == ECHILD);
}

static void deaths(void)
{
    static const int signals[] = {SIGTERM, SIGKILL, SIGABRT, SIGSEGV, SIGPIPE};
    for (unsigned i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        int status;
        pid_t pid = fork();
        if (pid == 0 && i % 2 == 0)
            raise(signals[i]);
        while (pid == 0)
            pause();
        if (i % 2 != 0 && kill(pid, SIGKILL) != 0)
            puts("kill failed");
        waitpid(pid, &status, 0);
        printf("%d %d\n", WIFSIGNALED(status), WTERMSIG(status));
    }
}

/* The two ends write and read until the writer closes. */
static void pipes(void)
{
    int to[2], from[2];
    char text[64];
    ssize_t n;
    long sum = 0;
    if (pipe(to) != 0 || pipe(from) != 0)
        return;
    if (fork() == 0) {
        close(to[1]), close(from[0]);
        while ((n = read(to[0], text, sizeof text)) > 0)
            for (ssize_t i = 0; i < n; i++)
                sum += text[i];
        dprintf(from[1], "sum %ld", sum);
        _exit(0);
    }
    close(to[0]), close(from[1]);
    for (int i = 0; i < 500; i++)
        if (write(to[1], "some text", 9) != 9)
            puts("short write");
    close(to[1]);
    n = read(from[0], text, sizeof text);
    printf("%.*s\n", (int)n, text);
    wait(NULL);
}

static void child_signals(void)
{
    struct sigaction action = {.sa_sigaction = on_child, .sa_flags = SA_SIGINFO};
    sigset_t block, old;
    sigaction(SIGCHLD, &action, NULL);
    sigemptyset(&block);
    sigaddset(&block, SIGCHLD);
    sigprocmask(SIG_BLOCK, &block, &old);
    if (fork() == 0)
        _exit(9);
    while (children == 0)
        sigsuspend(&old);
    printf("%d %d\n", (int)children, (int)status_seen);
    siginfo_t info = {0};
    waitid(P_ALL, 0, &info, WEXITED);
    printf("%d %d\n", info.si_status, info.si_code == CLD_EXITED);
    sigprocmask(SIG_SETMASK, &old, NULL);
    signal(SIGCHLD, SIG_DFL);
}

static void shared_memory(void)
{
    char name[] = "/tmp/guest_process.XXXXXX";
    int fd = mkstemp(name);
    int *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unlink(name);
    int gate[2];
    if (ftruncate(fd, 8192) != 0 || pipe(gate) != 0)
        return;
    char *file = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fork() == 0) {
        char byte; /* waiting keeps a core's wrong path, in the parent, from the stores below */
        if (read(gate[0], &byte, 1) != 1)
            _exit(1);
        both[1] = 42, own[1] = 43;
        strcpy(file + 5000, "from the child");
        _exit(0);
    }
    if (write(gate[1], "x", 1) != 1)
        return;
    wait(NULL);
    char text[16] = "";
    printf("%d %d %s %d\n", both[1], own[1], file + 5000, (int)pread(fd, text, 15, 5000));
    puts(text);
    munmap(file, 8192);
}

static void on_alarm(int signal) { (void)signal; }

static void interruptions(void)
{
    int ends[2];
    char byte;
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    if (pipe(ends) != 0)
        return;
    alarm(1);
    ssize_t n = read(ends[0], &byte, 1);
    printf("%d %d\n", (int)n, errno == EINTR);
    struct pollfd wait_for = {.fd = ends[0], .events = POLLIN};
    printf("%d\n", poll(&wait_for, 1, 20));
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    pid_t parent = getpid();
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        usleep(50000);
        _exit(write(ends[1], "x", 1) != 1);
    }
    n = read(ends[0], &byte, 1);
    printf("%d %c\n", (int)n, byte);
    wait(NULL);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    exit_codes();
    deaths();
    pipes();
    child_signals();
    shared_memory();
    interruptions();
    pid_t pid = vfork();
    if (pid == 0)
        _exit(3);
    int status;
    waitpid(pid, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    return 17;
}
