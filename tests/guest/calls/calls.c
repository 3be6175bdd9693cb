/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that makes random system calls with hostile arguments: calls SEED PROCESSES CALLS. Each of PROCESSES
 * processes makes CALLS calls in a folder of its own, with the numbers and kinds of arguments of the emulator's table.
 * It may do with itself what it likes; only an exit status of 70, the emulator's internal fault, is an error. The seed
 * of the present process is in the file "seed". The last line printed has the numbers of calls made, of processes, of
 * those ended by a signal and of those killed since they waited, of calls that succeeded at least once, and of internal
 * faults. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INTERNAL_FAULT = 70, ARENA_BYTES = 16 * 4096, GUARD_BYTES = 4096, WAIT_TURNS = 5, WAIT_NS = 5000000 };
enum {
    CALL_FALLOCATE = 47,
    CALL_EXIT = 93,
    CALL_EXIT_GROUP = 94,
    CALL_KILL = 129,
    CALL_TKILL = 130,
    CALL_TGKILL = 131,
    CALL_RT_SIGQUEUEINFO = 138,
    CALL_CLONE = 220,
    CALL_RT_TGSIGQUEUEINFO = 240,
    CALL_PRLIMIT64 = 261,
    CALL_EXECVE = 221,
    CALL_EXECVEAT = 281,
    CALL_CLONE3 = 435,
};

/* The calls that are performed, and those that are answered without: the kinds of arguments as syscall.def has them. */
struct call {
    const char *arguments;
    unsigned number;
};
#define SYSCALL(number, name, arguments) {arguments, number},
#define LIMITED(number, name, arguments, note) {arguments, number},
#define DENIED(number, name)
#define DECLINED(number, name, note)
#define ABSENT(number, name)
static const struct call calls[] = {
#include "core-model/linux/syscall.def"
};
enum { CALLS = sizeof calls / sizeof calls[0], NUMBERS = 480, ARGUMENTS = 6 };

/* Work of the processes, in memory that they share; a call may overwrite it, as it may all of the guest's memory. */
static struct tally {
    uint64_t made, succeeded[NUMBERS];
} * tally;

static uint64_t state;
static char *arena; /* read and write; behind it a page without permissions, a page to read, and the end of a file */

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}
static unsigned below(unsigned n) { return (unsigned)((next() >> 33) % n); }

static long raw_call(unsigned number, const uint64_t *a)
{
    register uint64_t a0 __asm__("a0") = a[0], a1 __asm__("a1") = a[1], a2 __asm__("a2") = a[2];
    register uint64_t a3 __asm__("a3") = a[3], a4 __asm__("a4") = a[4], a5 __asm__("a5") = a[5];
    register uint64_t a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7) : "memory");
    return (long)a0;
}

static uint64_t random_number(void)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     7,
                                     8,
                                     16,
                                     24,
                                     64,
                                     128,
                                     4095,
                                     4096,
                                     4097,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     UINT64_MAX,
                                     UINT64_MAX - 1,
                                     (uint64_t)-4096,
                                     (uint64_t)-100};
    switch (below(5)) {
    case 0:
        return edges[below(sizeof edges / sizeof edges[0])];
    case 1:
        return below(32);
    case 2:
        return UINT64_C(1) << below(64);
    case 3:
        return (UINT64_C(1) << below(32)) | (UINT64_C(1) << below(32));
    default:
        return next() >> below(64);
    }
}

/* An address: mostly in the arena, at its edges, or nowhere. */
static uint64_t random_pointer(void)
{
    uint64_t place = (uint64_t)(uintptr_t)arena;
    switch (below(12)) {
    case 0:
        return 0;
    case 1:
        return place + ARENA_BYTES - below(64); /* into the page without permissions */
    case 2:
        return place + ARENA_BYTES + GUARD_BYTES + below(GUARD_BYTES); /* to read alone */
    case 3:
        return place + ARENA_BYTES + 2 * GUARD_BYTES + below(2 * GUARD_BYTES); /* behind the end of a file */
    case 4:
        return (uint64_t)(uintptr_t)&random_pointer + below(4096);
    case 5:
        return UINT64_C(0x7f0000000000) + (next() & 0xffffff000); /* where the emulator itself may have memory */
    case 6:
        return random_number();
    default:
        return place + (below(ARENA_BYTES) & ~(below(4) == 0 ? 0u : 7u));
    }
}

