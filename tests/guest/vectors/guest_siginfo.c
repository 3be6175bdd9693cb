/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of signal handlers, and the alternate stack, as run_riscv.sh compares them on two machines. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf back;
static siginfo_t seen;
static char *page;
static size_t page_bytes;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    seen = *info;
    siglongjmp(back, 1);
}

static void show(const char *what)
{
    printf("%s: signal %d code %d at %ld\n", what, seen.si_signo, seen.si_code, (long)((char *)seen.si_addr - page));
}

/* Each access in two pages that are mapped, inaccessible or absent. */
static void faults(void)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    volatile uint64_t sink = 0;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    page = mmap(NULL, 3 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + page_bytes, page_bytes, PROT_NONE);
    munmap(page + 2 * page_bytes, page_bytes);
    if (sigsetjmp(back, 1) == 0)
        sink = *(volatile uint8_t *)(page + page_bytes + 5);
    show("protected");
    if (sigsetjmp(back, 1) == 0)
        *(volatile uint8_t *)(page + 2 * page_bytes + 7) = 1;
    show("absent");
    if (sigsetjmp(back, 1) == 0) /* the first half of the access is allowed */
        sink = *(volatile uint64_t *)(page + page_bytes - 4);
    show("across pages");
    mprotect(page, page_bytes, PROT_READ);
    if (sigsetjmp(back, 1) == 0)
        *(volatile uint8_t *)(page + 9) = 1;
    show("read-only");
    if (sigsetjmp(back, 1) == 0)
        ((void (*)(void))(uintptr_t)page)();
    show("not executable");
    (void)sink;
}

static int values[8], count;

static void on_value(int signal, siginfo_t *info, void *context)
{
    (void)context;
    values[count++ & 7] = signal - SIGRTMIN + 10 * info->si_value.sival_int + (info->si_code == SI_QUEUE ? 1000 : 0) +
                          (info->si_pid == getpid() ? 2000 : 0);
}

/* Real-time signals are queued, each with its value; a lower number is delivered first. */
static void queued(void)
{
    struct sigaction action = {.sa_sigaction = on_value, .sa_flags = SA_SIGINFO};
    sigset_t set, old;
    sigemptyset(&set);
    for (int i = 0; i < 2; i++) {
        sigaction(SIGRTMIN + i, &action, NULL);
        sigaddset(&set, SIGRTMIN + i);
    }
    sigprocmask(SIG_BLOCK, &set, &old);
    sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = 1});
    for (int i = 2; i < 5; i++)
        sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = i});
    sigpending(&set);
    printf("%d %d %d;", sigismember(&set, SIGRTMIN), sigismember(&set, SIGRTMIN + 1), sigismember(&set, SIGUSR1));
    sigemptyset(&set);
    struct timespec none = {0, 0};
    siginfo_t info;
    sigaddset(&set, SIGRTMIN);
    printf(" %d", sigtimedwait(&set, &info, &none) - SIGRTMIN);
    printf(" %d", info.si_value.sival_int);
    sigprocmask(SIG_SETMASK, &old, NULL);
    for (int i = 0; i < count; i++)
        printf(" %d", values[i] % 1000);
    printf(" %d", count > 0 && values[0] > 3000);
    sigaddset(&set, SIGUSR2);
    printf(" %d", sigtimedwait(&set, &info, &none));
    printf(" %d\n", errno == EAGAIN);
}

static char alternate[65536];
static int inside;

static void on_stack(int signal)
{
    stack_t now, other = {.ss_sp = alternate, .ss_size = sizeof alternate};
    char here;
    (void)signal;
    sigaltstack(NULL, &now);
    inside = &here >= alternate && &here < alternate + sizeof alternate;
    printf(" inside %d flags %d", inside, (int)now.ss_flags);
    printf(" change %d", sigaltstack(&other, NULL));
    printf(" %d;", errno == EPERM);
}

