#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the tools with each of their system calls of a kind failing once, in turn, killed there, and with signals that
# arrive there. Each run ends in a message and exit status 2, in the name of the signal and its status, or in a complete
# result. An output is what it was before, or complete. Only a run that is killed leaves partial files.
# usage: run.sh BUILD [all]     all: more tools, more errors, and all calls from one on failing
set -eu
build=$(cd "$1" && pwd) root=$(pwd) all=${2:-} runs=0 bad=0
tmp=$(mktemp -d /tmp/faults.XXXXXXXX)
trap 'rm -rf "$tmp"' EXIT
PATH=$build/bin:$build/tests/faults:$PATH
export LC_ALL=C SOURCE_DATE_EPOCH=1000000000
mkdir "$tmp/expected" "$tmp/run"
cp "$root/programs/value.pasm" "$build/tests/faults/nothing" "$tmp/run"
cd "$tmp/run"
printf 'load pc=0x100 result=1\n' > samples

complain() {
    echo "inject $kind $n $error $command: $1" >&2
    sed 's/^/    /' < ../err >&2
    bad=1
}

# An output has all that it has of a run without faults, or what it had before.
check_output() {
    if ! cmp -s "$1" "../expected/$1"; then
        [ "$status" != 0 ] || complain "$1 differs"
        [ "$(cat "$1")" = "old $1" ] || complain "$1 is incomplete"
    fi
}

# If all writes fail, that of the message does, too.
check_message() {
    case $kind$n in
    write*+) ;;
    write* | name*) grep -q "^${command%% *}: .*$reason" ../err || complain "no message with the reason" ;;
    *) grep -q "^${command%% *}: " ../err || complain "no message" ;;
    esac
}

# Checks what a run has left. Uses the variables of inject_one.
check() {
    case $status in
    0) ;;
    2) check_message ;;
    137) [ "$error" = KILL ] || complain "killed" ;;
    *) complain "exit status $status" ;;
    esac
    for output in $outputs; do check_output "$output"; done
    for left in .*.partial; do
        [ "$left" = '.*.partial' ] || [ "$status" = 137 ] || complain "$left is left"
    done
}

inject_one() {
    rm -f .*.partial
    for output in $outputs; do echo "old $output" > "$output"; done
    status=0
    # shellcheck disable=SC2086 # a command and its arguments
    timeout -s KILL 60 inject "$kind" "$n" "$error" $command > /dev/null 2> ../err || status=$?
    [ "$status" != 201 ] || { cat ../err; echo "no faults are injected here"; exit 0; }
    runs=$((runs + 1))
    [ "$status" = 200 ] || check
}

# inject_all COMMAND OUTPUTS [KINDS]: each call of each kind, or without `all` of KINDS.
inject_all() {
    command=$1 outputs=$2 kinds=${3:-}
    $command > /dev/null 2>&1
    for output in $outputs; do cp "$output" ../expected/; done
    while read -r kind error reason; do
        case $all:$kinds in
        : | :*"$kind $error"* | all:*) ;;
        *) continue ;;
        esac
        calls=0 status=0
        while [ $status != 200 ]; do
            calls=$((calls + 1)) n=$calls
            inject_one
        done
        if [ -z "$all" ] || [ "$error" = KILL ]; then continue; fi
        n=1+ status=0
        while [ $status != 200 ] && [ "${n%+}" -lt $calls ]; do
            inject_one
            n=$((${n%+} + 1))+
        done
    done < ../faults
}

# All signals whose default action ends a process, but SIGKILL, and SIGUSR1, which requests a line of progress.
signals="1 2 3 4 5 6 7 8 11 12 13 14 15 16 24 25 26 27 29 30 31 $(seq -s ' ' 32 64)"
next=$signals

# A run to which $numbers were sent ends by the first that it takes: by the only one of them that ends a process. A run
# of a guest ends with outputs that are partial. Status 137 is that of a run that did not end, and was killed.
check_signalled() {
    case $numbers in
    *,*,*) { [ "$status" -gt 128 ] && [ "$status" != 137 ]; } || complain "exit status $status" ;;
    *) [ "$status" = $((128 + ${numbers%,*})) ] || complain "exit status $status" ;;
    esac
    grep -q "^${command%% *}: \(interrupted\|ended by SIG\)" ../err || complain "the signal is not named"
    if ! grep -qs '^PARTIAL' report; then
        for output in $outputs; do check_output "$output"; done
    fi
    for left in .*.partial; do [ "$left" = '.*.partial' ] || complain "$left is left"; done
}

