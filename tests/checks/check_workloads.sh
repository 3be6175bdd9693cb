#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs every workload on every shipped core with the co-processor and time profilers, with and without --check. --check
# compares each retired instruction with a second execution and checks the core's invariants in each cycle. Statistics
# and reports of both runs must be identical; output and exit status must equal those of the functional core and, if
# installed, of qemu-riscv64.
# usage: check_workloads.sh BUILD [short|long]     short: small sizes; long: default sizes
set -eu
build=$(cd "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
short='bitboard 1
branchy 1
chase 1
compiler 1
compress 1
coremix 1
dense 12
glacial 300
hashjoin 8
ilp 100
interp 1
interval 500
invariant 1
nops 300
phases 1
pixels 256
roots 300
search 1000
sites 500
sort 8
spmv 1
stencil 1
stores 1
transpose 1
triad 1'

# Each workload source must be listed. The long run uses the workload's default arguments.
names=$(for w in "$(dirname "$0")"/../eval/workloads/*.c; do basename "$w" .c; done)
for name in $names; do
    words=$(echo "$short" | grep "^$name ") || { echo "check_workloads.sh: no size for $name" >&2; exit 1; }
    if [ "${2:-short}" = long ]; then echo "$name"; else echo "$words"; fi
done > "$tmp/list"
# Workloads without such a small size run only the first part of their work, without output.
if [ "${2:-short}" = long ]; then limit=; else limit='--max-insts 250000'; fi

cd "$build/workloads"

# fails TEXT: prints TEXT and records the failure
fails() { echo "check_workloads.sh: $*" >&2; touch "$tmp/failed"; }

# pcemu NAME OPTION...: runs the workload in $words; output, exit status, statistics and report are files NAME.*
pcemu() {
    name=$tmp/$1
    shift
    status=0
    # shellcheck disable=SC2086 # a workload and its arguments
    "$build/bin/pcemu" --stats "$name.stats" --format json -o "$name.report" "$@" ./$words > "$name.out" \
        2> "$name.err" || status=$?
    echo "exit status $status" >> "$name.out"
}

same() { cmp -s "$tmp/$1" "$tmp/$2" || fails "$words on $config: $3"; }

while read -r words; do
    config='the functional core'
    # shellcheck disable=SC2086
    pcemu functional --core functional $limit
    if command -v qemu-riscv64 > /dev/null && [ -z "$limit" ]; then
        status=0
        # shellcheck disable=SC2086
        qemu-riscv64 ./$words > "$tmp/qemu.out" || status=$?
        echo "exit status $status" >> "$tmp/qemu.out"
        same qemu.out functional.out "other output or exit status than qemu-riscv64"
    fi
    for config in boom ev6 ev5; do
        for check in '' --check; do
            # shellcheck disable=SC2086
            pcemu "run$check" --config $config --program "$build/programs/value.pc" --profile oracle,tip:period=101 \
                $limit $check
        done
        same functional.out run.out "other output or exit status than the functional core"
        same run.out run--check.out "--check changes the output: $(tail -n 2 "$tmp/run--check.err")"
        same run.stats run--check.stats "two runs have different statistics"
        same run.report run--check.report "two runs have different reports"
    done
done < "$tmp/list"
[ ! -e "$tmp/failed" ] || exit 1
echo "$(wc -l < "$tmp/list") workloads on boom, ev6 and ev5: checked, reproduced, and as executed by others"
