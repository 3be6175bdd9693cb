# Mappings of files by which a guest once ended the simulator without a report or reached its memory.
cat > map.c << 'C'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
enum { PAGE = 4096, MANY = 200000 };
static char *map(char *at, int flags, int fd) { return mmap(at, PAGE, PROT_READ | PROT_WRITE, flags | (at != NULL ? MAP_FIXED : 0), fd, 0); }
static char *fresh(void) { return map(NULL, MAP_PRIVATE | MAP_ANONYMOUS, -1); }
static void behind(void)
{
    char *p = map(NULL, MAP_SHARED, open("empty", O_RDWR | O_CREAT | O_TRUNC, 0600));
    *(volatile char *)p = 1;
}
/* A program that stays within its file. What it would access on a wrong path is behind the end. */
static void within(void)
{
    int fd = open("page", O_RDWR | O_CREAT | O_TRUNC, 0600);
    volatile long limit = PAGE / sizeof(long), sum = 0;
    volatile long *p = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | (ftruncate(fd, PAGE) != 0), fd, 0);
    for (int round = 0; round < 3; round++)
        for (long i = 0; i < limit; i++)
            sum += p[i];
    printf("sum %ld\n", sum);
}
/* A file of /proc cannot be mapped. */
static void refused(void)
{
    char *p = fresh();
    *p = 7;
    printf("%s, %d\n", map(p, MAP_PRIVATE, open("/proc/filesystems", O_RDONLY)) == MAP_FAILED ? "refused" : "mapped", *p);
}
/* The largest number of mappings that the kernel allows, then fewer. */
static void many(void)
{
    int fd = open("page", O_RDWR | O_CREAT, 0600), n = 0;
    char *all = mmap(NULL, (size_t)MANY * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    while (n < MANY / 2 && map(all + 2 * (size_t)n * PAGE, MAP_SHARED, fd) != MAP_FAILED)
        n++;
    printf("%s: %s\n", n > 1000 && n < MANY / 2 ? "thousands" : "not so many", strerror(errno));
    printf("one more: %s\n", fresh() == MAP_FAILED ? strerror(errno) : "mapped");
    printf("removed: %d\n", munmap(all, (size_t)MANY * PAGE));
    printf("then: %s\n", fresh() == MAP_FAILED ? strerror(errno) : "mapped");
}
/* Cuts the file of the program itself, whose symbols the report needs. */
static void cut(const char *program) { printf("cut: %d\n", truncate(program, PAGE)); }
/* A timer of processor time, which stands still. */
static void sleeps(void)
{
    const struct itimerval often = {{0, 1}, {0, 1}};
    const struct timespec hour = {3600, 0};
    signal(SIGVTALRM, SIG_IGN);
    setitimer(ITIMER_VIRTUAL, &often, NULL);
    printf("slept: %d\n", nanosleep(&hour, NULL));
}
/* Two mappings of a file: data and code are written through one, and read and executed through the other. */
static void dual(void)
{
    enum { ADDI_A0_A0 = 0x00050513, RET = 0x8067 };
    int fd = memfd_create("dual", 0);
    (void)!ftruncate(fd, 4096);
    volatile unsigned *to = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    volatile unsigned *from = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
    unsigned long sum = 0;
    to[1] = RET;
    for (unsigned k = 0; k < 9; k++) {
        to[0] = ADDI_A0_A0 | k << 20;
        to[2] = from[2] + k;
        __asm__ volatile("fence.i" ::: "memory");
        sum = 3 * sum + from[0] % 97 + ((long (*)(long))(long)from)(100);
    }
    printf("dual: %lu %u\n", sum, from[2]);
}
int main(int argc, char **argv)
{
    switch (argv[1][0]) {
    case 'b': behind(); break;
    case 'w': within(); break;
    case 'r': refused(); break;
    case 'm': many(); break;
    case 'c': cut(argv[0]); break;
    case 's': sleeps(); break;
    case 'd': dual(); break;
    }
    return 0;
}
C
riscv64-linux-gnu-gcc -O1 -static -o map map.c
cp map whole
for core in functional inorder ooo 'ooo --check' 'ooo --harts 2'; do
    echo "$core:"
    all='behind within refused cut sleeps dual'
    case $core in functional | ooo) all="$all many" ;; esac # which takes a while
    for what in $all; do
        cp whole map
        # shellcheck disable=SC2086 # options, meant to be split
        pcemu --core $core --no-program --max-insts 100M -o report.txt ./map $what > out 2> err
        echo "$what: $?"
        cat out
        grep -o 'SIGBUS.*mapped file' err | sed 's/0x[0-9a-f]*/PC/'
        [ "$core" = functional ] || grep -c 'instructions retired' report.txt
        rm -f report.txt
    done
done