static const char *const paths[] = {".",
                                    "..",
                                    "a",
                                    "b",
                                    "folder",
                                    "folder/c",
                                    "folder/../a",
                                    "link",
                                    "loop",
                                    "",
                                    "a/b",
                                    "/proc/self/mem",
                                    "/proc/self/maps",
                                    "/proc/self/fd/0",
                                    "/proc/self/exe",
                                    "/proc/self/task",
                                    "/proc/self/cwd",
                                    "/proc/self/root",
                                    "/proc/self/comm",
                                    "/proc/cpuinfo",
                                    "/dev/null",
                                    "/dev/zero",
                                    "/dev/full",
                                    "/etc/passwd",
                                    "fifo",
                                    "socket"};

/* Fills part of the arena: random bytes, numbers, or structures of addresses and sizes as vectors of buffers have. */
static void fill_arena(void)
{
    uint64_t *words = (uint64_t *)arena;
    unsigned first = below(ARENA_BYTES / 8 - 64), n = below(64), kind = below(4);
    for (unsigned i = first; i < first + n; i++)
        words[i] = kind == 0                 ? next()
                   : kind == 1               ? random_number()
                   : kind == 2 && i % 2 == 0 ? random_pointer()
                                             : below(256);
}

static uint64_t random_path(void)
{
    if (below(8) == 0)
        return random_pointer();
    char *at = arena + below(ARENA_BYTES - 64);
    const char *path = paths[below(sizeof paths / sizeof paths[0])];
    memcpy(at, path, strlen(path) + 1);
    return (uint64_t)(uintptr_t)at;
}

static uint64_t random_argument(char kind)
{
    if (below(10) == 0)
        kind = "dxpsf"[below(5)];
    switch (kind) {
    case 'p':
        return random_pointer();
    case 's':
        return random_path();
    case 'f':
        return below(3) != 0 ? (uint64_t)-100 : below(24);
    case 'd':
        return below(3) != 0 ? below(24) : random_number();
    default:
        return random_number();
    }
}

/* Whether the call would end, stop or limit the process that counts, which must live to print its sums. */
static bool reaches_parent(unsigned number, const uint64_t *a)
{
    const int first = (int)a[0], parent = (int)getppid();
    switch (number) {
    case CALL_KILL:
        return first == -1 || first == parent || first == -parent;
    case CALL_TKILL:
    case CALL_TGKILL:
    case CALL_RT_SIGQUEUEINFO:
    case CALL_RT_TGSIGQUEUEINFO:
    case CALL_PRLIMIT64:
        return first == parent;
    default:
        return false;
    }
}

/* Room that is reserved behind a file's end is not subject to RLIMIT_FSIZE: it would fill the disk of the host. */
static void bound_room(unsigned number, uint64_t *a)
{
    enum { KEEP_SIZE = 1, MOST_BYTES = 1 << 20 };
    if (number == CALL_FALLOCATE && (a[1] & KEEP_SIZE) != 0)
        a[3] %= MOST_BYTES;
}

/* A thread or a process that a call has made must not take part in the sequence. */
static void make_call(void)
{
    bool known = below(20) != 0;
    const struct call *c = &calls[below(CALLS)];
    unsigned number = known ? c->number : below(NUMBERS);
    uint64_t a[ARGUMENTS];
    bool ends = number == CALL_EXIT || number == CALL_EXIT_GROUP || number == CALL_EXECVE || number == CALL_EXECVEAT;
    if (ends && below(100) != 0)
        return;
    for (unsigned i = 0; i < ARGUMENTS; i++)
        a[i] = random_argument(known && i < strlen(c->arguments) ? c->arguments[i] : 'x');
    if (reaches_parent(number, a))
        return;
    bound_room(number, a);
    if (below(3) == 0)
        fill_arena();
    tally->made++;
    long result = raw_call(number, a);
    if (result == 0 && (number == CALL_CLONE || number == CALL_CLONE3))
        raw_call(CALL_EXIT, (uint64_t[ARGUMENTS]){0});
    if (result >= 0 && number < NUMBERS)
        tally->succeeded[number]++;
}

