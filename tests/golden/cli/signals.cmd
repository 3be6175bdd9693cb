# Signals from outside to a guest that handles them, in a loop without system calls, on every core; the last one to a
# guest that has replaced its program.
cat > spin.c << 'C'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static volatile sig_atomic_t got, count;
static void note(int signal) { got = signal; count++; }
int main(int argc, char **argv)
{
    volatile char *turning = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, open("flag", O_RDWR), 0);
    if (argc > 2)
        execl(argv[2], argv[0], argv[1], NULL);
    signal(SIGUSR1, note);
    signal(SIGINT, note);
    signal(SIGTERM, note);
    for (long left = atol(argv[1]); got == 0 && left > 0; left--)
        *turning = '1';
    printf("%s, %d\n", got != 0 ? strsignal(got) : "none", count);
    return 3;
}
C
riscv64-linux-gnu-gcc -O1 -static -o spin spin.c
printf 1 > one
for core in functional inorder ooo 'ooo --check'; do
    turns=10000000
    [ "$core" != functional ] || turns=1000000000
    for signal in USR1 INT TERM; do
        again=
        [ $signal != TERM ] || again=./spin
        echo "$core:"
        printf 0 > flag
        # shellcheck disable=SC2086 # options, meant to be split
        env --default-signal pcemu --core $core --no-program ./spin "$turns" $again > out 2> err &
        until cmp -s flag one || ! kill -0 $!; do :; done
        kill -$signal $!
        wait $!
        echo "-> $?"
        cat out
    done
done
