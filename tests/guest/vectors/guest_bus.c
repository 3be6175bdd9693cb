/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages behind the end of a mapped file, and pages that have been given back. The expected results are those of the
 * kernel: qemu-riscv64 ends in a fault of its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf back;
static siginfo_t seen;
static volatile sig_atomic_t count;
static char *page;
static long page_bytes;
static int file;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)context;
    seen = *info;
    siglongjmp(back, 1);
}

static void note(int signal) { count += signal; }

static void show(const char *what)
{
    printf("%s: signal %d code %d at %ld\n", what, seen.si_signo, seen.si_code, (long)((char *)seen.si_addr - page));
    memset(&seen, 0, sizeof seen);
}
#define TRY(what, access)              \
    do {                               \
        if (sigsetjmp(back, 1) == 0) { \
            access;                    \
            puts(what ": done");       \
        } else {                       \
            show(what);                \
        }                              \
    } while (0)

static void handle(int signal)
{
    const struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(signal, &action, NULL);
}

/* Four pages of a new file of `size_bytes` bytes. */
static void map(long size_bytes, int prot, int flags)
{
    char path[] = "/tmp/bus_XXXXXX";
    if (page != NULL)
        munmap(page, 4 * page_bytes);
    if (file > 0)
        close(file);
    file = mkstemp(path);
    unlink(path);
    ftruncate(file, size_bytes);
    page = mmap(NULL, 4 * page_bytes, prot, flags, file, 0);
}

#define BYTE(at) (*(volatile uint8_t *)(page + (at)))
#define WORD(at) (*(volatile uint64_t *)(page + (at)))

static void accesses(const char *kind, int flags)
{
    volatile uint64_t sink = 0;
    puts(kind);
    map(1, PROT_READ | PROT_WRITE, flags);
    TRY("in the last page", BYTE(page_bytes - 1) = 1);
    TRY("load", sink = BYTE(page_bytes + 9));
    TRY("store", BYTE(2 * page_bytes + 3) = 1);
    TRY("word", WORD(3 * page_bytes + 8) = sink);
    TRY("atomic", __atomic_fetch_add((uint64_t *)(page + page_bytes), 1, __ATOMIC_SEQ_CST));
    ftruncate(file, 3 * page_bytes);
    TRY("grown", BYTE(2 * page_bytes + 3) = 7);
    TRY("behind it", BYTE(3 * page_bytes) = 7);
    ftruncate(file, page_bytes);
    TRY("cut", sink = BYTE(2 * page_bytes + 3));
    TRY("cut, first page", printf("%d\n", BYTE(page_bytes - 1)));
}

/* The flags of floating point and the registers are those of the instructions before the fault. */
static void state(void)
{
    volatile double one = 1, three = 3, third = 0;
    volatile int done = 0;
    unsigned long flags;
    map(1, PROT_READ | PROT_WRITE, MAP_SHARED);
    __asm__ volatile("fsflags zero");
    if (sigsetjmp(back, 1) == 0) {
        third = one / three;
        done = 1;
        done += BYTE(page_bytes);
        done = 9;
    }
    __asm__ volatile("frflags %0" : "=r"(flags));
    printf("flags %lx, %f, step %d\n", flags, third, done);
}

static void show_call(const char *what, long r) { printf("%s: %ld %s\n", what, r, r < 0 ? strerror(errno) : ""); }

static void calls(void)
{
    struct timespec t = {0, 1000};
    int ends[2], first;
    char byte = 'x';
    map(1, PROT_READ | PROT_WRITE, MAP_SHARED);
    void *behind = page + page_bytes;
    show_call("write", write(file, behind, 10));
    show_call("fstat", fstat(file, behind));
    show_call("stat", stat(behind, behind));
    show_call("clock", syscall(SYS_clock_gettime, CLOCK_MONOTONIC, behind));
    show_call("nanosleep", syscall(SYS_nanosleep, behind, NULL));
    show_call("nanosleep from here", syscall(SYS_nanosleep, &t, NULL));
    show_call("getcwd", syscall(SYS_getcwd, behind, 4096));
    show_call("getrandom", syscall(SYS_getrandom, behind, 8, 0));
    show_call("prctl", prctl(PR_SET_NAME, behind));
    show_call("across", syscall(SYS_clock_gettime, CLOCK_MONOTONIC, page + page_bytes - 8));
    pipe(ends);
    write(ends[1], &byte, 1);
    show_call("read", read(ends[0], behind, 1));
    show_call("pipe", pipe(behind));
    first = dup(0);
    printf("descriptors kept: %d\n", first - ends[1]);
    close(first);
}