# signal_all COMMAND OUTPUTS KINDS: at each call of these kinds the next signal, and with it one that would stop the
# process; or, for the kind after a word `storm`, all signals.
signal_all() {
    command=$1 outputs=$2 storm=
    rm -f report
    $command > /dev/null 2>&1
    for output in $outputs; do cp "$output" ../expected/; done
    for kind in $3; do
        n=0 status=0
        [ "$kind" != storm ] || { storm=yes; continue; }
        while [ $status != 200 ]; do
            n=$((n + 1)) number=${next%% *} status=0
            next="${next#* } $number" numbers=$number
            [ "$number" -gt 20 ] || numbers=$number,20 # the lower number is taken first
            [ -z "$storm" ] || numbers=$(echo "$signals 20 21 22" | tr ' ' ,)
            error=+$numbers
            for output in $outputs; do echo "old $output" > "$output"; done
            # shellcheck disable=SC2086 # a command and its arguments
            timeout -s KILL 60 inject "$kind" $n "$error" $command > /dev/null 2> ../err || status=$?
            runs=$((runs + 1))
            [ $status = 200 ] || check_signalled
        done
    done
}

cat > ../faults << 'FAULTS'
open EMFILE Too many open files
read EIO Input/output error
write ENOSPC No space left on device
write KILL
name EDQUOT Disk quota exceeded
name KILL
close EIO Input/output error
memory ENOMEM memory
restrict EPERM Operation not permitted
FAULTS
inject_all "pcasm -o image -l listing value.pasm" "image listing"
pcasm -D SLOTS=64 value.pasm
inject_all "pcemu --core samples:samples -o report --format json --stats stats" "report stats"
writes="-o report --stats stats --kanata log --timeline line --perf perf --trace commit --trace-file trace --record recording"
inject_all "pcemu --profile oracle $writes ./nothing" "report stats log trace recording" \
    'open EMFILE, read EIO, write ENOSPC, name EDQUOT, name KILL, memory ENOMEM'
signal_all "pcasm -o image -l listing value.pasm" "image listing" "open read write name close storm write name"
signal_all "pcemu --profile oracle $writes ./nothing" "report stats log trace recording" \
    "open read write name close storm write name"
if [ -n "$all" ]; then
    signal_all "pcdis -o source pc.out" "source" "open read write name close memory"
    signal_all "pcemu --core samples:samples -o report --format json" "report" "open read write name close memory"
    signal_all "pcemu --profile oracle $writes ./nothing" "report stats log trace recording" "status memory storm memory"
    pcemu --no-program --profile oracle --format json -o saved ./nothing
    signal_all "pcprof show --format json -o shown saved" "shown" "open read write name close memory storm write name"
fi
# fault KIND ERROR STATUS WORDS: one of the calls of the kind ends a run of the guest with this status and message
fault() {
    n=0
    while n=$((n + 1)); do
        status=0
        inject "$1" $n "$2" pcemu --core functional ./nothing > /dev/null 2> ../err || status=$?
        runs=$((runs + 1))
        [ $status != 200 ] || { echo "faults: no call of $1 with $2 says '$4'" >&2; bad=1; break; }
        if [ $status = "$3" ] && grep -q "$4" ../err; then break; fi
    done
}
fault status EIO 2 './nothing: Input/output error'
fault read EIO 2 './nothing: offset 0x.*: Input/output error'
fault read =0 2 'segment: expected more bytes'
# The same read is made again after a signal.
inject read $n EINTR pcemu --core functional ./nothing || { echo "faults: an interrupted read is not repeated" >&2; bad=1; }
# A confined process, whose outputs another one completes.
if pcemu --core functional --confine ./nothing 2> ../err; then
    inject_all "pcemu --confine --read-only --profile oracle -o report --stats stats ./nothing" "report stats" \
        'restrict EPERM, name EDQUOT, name KILL, memory ENOMEM'
else
    echo "faults: not of a confined process: $(cat ../err)"
fi
if [ -n "$all" ]; then
    inject_all "pcdis -o source pc.out" "source"
    pcemu --no-program --profile oracle --collect store --format json -o saved ./nothing
    inject_all "pcprof show --format json -o shown saved" "shown"
    inject_all "pcprof report store -o page" "page"
    inject_all "pcprof export --to pprof -o profile store" "profile"
fi
echo "faults: $runs runs"
exit $bad
