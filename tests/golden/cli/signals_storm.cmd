# Signals in any number. From a child of the guest to its parent, which leaves them to their default actions, or handles all;
# and from outside.
cat > storm.c << 'C'
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile long count;
static void note(int signal) { count += signal != 0; }
static int is_sent(int signal)
{
    return signal != SIGKILL && signal != SIGSTOP && signal != SIGTSTP && signal != SIGTTIN && signal != SIGTTOU;
}
static void send_all(pid_t to, int rounds)
{
    siginfo_t info = {.si_code = -1};
    for (int n = 0; n < rounds; n++)
        for (int signal = 1; signal <= 64; signal++) {
            info.si_signo = signal;
            if (is_sent(signal))
                syscall(SYS_rt_sigqueueinfo, to, signal, &info);
        }
}
int main(int argc, char **argv)
{
    int handles = strcmp(argv[1], "handle") == 0;
    const long action[3] = {(long)note, 0x10000000 /* SA_RESTART */};
    for (int signal = 1; handles && signal <= 64; signal++)
        syscall(SYS_rt_sigaction, signal, action, NULL, 8);
    if (strcmp(argv[1], "spin") == 0) {
        puts("ready");
        fflush(stdout);
        for (;;)
            continue;
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        send_all(parent, atoi(argv[2]));
        _exit(0);
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    printf("%s\n", count != 0 ? "handled" : "none");
    return 3;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o storm storm.c
# LeakSanitizer stops the process by SIGSTOP to look for leaks, which a SIGCONT takes back: it would wait for ever.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
# shows what a run has left
left() {
    echo "$1: $status, $(sed -n 's/, after.*//; s/^pcemu: //; /profile/!p' said | tr '\n' ' '), $(cat out)," \
        "$(grep -c '^configuration' report) report, $(grep -c '^PARTIAL' report) partial," \
        "$(find . -name '*.partial' | wc -l) left"
    rm -f report said out
}
for core in inorder ooo; do
    for what in default handle; do
        status=0
        env --default-signal pcemu --core $core --no-program --profile oracle -o report ./storm $what 20 > out 2> said || status=$?
        left "$core, $what"
    done
done
for what in default handle; do
    status=0
    env --default-signal pcemu --core functional --stats report ./storm $what 20 > out 2> said || status=$?
    left "functional, $what"
done
mkfifo ready
env --default-signal pcemu --no-program --profile oracle -o report ./storm spin > ready 2> said & pid=$!
read -r out < ready
# Without the signals of faults, which the kernel delivers before others.
ends="1 2 3 6 12 13 14 15 16 24 25 26 27 29 30 $(seq -s ' ' 32 64)"
for signal in $ends $ends $ends; do kill -"$signal" $pid 2> kills || break; done
status=0
wait $pid || status=$?
echo "$out" > out
left "from outside"
