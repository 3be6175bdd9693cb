/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that wait for another process or thread: a timer's signal interrupts each, or restarts it, and a second thread
 * ends each wait.
 *   guest_blocking           all calls, in each way
 *   guest_blocking wait NAME one call that nothing ends, after the line "ready"; its files are in the working folder */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { BIG_BYTES = 1 << 20, PART_BYTES = 1 << 16, TICK_US = 10000 };

static char folder[] = "/tmp/guest_blocking.XXXXXX";
static char buffer[BIG_BYTES], drained[PART_BYTES];
static int in, out, file; /* the ends of the pipe or the pair, of which one waits; and a file */
static pid_t child;
static int *word;    /* of a futex */
static int ticks[2]; /* a pipe with a byte for each signal of the timer */
static volatile int is_over;

static void count_tick(int signal)
{
    (void)signal;
    (void)!write(ticks[1], "", 1);
}

static void check(long r)
{
    if (r >= 0)
        return;
    printf("failed: %s\n", strerror(errno));
    exit(1);
}

static char fifo_name[64], file_name[64], lock_name[64], socket_name[64];

static void make_names(void)
{
    snprintf(fifo_name, sizeof fifo_name, "%s/fifo", folder);
    snprintf(file_name, sizeof file_name, "%s/file", folder);
    snprintf(lock_name, sizeof lock_name, "%s/lock", folder);
    snprintf(socket_name, sizeof socket_name, "%s/socket", folder);
}

/* A child that has called `hold`, unless that is NULL, and then waits until it is killed. */
static void start_child(int (*hold)(void))
{
    int ready[2];
    char byte;
    check(pipe(ready));
    check(child = fork());
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (hold != NULL)
            check(hold());
        check(write(ready[1], "", 1));
        for (;;)
            pause();
    }
    check(read(ready[0], &byte, 1));
}

/* ---- what is waited for ---- */

static void make_fifo(void) { check(mkfifo(fifo_name, 0600)); }

static void make_pipe(void)
{
    int ends[2];
    check(pipe(ends));
    in = ends[0], out = ends[1];
}

static void make_sockets(void)
{
    int ends[2];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    in = ends[0], out = ends[1];
}

static void fill(void)
{
    int flag = 1;
    check(ioctl(out, FIONBIO, &flag));
    for (size_t n = sizeof drained; n > 0; n /= 2)
        while (write(out, buffer, n) > 0)
            continue;
    flag = 0;
    check(ioctl(out, FIONBIO, &flag));
}

static void make_full_pipe(void)
{
    make_pipe();
    fill();
}

static void make_full_sockets(void)
{
    make_sockets();
    fill();
}

static void make_file(void)
{
    check(file = open(file_name, O_RDWR | O_CREAT, 0600));
    check(write(file, buffer, BIG_BYTES));
    check(lseek(file, 0, SEEK_SET));
}

static void make_pipe_of_file(void)
{
    make_full_pipe();
    make_file();
}

static void make_sockets_of_file(void)
{
    make_full_sockets();
    make_file();
}

/* A pipe with data in `file`, and a full one. */
static void make_two_pipes(void)
{
    make_pipe();
    check(write(out, "data", 4));
    file = in;
    make_full_pipe();
}

static void make_pipe_and_sockets(void)
{
    make_two_pipes();
    make_full_sockets();
}

static void make_sockets_and_pipe(void)
{
    make_pipe();
    file = out;
    make_sockets();
}

static struct sockaddr_un address(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    strcpy(a.sun_path, socket_name);
    return a;
}

/* A socket that accepts, whose queue is full. */
static void make_full_queue(void)
{
    struct sockaddr_un a = address();
    check(in = socket(AF_UNIX, SOCK_STREAM, 0));
    check(bind(in, (struct sockaddr *)&a, sizeof a));
    check(listen(in, 0));
    do
        check(out = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0));
    while (connect(out, (struct sockaddr *)&a, sizeof a) == 0);
    check(out = socket(AF_UNIX, SOCK_STREAM, 0));
}

static void make_queue(void)
{
    struct sockaddr_un a = address();
    check(in = socket(AF_UNIX, SOCK_STREAM, 0));
    check(bind(in, (struct sockaddr *)&a, sizeof a));
    check(listen(in, 1));
}

