# Outputs of guests that change what they share with pcemu: the working folder, the mask, descriptors, limits, flags.
cat > hostile.c << 'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    struct rlimit none = {0, 0};
    umask(0777);
    if (argv[1][0] == 'c')
        return chdir("/") != 0;
    if (argv[1][0] == 'm')
        return rename("folder", "moved") != 0 || chdir("/") != 0;
    if (argv[1][0] == 'f') {
        int status;
        if (chdir("/") == 0 && fork() > 0)
            wait(&status);
        return 0;
    }
    if (argv[1][0] == 's') {
        if (chdir("/") != 0)
            return 1;
        abort();
    }
    if (argv[1][0] == 'n')
        return fcntl(1, F_SETPIPE_SZ, 4096) < 0 || fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK) != 0;
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_FSIZE, &none);
    while (open("/dev/null", O_RDONLY) >= 0)
        continue;
    if (argv[1][0] == 'd')
        syscall(SYS_close_range, 0, ~0u, 0);
    while (open("/dev/null", O_RDONLY) >= 0)
        continue;
    return 0;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o hostile hostile.c
export SOURCE_DATE_EPOCH=1000000000
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
run() {
    rm -rf out moved
    mkdir out
    try pcemu --no-program --profile oracle "$@"
    (cd out && ls -lA | awk 'NR > 1 { print $1, ($5 > 0 ? "has data" : "is empty"), $NF }')
}
all='-o out/report --stats out/stats --kanata out/log --trace retire --trace-file out/trace --record out/record --collect out/store'
# shellcheck disable=SC2086 # options, meant to be split
for what in chdir descriptors open; do
    echo "$what:"
    run $all ./hostile $what
    # with as few descriptors as the run needs
    (ulimit -n 48; run $all ./hostile $what)
    pcprof list out/store | grep -c hostile
done
echo "a folder that moves:"
mkdir folder
run -o folder/report --stats folder/stats ./hostile move; ls -A moved
echo "a child:"
run --follow-children -o out/report --stats out/stats ./hostile fork
echo "harts:"
run --harts 2 --by-hart -o out/report ./hostile chdir
echo "a signal:"; rm -r out; mkdir out
try pcemu --no-program -o out/report ./hostile signal 2>&1 | sed 's/, after .*//'
try pcemu --no-program --skip-insts 2k --start-at fork --record out/record ./hostile fork; ls -A out
# The reader of a pipe that does not block is slower than pcemu.
report() { pcemu --no-program --profile oracle --format json --trace retire "$@" ./hostile non-blocking; }
report -o expected --trace-file expected.trace | cat
report -o - --trace-file trace | cmp - expected; cmp trace expected.trace
{ report -o report 2>&1 >&3 3>&- | cat > trace; } 3>&1 | cat; cmp trace expected.trace; cmp report expected
{ pcemu --no-program --profile oracle --format json ./hostile non-blocking 2>&1; } | cmp - expected
# Standard streams that are full or closed.
for options in '-o /dev/null' '--trace commit' '--profile oracle' '--profile oracle --format json'; do
    # shellcheck disable=SC2086 # options, meant to be split
    {
        pcemu --no-program $options ./hostile chdir 2> /dev/full; echo "full: status $?"
        pcemu --no-program $options ./hostile chdir 2>&-; echo "closed: status $?"
    }
done
pcemu --no-program -o - ./hostile chdir > /dev/full; echo "full: status $?"
pcemu --no-program -o - ./hostile chdir >&-; echo "closed: status $?"
pcemu --no-program --trace commit --trace-file /dev/full ./hostile chdir; echo "full: status $?"