static void code(const char *what, char *at, void (*give_back)(char *at))
{
    static const uint32_t words[] = {0x00700513, 0x00008067}; /* li a0,7; ret */
    page = at;
    mprotect(at, page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(at, words, sizeof words);
    __builtin___clear_cache(at, at + sizeof words);
    int (*volatile f)(void) = (int (*)(void))(uintptr_t)at;
    printf("%s: %d\n", what, f());
    give_back(at);
    TRY("given back", f());
    page = NULL;
}

static void shrink_break(char *at) { syscall(SYS_brk, at); }
static void shrink_mapping(char *at) { mremap(at - page_bytes, 2 * page_bytes, page_bytes, 0); }
static void forget(char *at) { madvise(at, page_bytes, MADV_DONTNEED); }
static void cut_file(char *at)
{
    (void)at;
    ftruncate(file, 0);
    __builtin___clear_cache(at, at + 8);
}

static char *fresh(void)
{
    return mmap(NULL, 4 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* A page of the heap, whose end is moved. */
static char *heap(void)
{
    uintptr_t end = (uintptr_t)sbrk(3 * page_bytes);
    return (char *)((end + 2 * page_bytes - 1) & ~(uintptr_t)(page_bytes - 1));
}

static void codes(void)
{
    code("heap", heap(), shrink_break);
    code("mapping", fresh() + page_bytes, shrink_mapping);
    handle(SIGILL);
    code("forgotten", fresh(), forget);
    map(page_bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED);
    code("file", page, cut_file);
}

static void end_of(const char *what, pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    printf("%s: %s %d\n", what, WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

/* Without a handler, with the signal blocked, and sent by another process. */
static void ends(void)
{
    sigset_t bus, old;
    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    map(0, PROT_READ, MAP_SHARED);
    fflush(stdout);
    for (int blocked = 0; blocked < 2; blocked++) {
        pid_t child = fork();
        if (child == 0) {
            if (blocked)
                sigprocmask(SIG_BLOCK, &bus, NULL);
            else
                signal(SIGBUS, SIG_DFL);
            _exit(BYTE(0));
        }
        end_of(blocked ? "blocked" : "default", child);
    }
    signal(SIGBUS, note);
    sigprocmask(SIG_BLOCK, &bus, &old);
    pid_t child = fork();
    if (child == 0)
        _exit(kill(getppid(), SIGBUS) != 0);
    end_of("sender", child);
    printf("received %d\n", (int)count);
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("received %d\n", (int)count);
}

static void numbers(void)
{
    char name[16];
    int status;
    memset(name, 'n', sizeof name);
    prctl(PR_SET_NAME, "a");
    prctl(PR_GET_NAME, name);
    for (size_t i = 0; i < sizeof name; i++)
        printf("%d ", name[i]);
    puts("");
    show_call("kill", syscall(SYS_kill, INT32_MIN, 0));
    show_call("wait4", syscall(SYS_wait4, INT32_MIN, &status, WNOHANG, NULL));
}

/* Timers whose signals have no effect do not delay the end of a sleep. */
static void timers(void)
{
    const struct itimerval often = {{0, 1}, {0, 1}}, never = {{0, 0}, {0, 0}};
    const struct timespec t = {0, 20000000};
    sigset_t all, old;
    signal(SIGALRM, SIG_IGN);
    signal(SIGVTALRM, note);
    setitimer(ITIMER_REAL, &often, NULL);
    printf("ignored: %d\n", nanosleep(&t, NULL));
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    printf("blocked: %d\n", nanosleep(&t, NULL));
    setitimer(ITIMER_REAL, &never, NULL);
    sigprocmask(SIG_SETMASK, &old, NULL);
}

int main(void)
{
    page_bytes = sysconf(_SC_PAGESIZE);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    handle(SIGBUS);
    handle(SIGSEGV);
    accesses("shared", MAP_SHARED);
    accesses("private", MAP_PRIVATE);
    state();
    calls();
    codes();
    ends();
    numbers();
    timers();
    return 0;
}