static void make_queue_of_family(void)
{
    make_queue();
    start_child(NULL);
}

/* A connection whose close waits until the other end has read. */
static void make_lingering(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct linger linger = {1, 1000};
    socklen_t size_bytes = sizeof a;
    int accepts = socket(AF_INET, SOCK_STREAM, 0);
    check(bind(accepts, (struct sockaddr *)&a, sizeof a));
    check(listen(accepts, 1));
    check(getsockname(accepts, (struct sockaddr *)&a, &size_bytes));
    check(out = socket(AF_INET, SOCK_STREAM, 0));
    check(connect(out, (struct sockaddr *)&a, sizeof a));
    check(in = accept(accepts, NULL, NULL));
    check(setsockopt(out, SOL_SOCKET, SO_LINGER, &linger, sizeof linger));
    fill();
}

static void share_word(void)
{
    word = mmap(NULL, sizeof *word, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static int lock_file(int fd) { return flock(fd, LOCK_EX); }
static int lock_range(int fd) { return fcntl(fd, F_SETLKW, &(struct flock){.l_type = F_WRLCK}); }
static int lock_open_range(int fd) { return fcntl(fd, F_OFD_SETLKW, &(struct flock){.l_type = F_WRLCK}); }
static int hold_file(void) { return lock_file(open(lock_name, O_RDWR)); }
static int hold_range(void) { return lock_range(open(lock_name, O_RDWR)); }
static int hold_open_range(void) { return lock_open_range(open(lock_name, O_RDWR)); }

/* A lock that a child holds until it is killed. */
static void make_locked(int (*hold)(void))
{
    check(file = open(lock_name, O_RDWR | O_CREAT, 0600));
    start_child(hold);
}

static void make_locked_file(void) { make_locked(hold_file); }
static void make_locked_range(void) { make_locked(hold_range); }
static void make_locked_open_range(void) { make_locked(hold_open_range); }

/* A lease that is not given up when another process opens the file. */
static int hold_lease(void)
{
    signal(SIGIO, SIG_IGN);
    return fcntl(open(file_name, O_RDONLY), F_SETLEASE, F_RDLCK);
}

/* A lease that a child holds until it is killed. */
static void make_leased(void)
{
    make_file();
    check(close(file));
    start_child(hold_lease);
}

static void set_terminal(int least, int tenths)
{
    struct termios mode;
    check(tcgetattr(in, &mode));
    cfmakeraw(&mode);
    mode.c_cc[VMIN] = (cc_t)least, mode.c_cc[VTIME] = (cc_t)tenths;
    check(tcsetattr(in, TCSANOW, &mode));
}

/* The other end of a pseudo-terminal, and the terminal. */
static void make_terminal(void)
{
    check(out = posix_openpt(O_RDWR | O_NOCTTY));
    check(unlockpt(out));
    check(in = open(ptsname(out), O_RDWR | O_NOCTTY));
    set_terminal(1, 0);
}

static void make_terminal_of_file(void)
{
    make_terminal();
    make_file();
}

static void make_terminal_of_pipe(void)
{
    make_full_pipe();
    file = in;
    make_terminal();
}

/* A terminal with less input than a read waits for. */
static void make_terminal_of_many(void)
{
    make_terminal();
    set_terminal(5, 0);
    check(write(out, "ab", 2));
}

/* A counter that can be written, but not by as much. */
static void make_counter(void)
{
    check(in = out = eventfd(1, 0));
    memset(buffer, 0xff, sizeof(uint64_t));
    buffer[0] = (char)0xfe;
}

static void make_counter_of_family(void)
{
    make_counter();
    start_child(NULL);
}

/* ---- calls ---- */

static long open_to_read(void) { return open(fifo_name, O_RDONLY); }
static long open_to_write(void) { return open(fifo_name, O_WRONLY); }

static long connect_to_full(void)
{
    struct sockaddr_un a = address();
    return connect(out, (struct sockaddr *)&a, sizeof a);
}

static long close_one(void) { return close(out); }
static long wait_for_word(void) { return syscall(SYS_futex, word, 0 /* FUTEX_WAIT */, 0, NULL); }
static long accept_one(void) { return accept(in, NULL, NULL); }
static long send_file(void) { return sendfile(out, file, NULL, PART_BYTES); }
static long splice_in(void) { return splice(file, NULL, out, NULL, 4, 0); }
static long splice_empty(void) { return splice(in, NULL, file, NULL, 4, 0); }
static long tee_one(void) { return tee(file, out, 4, 0); }
static long vmsplice_one(void) { return vmsplice(out, &(struct iovec){buffer, 4096}, 1, 0); }
static long read_one(void) { return read(in, drained, 1); }
static long write_one(void) { return write(out, buffer, 1); }
static long write_big(void) { return write(out, buffer, BIG_BYTES); }
static long send_big(void) { return send(out, buffer, BIG_BYTES, 0); }
static long receive_one(void) { return recv(in, drained, 1, 0); }
static long receive_whole(void) { return recv(in, drained, 8, MSG_WAITALL); }

static long receive_message(void)
{
    struct iovec v[2] = {{drained, 3}, {drained + 3, 5}};
    return recvmsg(in, &(struct msghdr){.msg_iov = v, .msg_iovlen = 2}, MSG_WAITALL);
}

static long open_leased(void) { return open(file_name, O_WRONLY); }
static long truncate_leased(void) { return truncate(file_name, 1); }
static long write_counter(void) { return write(out, buffer, sizeof(uint64_t)); }
static long read_many(void) { return read(in, drained, 9); }
static long splice_big(void) { return splice(file, NULL, out, NULL, PART_BYTES, 0); }
static long lock_a_file(void) { return lock_file(file); }
static long lock_a_range(void) { return lock_range(file); }
static long lock_an_open_range(void) { return lock_open_range(file); }

static long fork_and_wait(void)
{
    char byte;
    pid_t pid = vfork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        (void)!read(in, &byte, 1);
        _exit(0);
    }
    check(waitpid(pid, NULL, 0));
    return 0;
}

/* ---- what ends the waits ---- */

/* The writer has gone before the reader goes on. */
static void open_writer(void)
{
    int fd = open(fifo_name, O_WRONLY | O_NONBLOCK);
    if (fd >= 0)
        close(fd);
}

/* A reader that does not wait is gone before the writer goes on. */
static void open_reader(void)
{
    int fd = open(fifo_name, O_RDONLY | O_NONBLOCK);
    check(fd);
    close(fd);
}

static void drain(void)
{
    struct pollfd f = {.fd = in, .events = POLLIN};
    if (poll(&f, 1, 0) > 0)
        check(read(in, drained, sizeof drained));
}

static void accept_other(void)
{
    struct pollfd f = {.fd = in, .events = POLLIN};
    if (poll(&f, 1, 0) > 0)
        close(accept(in, NULL, NULL));
}

static void put(void)
{
    struct pollfd f = {.fd = out, .events = POLLOUT};
    if (poll(&f, 1, 0) > 0)
        check(write(out, "abcdefgh", 8));
}

static void connect_one(void)
{
    struct sockaddr_un a = address();
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)connect(fd, (struct sockaddr *)&a, sizeof a);
    close(fd);
}

