#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Basic-block vectors of pcemu --bbv:
#   - those of a guest whose instructions do not depend on the emulator, derived from the log of qemu-riscv64;
#   - those of the workloads and of guests with threads, signals and processes: the same when code is interpreted, and
#     with checkpoints; each has the instructions of its interval, and all together those of the run.
# usage: run.sh [BUILD]
set -eu

build=$(realpath "${1:-build}")
here=$(realpath "$(dirname "$0")")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
bad=0
cd "$tmp"

complain() {
    echo "blocks/run.sh: $*" >&2
    bad=1
}

# bbv FILE INTERVAL OPTION... GUEST: its exit status is not judged
bbv() {
    file=$1 interval=$2
    shift 2
    "$build/bin/pcemu" --bbv "$file" --interval "$interval" "$@" > out 2> err < /dev/null || true
    [ -s "$file" ] || complain "$*: no vectors: $(cat err)"
}

# sums INTERVAL FILE: complains of vectors of other sizes, and prints the number of all instructions
sums() {
    awk -v interval="$1" '
        /^T/ {
            if (last != "" && last != interval)
                print "a vector of " last " instructions" > "/dev/stderr"
            last = 0
            for (i = 1; i <= NF; i++) {
                split($i, part, ":")
                last += part[3]
            }
            sum += last
        }
        END { print sum }' "$2"
}

against_qemu() {
    qemu=$(command -v qemu-riscv64) || { echo 'blocks/run.sh: skipped: no qemu-riscv64' >&2; return 0; }
    riscv64-linux-gnu-objdump -d -M no-aliases "$build/blocks/straight" > listing
    "$qemu" -singlestep -d exec,nochain -D log "$build/blocks/straight" > expected.out
    for interval in 1 7 100 5000 1000000; do
        awk -v interval=$interval -f "$here/vectors.awk" listing log > expected
        for translate in 0 64; do
            bbv found "$interval" --translate "$translate" "$build/blocks/straight"
            cmp -s out expected.out || complain "straight: another output"
            diff expected found > difference || complain "straight, interval $interval, --translate $translate:
$(head -n 5 difference)"
        done
    done
}

# both NAME OPTION... GUEST: translated and interpreted
both() {
    name=$1
    shift
    bbv translated 7919 "$@"
    all=$(sums 7919 translated 2> wrong)
    [ ! -s wrong ] || complain "$name: $(head -n 1 wrong)"
    bbv interpreted 7919 --translate 0 "$@"
    cmp -s translated interpreted || complain "$name: other vectors when interpreted"
    "$build/bin/pcemu" --core functional --stats stats --format json "$@" > out 2> err < /dev/null || true
    expected=$(sed -n 's/.*"guest": {"instructions": \([0-9]*\).*/\1/p' stats)
    [ "$all" = "$expected" ] || complain "$name: $all instructions, expected $expected"
}

against_qemu
for guest in branchy interp hashjoin sort spmv; do both $guest --max-insts 700000 "$build/workloads/$guest"; done
for guest in threads signals exec; do
    seq 1000 3200 > input
    both $guest "$build/checkpoint/$guest"
done
bbv alone 50000 --max-insts 400000 "$build/workloads/branchy"
bbv with 50000 --max-insts 400000 --checkpoint-every 70k -o checkpoints "$build/workloads/branchy"
cmp -s alone with || complain 'other vectors with checkpoints'
[ -e checkpoints/350000.ckpt ] || complain 'no checkpoints with vectors'
exit $bad