static void stacks(void)
{
    struct sigaction action = {.sa_handler = on_stack, .sa_flags = SA_ONSTACK};
    stack_t s = {.ss_sp = alternate, .ss_size = sizeof alternate}, old;
    sigaction(SIGUSR1, &action, NULL);
    sigaltstack(NULL, &old);
    printf("%d", (int)old.ss_flags);
    printf(" %d", sigaltstack(&s, &old));
    raise(SIGUSR1);
    sigaltstack(NULL, &old);
    printf(" %d %d", (int)old.ss_flags, old.ss_sp == alternate && old.ss_size == sizeof alternate);
    s.ss_size = 100;
    printf(" %d", sigaltstack(&s, NULL));
    printf(" %d", errno == ENOMEM);
    s.ss_size = sizeof alternate;
    s.ss_flags = 64;
    printf(" %d", sigaltstack(&s, NULL));
    printf(" %d", errno == EINVAL);
    s.ss_flags = SS_DISABLE;
    printf(" %d", sigaltstack(&s, NULL));
    sigaltstack(NULL, &old);
    printf(" %d\n", (int)old.ss_flags);
    raise(SIGUSR1);
    putchar('\n');
}

static void fail_again(int signal) { *(volatile int *)(intptr_t)signal = 0; }

/* A handler that fails on the alternate stack, each time anew: where that has no room for a frame the process ends. */
static void overflow(void)
{
    struct sigaction action = {.sa_handler = fail_again, .sa_flags = SA_ONSTACK | SA_NODEFER};
    stack_t s = {.ss_sp = alternate + 8192, .ss_size = 16384};
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        sigaltstack(&s, NULL);
        sigaction(SIGSEGV, &action, NULL);
        fail_again(0);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    printf("overflow %d %d\n", WIFSIGNALED(status), WTERMSIG(status) == SIGSEGV);
}

/* The signals of children: exit, a signal, stop. */
static void children(void)
{
    siginfo_t info;
    for (int i = 0; i < 2; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            if (i == 1)
                kill(getpid(), SIGKILL);
            _exit(12);
        }
        memset(&info, 0, sizeof info);
        waitid(P_PID, (id_t)pid, &info, WEXITED);
        printf("%d %d %d %d;", info.si_signo == SIGCHLD, info.si_code, info.si_status, info.si_pid == pid);
    }
    putchar('\n');
}

static int returned;

static void set_result(int signal, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    (void)signal, (void)info;
    u->uc_mcontext.__gregs[REG_A0] = (unsigned long)(long)returned;
}

/* A handler's value in the register of a call's result is not a result of sigreturn. */
static void results(void)
{
    struct sigaction action = {.sa_sigaction = set_result, .sa_flags = SA_SIGINFO};
    int wrong = 0;
    const long own = getpid();
    sigaction(SIGUSR2, &action, NULL);
    for (returned = -1000; returned < 0; returned++) {
        register long number __asm__("a7") = 129, pid __asm__("a0"), signal __asm__("a1") = SIGUSR2;
        pid = own;
        __asm__ volatile("ecall" : "+r"(pid) : "r"(number), "r"(signal) : "memory");
        wrong += pid != returned;
    }
    printf("%d wrong\n", wrong);
}

static void on_timer(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    seen = *info;
}

static void timers(void)
{
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO};
    struct itimerval soon = {.it_value.tv_usec = 1000};
    sigset_t alarm, before;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_BLOCK, &alarm, &before); /* else it may come before the wait */
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    sigsuspend(&before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    printf("%d", seen.si_code == SI_KERNEL);
}

/* The child's clocks of processor time begin at its fork. */
static void child_clocks(void)
{
    struct timespec of_thread, of_process;
    pid_t pid = fork();
    if (pid == 0) {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &of_thread);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &of_process);
        long ns = (of_process.tv_sec - of_thread.tv_sec) * 1000000000 + of_process.tv_nsec - of_thread.tv_nsec;
        printf(" %d\n", ns >= 0);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

int main(void)
{
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    setvbuf(stdout, NULL, _IONBF, 0);
    faults();
    queued();
    stacks();
    overflow();
    children();
    results();
    timers();
    child_clocks();
    return 0;
}