/* Descriptors of each kind, at numbers that the arguments often have. */
static void open_descriptors(void)
{
    int pair[2];
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    if (pipe2(pair, O_NONBLOCK) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) != 0 ||
        socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair) != 0)
        exit(1);
    sigset_t all;
    sigfillset(&all);
    open(".", O_RDONLY | O_DIRECTORY);
    open("a", O_RDWR | O_CREAT, 0600);
    eventfd(0, EFD_NONBLOCK);
    timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    epoll_create1(0);
    inotify_init1(IN_NONBLOCK);
    signalfd(-1, &all, SFD_NONBLOCK);
    memfd_create("memory", 0);
    socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
}

/* All that one process does. */
static _Noreturn void run_process(uint64_t seed, unsigned n)
{
    state = seed * 0x9e3779b97f4a7c15 + 1;
    setpgid(0, 0);
    char folder[32];
    snprintf(folder, sizeof folder, "%llu", (unsigned long long)seed);
    if (mkdir(folder, 0700) != 0 || chdir(folder) != 0)
        exit(1);
    mkdir("folder", 0700);
    if (symlink("a", "link") != 0 || symlink("loop", "loop") != 0 || mkfifo("fifo", 0600) != 0)
        exit(1);
    open_descriptors();
    arena = mmap(NULL, ARENA_BYTES + 4 * GUARD_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int file = open("b", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (arena == MAP_FAILED || file < 0 || ftruncate(file, 100) != 0)
        exit(1);
    mprotect(arena + ARENA_BYTES, GUARD_BYTES, PROT_NONE);
    mprotect(arena + ARENA_BYTES + GUARD_BYTES, GUARD_BYTES, PROT_READ);
    mmap(arena + ARENA_BYTES + 2 * GUARD_BYTES, 2 * GUARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
         0);
    for (unsigned i = 0; i < n; i++)
        make_call();
    _exit(0);
}

/* Waits for the process, and kills it when it has made no call for a time; its exit status, or -1 for a signal. */
static int wait_for(pid_t pid, bool *was_killed)
{
    int status = 0;
    unsigned idle_turns = 0;
    for (uint64_t made = 0; waitpid(pid, &status, WNOHANG) == 0;) {
        idle_turns = tally->made == made ? idle_turns + 1 : 0;
        made = tally->made;
        if (idle_turns == WAIT_TURNS) {
            kill(pid, SIGKILL);
            *was_killed = true;
        }
        nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
    }
    kill(-pid, SIGKILL); /* the processes it has started */
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Writes the seed to a file of the working folder, whose mode the process before may have changed. */
static void note_seed(int folder, uint64_t seed)
{
    fchmod(folder, 0777);
    FILE *f = fopen("seed", "w");
    if (f == NULL)
        exit(1);
    fprintf(f, "%llu\n", (unsigned long long)seed);
    fclose(f);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    uint64_t first = strtoull(argv[1], NULL, 0), processes = strtoull(argv[2], NULL, 0);
    unsigned n = (unsigned)strtoul(argv[3], NULL, 0), faults = 0, signals = 0, killed = 0, answered = 0;
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    if (tally == MAP_FAILED || folder < 0)
        return 1;
    for (uint64_t seed = first; seed < first + processes; seed++) {
        const uint64_t made = tally->made;
        note_seed(folder, seed);
        pid_t pid = fork();
        if (pid == 0)
            run_process(seed, n);
        bool was_killed = false;
        int status = pid < 0 ? 0 : wait_for(pid, &was_killed);
        if (tally->made - made > n) /* a random call has changed the tally */
            tally->made = made;
        signals += status < 0 && !was_killed;
        killed += was_killed;
        faults += status == INTERNAL_FAULT;
        if (status == INTERNAL_FAULT)
            printf("internal fault with seed %llu\n", (unsigned long long)seed);
    }
    for (unsigned i = 0; i < NUMBERS; i++)
        answered += tally->succeeded[i] != 0;
    printf("%llu %llu %u %u %u %u\n", (unsigned long long)tally->made, (unsigned long long)processes, signals, killed,
           answered, faults);
    if (fflush(stdout) != 0) {
        perror("calls: the sums cannot be written");
        return 1;
    }
    return faults != 0;
}
