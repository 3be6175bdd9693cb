#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the guests of this folder on several harts, on both cores.
#   run.sh [BUILD]            a small number of runs, for make check
#   run.sh BUILD litmus RUNS  litmus tests alone, on the out-of-order core: RUNS runs of each shape on as many harts as
#                             it has threads, and a tenth of that on each larger number up to 4; the others disturb
# Litmus tests: no outcome that total store order forbids, but without fences and with fence.tso the one that it allows
# for store buffering; a second run writes the same bytes. Counters: exact, with as many threads as harts and with
# more. Linux calls of threads that run at once: the output is in calls.out. Guests of tests/guest/vectors: the output
# and exit status are those of one hart; the statistics of guest_threads are the same in a second run. Threads bound to
# harts: the output is in pin.out.
set -eu

build=${1:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
bad=0

# on CORE HARTS GUEST ARGUMENT...; with the parameters in `set`
set=
on() {
    core=$1 harts=$2 guest=$3
    shift 3
    "$build/bin/pcemu" --core "$core" --no-program --harts "$harts" ${set:+--set "$set"} "$build/harts/$guest" "$@"
}

complain() {
    echo "run.sh: $*" >&2
    bad=1
}

# pause PID: makes pcemu print a line of progress, which descriptor 3 reads; fails if the run is over
pause() {
    until grep -q '^SigCgt:.*[2367abef]......$' "/proc/$1/status"; do kill -0 "$1" || return; done
    kill -USR1 "$1" && read -r _ <&3
} 2> /dev/null

# Shapes, with the least number of harts of each.
shapes='SB:2 MP:2 LB:2 R+:2 S+:2 2+2W:2 Co:2 WRC:3 ISA2:3 IRIW:4'

# One shape: RUNS are divided among its tests.
litmus_shape() {
    shape=$1 harts=$2 runs=$3
    tests=$(on ooo "$harts" litmus 1 "$harts" tso "$shape" | wc -l)
    on ooo "$harts" litmus $(((runs + tests - 1) / tests)) "$harts" tso "$shape" ||
        complain "$shape on $harts harts: an outcome that TSO forbids"
}

if [ "${2:-}" = litmus ]; then
    for harts in 2 3 4; do
        for each in $shapes; do
            [ "${each#*:}" -ne "$harts" ] || litmus_shape "${each%:*}" "$harts" "$3"
            [ "${each#*:}" -ge "$harts" ] || litmus_shape "${each%:*}" "$harts" $((($3 + 9) / 10))
        done
    done
    exit $bad
fi

for core in ooo inorder; do
    for harts in 2 4; do
        out=$tmp/litmus.$core.$harts
        on "$core" "$harts" litmus 32 "$harts" tso > "$out" || {
            complain "litmus, $core, $harts harts: an outcome that TSO forbids, or a failure:"
            grep -v -E '(forbidden: 0|allowed: [0-9]+)$' "$out" >&2 || true
        }
    done
done
awk '$1 ~ /^SB.(po|fence.tso)/ && $NF > 0 { found++ } END { exit found != 2 }' "$tmp/litmus.ooo.2" ||
    complain "litmus: no load before an earlier store on the out-of-order core: the tests see no reordering"
on ooo 2 litmus 32 2 tso > "$tmp/again" || true
cmp "$tmp/litmus.ooo.2" "$tmp/again" || complain "litmus: another output in a second run"

# Fewer harts than threads take long, as a thread spins until the other one's turn.
for run in 'ooo 8 100' 'inorder 8 100' 'ooo 3 16' 'inorder 2 16' 'ooo 8 40 page_fault_cycles=300'; do
    # shellcheck disable=SC2086 # core, harts, rounds and a parameter
    set -- $run
    set=${4:-}
    on "$1" "$2" counters "$3" 8 > "$tmp/counters" || {
        complain "counters, $1, $2 harts: exit status $?"
        cat "$tmp/counters" >&2
    }
done
set=
for run in 'ooo 4' 'ooo 8' 'inorder 2'; do
    # shellcheck disable=SC2086 # core and harts
    set -- $run
    status=0
    on "$1" "$2" calls > "$tmp/calls" 2>&1 || status=$?
    on "$1" "$2" calls exec >> "$tmp/calls" 2>&1 || complain "calls exec, $1, $2 harts: exit status $?"
    [ "$status" -eq 7 ] || complain "calls, $1, $2 harts: exit status $status, expected 7"
    diff "$(dirname "$0")/calls.out" "$tmp/calls" >&2 || complain "calls, $1, $2 harts: other output"
done

# Threads bound to harts: the statistics are the same in a second run, unless processes of the host take part.
for run in 'ooo 2' 'ooo 4' 'ooo 8' 'inorder 4'; do
    # shellcheck disable=SC2086 # core and harts
    set -- $run
    timeout 300 "$build/bin/pcemu" --core "$1" --no-program --harts "$2" "$build/harts/pin" "$2" > "$tmp/pin" ||
        complain "pin, $1, $2 harts: exit status $?"
    diff "$(dirname "$0")/pin.out" "$tmp/pin" >&2 || complain "pin, $1, $2 harts: other output"
done
timeout 300 "$build/bin/pcemu" --no-program "$build/harts/pin" 1 | diff "$(dirname "$0")/pin.out" - >&2 ||
    complain "pin, functional core: other output"
for again in 1 2; do
    timeout 300 "$build/bin/pcemu" --core ooo --no-program --harts 3 --stats "$tmp/pin.$again" "$build/harts/pin" 3 \
        alone > "$tmp/pin" || complain "pin alone: exit status $?"
done
cmp "$tmp/pin.1" "$tmp/pin.2" || complain "pin: other statistics in a second run"

# More threads than harts with all kinds of locks: locks.out is also the output of a system with as many processors.
for run in '1000 --core functional' '200 --core ooo --harts 4' '200 --core inorder --harts 8'; do
    # shellcheck disable=SC2086 # threads and options
    set -- $run
    threads=$1
    shift
    timeout 300 "$build/bin/pcemu" "$@" --no-program "$build/harts/locks" "$threads" > "$tmp/locks" ||
        complain "locks, $*: exit status $?"
    diff "$(dirname "$0")/locks.out" "$tmp/locks" >&2 || complain "locks, $*: other output"
done

# SIGUSR1 pauses a run for a line of progress: results do not depend on when. The run is under way when it catches
# SIGVTALRM, which it ignores before; a signal follows the line of the one before it.
mkfifo "$tmp/progress"
trap '' VTALRM
for core in ooo inorder; do
    options="--core $core --harts 4 --no-program $build/harts/locks 40"
    # shellcheck disable=SC2086 # a list of options
    "$build/bin/pcemu" --stats "$tmp/whole" $options > "$tmp/locks" || complain "locks, $core: exit status $?"
    # shellcheck disable=SC2086 # a list of options
    "$build/bin/pcemu" --stats "$tmp/paused" $options > "$tmp/locks" 2> "$tmp/progress" &
    exec 3< "$tmp/progress"
    pauses=0
    while [ $pauses -lt 200 ] && pause $!; do pauses=$((pauses + 1)); done
    cat <&3 > "$tmp/rest"
    exec 3<&-
    wait $! || complain "locks with pauses, $core: exit status $?"
    cmp "$tmp/whole" "$tmp/paused" || complain "locks, $core: other statistics after $pauses pauses"
done
trap - VTALRM

# vector FILE OPTION...: output and exit status of the guest
vector() {
    file=$1 status=0
    shift
    timeout 300 "$build/bin/pcemu" "$@" --no-program "$build/harts/guest_$guest" < /dev/null > "$file" 2> /dev/null ||
        status=$?
    echo "exit status $status" >> "$file"
}
for guest in waits events blocking process robust siginfo threads; do
    harts=3
    [ "$guest" != waits ] || harts=8
    vector "$tmp/one"
    vector "$tmp/several" --core ooo --harts "$harts" --stats "$tmp/statistics"
    diff "$tmp/one" "$tmp/several" >&2 || complain "guest_$guest, $harts harts: not the output of one hart"
done
vector "$tmp/several" --core ooo --harts "$harts" --stats "$tmp/again"
cmp "$tmp/statistics" "$tmp/again" || complain "guest_$guest: other statistics in a second run"

[ "$bad" -ne 0 ] || echo "harts: $(wc -l < "$tmp/litmus.ooo.4") litmus tests, counters and Linux calls on both cores"
exit $bad