static void wake(void) { syscall(SYS_futex, word, 1 /* FUTEX_WAKE */, 1); }
static void kill_child(void) { kill(child, SIGKILL); }

static const struct call {
    const char *name;
    void (*prepare)(void);
    long (*perform)(void);
    void (*end)(void);
} calls[] = {
    {"open-read", make_fifo, open_to_read, open_writer},
    {"open-write", make_fifo, open_to_write, open_reader},
    {"connect", make_full_queue, connect_to_full, accept_other},
    {"accept", make_queue, accept_one, connect_one},
    {"accept-family", make_queue_of_family, accept_one, connect_one},
    {"close", make_lingering, close_one, drain},
    {"futex", share_word, wait_for_word, wake},
    {"sendfile-pipe", make_pipe_of_file, send_file, drain},
    {"sendfile-socket", make_sockets_of_file, send_file, drain},
    {"splice-full", make_two_pipes, splice_in, drain},
    {"splice-empty", make_sockets_and_pipe, splice_empty, put},
    {"splice-socket", make_pipe_and_sockets, splice_in, drain},
    {"tee", make_two_pipes, tee_one, drain},
    {"vmsplice", make_full_pipe, vmsplice_one, drain},
    {"read", make_pipe, read_one, put},
    {"write-pipe", make_full_pipe, write_one, drain},
    {"write-socket", make_full_sockets, write_one, drain},
    {"write-big-pipe", make_full_pipe, write_big, drain},
    {"write-big-socket", make_full_sockets, write_big, drain},
    {"send-big", make_full_sockets, send_big, drain},
    {"recv", make_sockets, receive_one, put},
    {"recv-whole", make_sockets, receive_whole, put},
    {"recvmsg-whole", make_sockets, receive_message, put},
    {"flock", make_locked_file, lock_a_file, kill_child},
    {"setlkw", make_locked_range, lock_a_range, kill_child},
    {"ofd-setlkw", make_locked_open_range, lock_an_open_range, kill_child},
    {"open-lease", make_leased, open_leased, kill_child},
    {"truncate-lease", make_leased, truncate_leased, kill_child},
    {"write-terminal", make_terminal, write_big, drain},
    {"read-terminal", make_terminal, read_one, put},
    {"read-terminal-many", make_terminal_of_many, read_many, put},
    {"sendfile-terminal", make_terminal_of_file, send_file, drain},
    {"splice-terminal", make_terminal_of_pipe, splice_big, drain},
    {"write-counter", make_counter, write_counter, drain},
    {"write-counter-family", make_counter_of_family, write_counter, drain},
    {"vfork", make_pipe, fork_and_wait, put},
};

