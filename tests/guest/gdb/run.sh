#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Debugs guests with gdb over pcemu --gdb, on each core: each NAME.gdb is a script, and its first line has the guest
# and its arguments. The output must equal NAME.out, without addresses. Scripts that name qemu-riscv64 are also run with
# that in place of pcemu, and must have the same output there. Without gdb-multiarch nothing is tested.
# The values of types.txt and bases.txt must be the same in gdb and in pcemu's own debugger.
# usage: run.sh BUILD [NAME...]     without names: all
set -eu
build=$(cd "$1" && pwd) here=$(pwd)/tests/guest/gdb bad=0
shift
if ! command -v gdb-multiarch > /dev/null; then
    echo "gdb: not tested, as gdb-multiarch is not installed: ./bootstrap check-gdb"
    exit 0
fi
tmp=$(mktemp -d /tmp/gdb.XXXXXXXX)
trap 'rm -rf "$tmp"' EXIT
export PATH="$build/bin:$PATH" LC_ALL=C HOME="$tmp" DEBUGINFOD_URLS=
# shellcheck disable=SC2046 # names, meant to be split
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.gdb | sed 's|^\./||; s|\.gdb$||')
cp "$here"/*.c "$here"/*.cc "$here"/*.pasm "$tmp"
cd "$tmp"
for guest in mix spin threads types; do
    "${RVCC:-riscv64-linux-gnu-gcc}" -O0 -g -static -o $guest $guest.c
done
"${RVCXX:-riscv64-linux-gnu-g++}" -O0 -g -static -o bases bases.cc
for program in *.pasm; do
    pcasm -o "${program%.pasm}.out" "$program"
done

debug() { # SCRIPT PROGRAM CONNECTION
    timeout --foreground -k 10 600 gdb-multiarch -nx -batch -ex 'set pagination off' -ex 'set confirm off' \
        -ex 'set width 0' -ex "file $2" -ex "target remote $3" -x "$1" 2>&1 < /dev/null |
        sed -E "s/0x[0-9a-f]{4,}/ADDRESS/g; s|$PWD/||g; s|$here/||g; s/\((Remote target|process 1)\)/(guest)/; /^Reading .* from remote target/d; /^warning: File transfers/d"
}

compare() { # NAME WHAT
    cmp -s "$here/$1.out" out && return
    diff -u "$here/$1.out" out || true
    echo "$1.gdb: the output with $2 differs" >&2
    bad=1
}

with_qemu() { # SCRIPT PROGRAM ARGUMENT...
    script=$1
    shift
    rm -f socket
    qemu-riscv64 -g "$PWD/socket" "$@" > said 2>&1 &
    pid=$!
    until [ -S socket ] || ! kill -0 $pid 2> /dev/null; do :; done
    debug "$script" "$1" ./socket > out
    wait $pid || true
}

# The values of variables before the first instruction, one a line, without their names. gdb's of pointers have a type
# in front.
values() { # GUEST
    sed 's/^/print /' "$here/$1.txt" > print.gdb
    debug print.gdb "$1" "| pcemu --core functional --gdb - $1 2> said" |
        sed -E '/_start/d; s/ADDRESS/0x/g; s/^\$[0-9]* = (\([^)]*\*\) )?//' > expected
    sed 's/^/print guest /; $a quit' "$here/$1.txt" |
        pcemu -x - --program taken.out "$1" 2>&1 | sed '/^(pcemu) /d; /^position /d; s/^[^=]* = //; s/0x[0-9a-f]\{4,\}/0x/g' > out
    cmp -s expected out && return
    diff -u expected out || true
    echo "$1.txt: the values of pcemu differ from those of gdb" >&2
    bad=1
}
values types
values bases

# Ctrl-C in the terminal of pcemu, before gdb has connected. SIGINT is repeated, as the first one can come before pcemu
# waits.
interrupted_waiting() {
    rm -f socket
    env --default-signal=INT pcemu --no-program --gdb ./socket -o report mix 2> said &
    pid=$!
    until grep -q waiting said || ! kill -0 $pid 2> /dev/null; do :; done
    until grep -q 'interrupted$' said || ! kill -INT $pid 2> /dev/null; do :; done
    status=0
    wait $pid || status=$?
    [ $status = 130 ] && grep -q 'interrupted$' said && ! [ -e socket ] && return
    echo "SIGINT while pcemu waits for gdb: expected status 130, interrupted, and no socket; found $status:" >&2
    cat said >&2
    bad=1
}
interrupted_waiting

# Ctrl-C in the terminal of pcemu while the guest runs is a stop for gdb; while it does not run, it ends pcemu.
interrupted_running() {
    rm -f socket stopped
    env --default-signal=INT pcemu --no-program --core functional --gdb ./socket -o report spin > ran 2> said &
    pid=$!
    until grep -q waiting said || ! kill -0 $pid 2> /dev/null; do :; done
    printf 'continue\nshell touch stopped; while kill -0 %d; do :; done 2> /dev/null\n' $pid > running.gdb
    debug running.gdb spin ./socket > out &
    debugger=$! status=0
    until grep -q running ran || ! kill -0 $pid 2> /dev/null; do :; done
    kill -INT $pid
    until [ -e stopped ] || ! kill -0 $debugger 2> /dev/null; do :; done
    kill -INT $pid
    wait $pid || status=$?
    wait $debugger
    [ $status = 130 ] && grep -q 'received signal SIGINT' out && return
    echo "SIGINT in pcemu: expected a stop by SIGINT, then status 130, found $status:" >&2
    cat out said >&2
    bad=1
}
interrupted_running

for name; do
    script=$here/$name.gdb
    guest=$(sed -n 's/^# guest: //p' "$script") options=$(sed -n 's/^# options: //p' "$script")
    for core in $(sed -n 's/^# cores: //p' "$script" | grep . || echo functional inorder ooo); do
        debug "$script" "${guest%% *}" \
            "| pcemu --core $core ${options:---no-program} -o report --gdb - $guest 2> said" > out
        if [ -n "${BLESS:-}" ]; then
            cp out "$here/$name.out"
        else
            compare "$name" "pcemu --core $core"
        fi
    done
    if grep -q '^#.*qemu-riscv64' "$script"; then
        # shellcheck disable=SC2086 # words, meant to be split
        with_qemu "$script" $guest
        compare "$name" qemu-riscv64
    fi
done
exit $bad
