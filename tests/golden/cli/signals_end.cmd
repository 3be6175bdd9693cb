# Each signal whose default action ends a process ends a run, if the guest leaves it to that action: with a report that
# is partial, and no partial file. What the guest's processes send ends the guest.
cat > spin.c << 'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile sig_atomic_t got;
static void note(int signal) { got = signal; }
static void say(const char *text)
{
    puts(text);
    fflush(stdout);
}
static void spin(void)
{
    while (got == 0)
        continue;
    say(strsignal(got));
}
/* Ends children that spin by the signals, and reports by which they ended. */
static void end_children(int count, char **signals)
{
    for (int i = 0, status; i < count; i++) {
        char byte;
        int ready[2], number = atoi(signals[i]);
        pid_t child = pipe(ready) == 0 ? fork() : -1;
        if (child == 0) {
            close(ready[1]);
            for (;;)
                continue;
        }
        close(ready[1]);
        (void)!read(ready[0], &byte, 1); /* the child has closed its end, so it runs */
        kill(child, number);
        waitpid(child, &status, 0);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != number)
            printf("%d: status 0x%x\n", number, status);
    }
    say("children ended");
}
int main(int argc, char **argv)
{
    if (strcmp(argv[1], "spin") == 0) {
        say("ready");
        spin();
    } else if (strcmp(argv[1], "handle") == 0) {
        const long action[3] = {(long)note}; /* libc's functions refuse 32 and 33 */
        syscall(SYS_rt_sigaction, atoi(argv[2]), action, NULL, 8);
        say("ready");
        spin();
    } else if (strcmp(argv[1], "wait") == 0) {
        char byte;
        say("ready");
        return (int)read(0, &byte, 1);
    } else if (strcmp(argv[1], "children") == 0) {
        end_children(argc - 2, argv + 2);
    } else {
        pid_t parent = getpid();
        if (fork() == 0) {
            kill(parent, atoi(argv[2]));
            _exit(0);
        }
        spin();
    }
    return 3;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o spin spin.c
mkfifo in out
# run CORE SIGNAL WORD...: sends the signal, a number, when the guest is ready, and shows what remains
run() {
    core=$1 signal=$2
    shift 2
    env --default-signal pcemu --core "$core" --no-program -o report --stats stats ./spin "$@" < in > out 2> said & pid=$!
    exec 3> in 4< out
    read -r ready <&4
    [ "$ready" = ready ] || echo "not ready: $ready"
    kill -"$signal" $pid
    cat <&4
    exec 3>&- 4<&-
    status=0
    wait $pid || status=$?
    echo "$signal: $status, $(sed -n 's/^pcemu: //; /profile/!p' said)," \
        "$(grep -c '^PARTIAL' report) partial, $(find . -name '*.partial' | wc -l) left"
    rm -f report stats
}
for signal in 1 2 3 4 5 6 7 8 11 12 13 14 15 16 24 25 26 27 29 30 31 32 33 34 64; do run inorder $signal spin; done
echo '--- a guest that waits'
for signal in 13 15 26 33; do run functional $signal wait; done
echo '--- a guest that handles the signal'
for signal in 3 7 10 11 13 14 24 25 26 32 33 34; do run ooo $signal handle $signal; done
echo '--- between processes of the guest'
all="1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 24 25 26 27 29 30 31 32 33 34 64"
# shellcheck disable=SC2086 # numbers, meant to be split
for option in --core=functional --follow-children; do
    env --default-signal pcemu $option --no-program ./spin children $all 2> said
    sed 's/, after.*//' said
done
for signal in 10 13 15 32 33; do
    status=0
    pcemu --core ooo --no-program -o report ./spin parent $signal 2> said || status=$?
    echo "$signal: $status, $(sed 's/, after.*//' said), $(grep -c '^PARTIAL' report) partial"
done