/* ---- */

static int ticks_before_end;

static void *end_wait(void *p)
{
    const struct call *c = p;
    char byte;
    for (int i = 0; i < ticks_before_end; i++)
        check(read(ticks[0], &byte, 1));
    for (; !is_over; sched_yield())
        c->end();
    return NULL;
}

static void tidy(void)
{
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    child = 0;
    unlink(fifo_name);
    unlink(file_name);
    unlink(lock_name);
    unlink(socket_name);
}

/* A timer's signal comes again and again, as the first can come before the call. */
static void set_timer(long us)
{
    const struct itimerval timer = {{0, us}, {0, us}};
    check(setitimer(ITIMER_REAL, &timer, NULL));
}

static void run(const struct call *c, const char *how, int flags, bool has_timer, bool has_end)
{
    struct sigaction action = {.sa_handler = count_tick, .sa_flags = flags};
    sigset_t alarm, before;
    pthread_t ender;
    c->prepare();
    check(pipe2(ticks, O_NONBLOCK));
    check(fcntl(ticks[0], F_SETFL, 0));
    is_over = 0;
    ticks_before_end = has_timer && c->perform != fork_and_wait ? 2 : 0;
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm, &before);
    if (has_end)
        check(-pthread_create(&ender, NULL, end_wait, (void *)c));
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (has_timer)
        set_timer(TICK_US);
    long r = c->perform();
    int why = errno;
    set_timer(0);
    is_over = 1;
    (void)!write(ticks[1], "..", 2);
    if (has_end)
        pthread_join(ender, NULL);
    printf("%s, %s: %s\n", c->name, how, r >= 0 ? "done" : strerrorname_np(why));
    fflush(stdout);
    tidy();
}

static void deadlock(void)
{
    struct flock first = {.l_type = F_WRLCK, .l_len = 1}, second = {.l_type = F_WRLCK, .l_start = 1, .l_len = 1};
    int ready[2];
    char byte;
    check(file = open(lock_name, O_RDWR | O_CREAT, 0600));
    check(pipe(ready));
    check(fcntl(file, F_SETLK, &first));
    check(child = fork());
    if (child == 0) {
        check(fcntl(file, F_SETLK, &second));
        check(write(ready[1], "", 1));
        _exit(fcntl(file, F_SETLKW, &first) < 0 ? errno : 0);
    }
    check(read(ready[0], &byte, 1));
    int r = fcntl(file, F_SETLKW, &second), why = errno, status;
    fcntl(file, F_SETLK, &(struct flock){.l_type = F_UNLCK});
    check(waitpid(child, &status, 0));
    printf("deadlock: %s\n", (r < 0 && why == EDEADLK) || WEXITSTATUS(status) == EDEADLK ? "found" : "not found");
    child = 0;
    tidy();
}

