# A run is repeatable: what a guest could know of the machine and of the moment is its own, where pcemu can see to it.
cat > look.c << 'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static void on_signal(int signal) { (void)signal, handled++; }

static void show(const char *how, long n, const unsigned char *p)
{
    printf("%s %ld:", how, n);
    for (int i = 0; i < 8; i++)
        printf(" %02x", p[i]);
    puts("");
}

static void devices(void)
{
    unsigned char p[8], q[8];
    int fd = open("/dev/urandom", O_RDONLY), pipes[2];
    show("read", read(fd, p, 8), p);
    show("dup", read(dup(fd), p, 8), p);
    show("dup3", read(dup3(fd, 100, O_CLOEXEC), p, 8), p);
    show("fcntl", read(fcntl(fd, F_DUPFD, 50), p, 8), p);
    show("pread", pread(fd, p, 8, 0), p);
    show("readv", readv(fd, (struct iovec[]){{q, 8}, {p, 8}}, 2), p);
    long sent = pipe(pipes) != 0 ? -1 : sendfile(pipes[1], fd, NULL, 8);
    show("sendfile", read(pipes[0], p, 8) == 8 ? sent : -1, p);
    show("/dev/random", read(open("/dev/random", O_RDONLY), p, 8), p);
    show("standard input", read(0, p, 8), p);
    close(fd);
    fd = open("look.c", O_RDONLY);
    show("a file", read(fd, p, 8), p);
}

/* Signals ignored or blocked when pcemu was called are not shown; signals between the guest's processes work all the same. */
static void signals(void)
{
    static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    struct sigaction action;
    sigset_t mask;
    int status;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    for (int i = 0; i < 4; i++) {
        sigaction(signals[i], NULL, &action);
        printf("%s%s", action.sa_handler == SIG_DFL ? " default" : " other", sigismember(&mask, signals[i]) ? " blocked" : "");
    }
    pid_t child = fork();
    if (child == 0)
        alarm(10); /* ends it where the other signal does not come */
    while (child == 0)
        pause();
    kill(child, SIGHUP);
    waitpid(child, &status, 0);
    printf("; child ended by %d\n", WTERMSIG(status));
}

/* Whether a signal comes from outside before there is a line to read. */
static int outside(void)
{
    char line[8];
    signal(SIGUSR2, on_signal);
    puts("ready");
    fflush(stdout);
    while (read(0, line, sizeof line) < 0)
        ;
    printf("handled %d\n", (int)handled);
    return 0;
}

int main(int argc, char **argv)
{
    struct stat status;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (argc > 1)
        return strcmp(argv[1], "outside") == 0 ? outside() : 2;
    devices();
    signals();
    fstat(0, &status);
    printf("called %s, blocks of %d\n", (const char *)getauxval(AT_EXECFN), (int)status.st_blksize);
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -Wall -static -o look look.c
look() { pcemu --core functional --no-program --format json -o "$1" ./look < /dev/urandom 2> said; }
look 1.json | tee 1
echo '--- in the background'
(look 2.json > 2) & wait $!
echo '--- with signals ignored'
(trap '' HUP INT QUIT TERM; look 3.json > 3)
for n in 2 3; do
    cmp 1 $n && cmp 1.json $n.json && echo same
done
echo '--- the seed'
pcemu --core functional --no-program --seed 2 -o 4.json ./look < /dev/urandom | diff 1 - | grep -c '^>'
echo '--- a signal from outside, and one that was ignored'
mkfifo in out
for action in default ignore; do
    env --$action-signal=USR2 pcemu --core functional --no-program ./look outside < in > out &
    exec 3> in 4< out
    read -r line <&4 && echo "$line"
    kill -USR2 $!
    echo >&3
    cat <&4
    exec 3>&- 4<&-
    wait $!
done
echo '--- the program below a sysroot, wherever that is'
cat > exe.c << 'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char path[4096];
    printf("%.*s\n", (int)readlink("/proc/self/exe", path, sizeof path), path);
    return 0;
}
C
for root in a/root another/root; do
    mkdir -p $root/bin
    riscv64-linux-gnu-gcc -static -o $root/bin/exe exe.c
    (cd $root/.. && pcemu --core functional --no-program -o exe.txt -L root root/bin/exe)
done
cmp a/exe.txt another/exe.txt && echo same