static void no_position(void)
{
    off_t at = 0;
    make_pipe();
    make_file();
    printf("sendfile from a pipe: %s", sendfile(file, in, NULL, 4) < 0 ? strerrorname_np(errno) : "done");
    printf(", at an offset: %s\n", sendfile(file, in, &at, 4) < 0 ? strerrorname_np(errno) : "done");
    tidy();
}

/* Connects to a queue that is soon full, by sockets with a time-out. */
static void connect_for_a_time(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval soon = {0, 100000};
    socklen_t size_bytes = sizeof a;
    long r;
    check(in = socket(AF_INET, SOCK_STREAM, 0));
    check(bind(in, (struct sockaddr *)&a, sizeof a));
    check(listen(in, 0));
    check(getsockname(in, (struct sockaddr *)&a, &size_bytes));
    do {
        check(out = socket(AF_INET, SOCK_STREAM, 0));
        check(setsockopt(out, SOL_SOCKET, SO_SNDTIMEO, &soon, sizeof soon));
        r = connect(out, (struct sockaddr *)&a, sizeof a);
    } while (r == 0);
    printf("connect for a time: %s", strerrorname_np(errno));
    r = connect(out, (struct sockaddr *)&a, sizeof a);
    printf(", again: %s\n", r < 0 ? strerrorname_np(errno) : "done");
    tidy();
}

static void read_modes(void)
{
    char bytes[8];
    make_terminal();
    set_terminal(0, 0);
    printf("a terminal without input, at once: %zd", read(in, bytes, sizeof bytes));
    set_terminal(0, 1);
    printf(", after a time: %zd\n", read(in, bytes, sizeof bytes));
    set_terminal(3, 1);
    check(write(out, "a", 1));
    printf("a byte, after a time: %zd", read(in, bytes, sizeof bytes));
    set_terminal(3, 0);
    check(write(out, "ab", 2));
    printf(", one of two: %zd\n", read(in, bytes, 1));
    tidy();
}

static volatile int is_told;
static void tell(int signal) { is_told = signal; }

/* Several processes read one counter; one of them gets it, and signals reach the others. */
static void read_by_many(void)
{
    enum { READERS = 3, ROUNDS = 8 };
    const uint64_t one = 1;
    struct sigaction action = {.sa_handler = tell};
    int first = 0, others = 0;
    sigaction(SIGUSR1, &action, NULL);
    fflush(stdout);
    for (int round = 0; round < ROUNDS; round++) {
        pid_t pid[READERS];
        int counter = eventfd(0, 0), status;
        for (int i = 0; i < READERS; i++) {
            check(pid[i] = fork());
            if (pid[i] == 0) {
                uint64_t value;
                prctl(PR_SET_PDEATHSIG, SIGKILL);
                while (read(counter, &value, sizeof value) < 0)
                    if (is_told)
                        _exit(2);
                _exit(1);
            }
        }
        check(write(counter, &one, sizeof one));
        pid_t winner = wait(&status);
        first += WEXITSTATUS(status) == 1;
        for (int i = 0; i < READERS; i++) {
            if (pid[i] == winner)
                continue;
            while (waitpid(pid[i], &status, WNOHANG) == 0) {
                kill(pid[i], SIGUSR1);
                sched_yield();
            }
            others += WEXITSTATUS(status) == 2;
        }
        close(counter);
    }
    printf("one counter, many readers: %d, %d\n", first, others);
}

int main(int argc, char **argv)
{
    bool waits = argc > 2 && strcmp(argv[1], "wait") == 0;
    if (waits)
        strcpy(folder, ".");
    else
        check(mkdtemp(folder) != NULL ? 0 : -1);
    make_names();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        const struct call *c = &calls[i];
        if (waits) {
            if (strcmp(argv[2], c->name) != 0)
                continue;
            c->prepare();
            puts("ready");
            fflush(stdout);
            c->perform();
            return 1;
        }
        run(c, "signal", 0, true, c->perform == fork_and_wait);
        run(c, "restart", SA_RESTART, true, true);
        run(c, "thread", 0, false, true);
    }
    no_position();
    connect_for_a_time();
    deadlock();
    read_modes();
    read_by_many();
    rmdir(folder);
    return 0;
}
