#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that go on from checkpoints, beside the uninterrupted run. For each guest and each of its checkpoints:
#   - what the run prints before and behind the checkpoint, and each of its system calls with its result (--strace), are
#     those of the uninterrupted run; so are the exit status and the files that it writes;
#   - statistics, profile and output of both cores from there on are those of a run with --skip-insts, by the byte;
#   - with caches and predictors that the run has warmed (--warm), so are statistics and reports, in text and JSON, of
#     each shipped configuration, with profilers and with a profiling program.
# Then guests with what no checkpoint holds, and files that are not what they were.
# usage: run.sh [BUILD]
set -eu

build=$(realpath "${1:-build}")
guests=$build/checkpoint
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
bad=0

complain() {
    echo "run.sh: $*" >&2
    bad=1
}

# input FILE: 3 pages of text, the last one not whole
input() { seq 1000 3200 > "$1"; }

# start NAME: an empty folder for a run, with its input
start() {
    rm -rf "$tmp/run"
    mkdir "$tmp/run"
    cd "$tmp/run"
    input input
    touch -d 2020-01-02 input
}

# guest ARGUMENT...: pcemu with the options, and the guest
status=0
guest() {
    status=0
    # shellcheck disable=SC2086 # options
    "$build/bin/pcemu" $options "$@" < input || status=$?
}

# compare NAME AT FILE FILE
compare() {
    cmp "$3" "$4" > "$tmp/difference" 2>&1 || complain "$1 after $2: $(cat "$tmp/difference")"
}

# places LAST: numbers of instructions, spread over the run
places() { awk -v n="$1" 'BEGIN { for (i = 1; i < 6; i++) printf "%d ", n * i / 6 + i * i * 37; print int(n) - 9 }'; }

# files: what the guest has written
files() { find . -name output -exec cat {} + 2> /dev/null; find . -mindepth 2 -printf '%p %m\n' | sort; }

# whole NAME WORD...: the uninterrupted run; its number of instructions is in `length`
whole() {
    start
    options='--core functional --strace'
    guest "$@" > "$tmp/whole.out" 2> "$tmp/whole.calls"
    whole_status=$status
    files > "$tmp/whole.files"
    start
    options='--core functional --checkpoint-at 999G -o ck'
    guest "$@" > "$tmp/unused.out" 2> "$tmp/message"
    length=$(sed -n 's/.*exited after \([0-9,]*\) instructions.*/\1/p' "$tmp/message" | tr -d ,)
    [ -n "$length" ] || complain "$1: no number of instructions"
}

# both NAME AT WORD...: goes on from the checkpoint after AT instructions, where the run that writes it stops
both() {
    name=$1 at=$2
    shift 2
    start
    options="--core functional --strace --max-insts $at --checkpoint-at $at -o ../ck.$at"
    guest "$@" > "$tmp/begin.out" 2> "$tmp/begin.all"
    [ -e "../ck.$at/$at.ckpt" ] || {
        complain "$name after $at: $(grep -v '^[0-9]* [a-z_0-9]*(' "$tmp/begin.all" | head -n 1)"
        return
    }
    grep -v '^pcemu: ' "$tmp/begin.all" > "$tmp/begin.calls" || true
    options="--core functional --strace --restore ../ck.$at/$at.ckpt"
    guest > "$tmp/end.out" 2> "$tmp/end.calls"
    cat "$tmp/begin.out" "$tmp/end.out" > "$tmp/both.out"
    cat "$tmp/begin.calls" "$tmp/end.calls" > "$tmp/both.calls"
    files > "$tmp/both.files"
    [ "$status" -eq "$whole_status" ] || complain "$name after $at: exit status $status instead of $whole_status"
    compare "$name" "$at" "$tmp/whole.out" "$tmp/both.out"
    compare "$name" "$at" "$tmp/whole.calls" "$tmp/both.calls"
    compare "$name" "$at" "$tmp/whole.files" "$tmp/both.files"
}

# detailed NAME AT CORE WORD...: statistics and profile from the checkpoint on; `machine` has options of the machine
machine=
detailed() {
    name=$1 at=$2 core=$3
    shift 3
    profile="--core $core $machine --no-program --max-insts 40000 --profile oracle,tip:period=97,counts --format json"
    start
    options="$profile --skip-insts $at --stats ../skip.stats -o ../skip.json"
    guest "$@" > ../skip.out
    skip_status=$status
    start
    options="--core $core $machine --max-insts $at --checkpoint-at $at -o ../ck.$core.$at"
    guest "$@" > ../before.out 2> "$tmp/message"
    options="$profile --restore ../ck.$core.$at/$at.ckpt --stats ../restore.stats -o ../restore.json"
    guest > ../restore.out
    [ "$status" -eq "$skip_status" ] || complain "$name after $at: exit status $status instead of $skip_status"
    cat ../before.out ../restore.out > ../restored.out
    compare "$name on $core" "$at" ../skip.stats ../restore.stats
    compare "$name on $core" "$at" ../skip.json ../restore.json
    compare "$name on $core" "$at" ../skip.out ../restored.out
}

# same_report NAME AT OPTIONS WORD...: what is simulated in detail behind --skip-insts AT --warm, and from the
# checkpoint `warm`, with these options, in text and JSON
same_report() {
    name=$1 at=$2 measured=$3
    shift 3
    for form in text json; do
        start
        options="$measured --format $form --skip-insts $at --warm --stats ../skip.stats -o ../skip.report"
        guest "$@" > ../skip.out 2> ../skip.messages
        skip_status=$status
        rm -rf "$tmp/run"
        cp -a "$tmp/warm.run" "$tmp/run"
        cd "$tmp/run"
        options="$measured --format $form --restore ../warm/$at.ckpt --stats ../restore.stats -o ../restore.report"
        guest > ../restore.out 2> ../restore.messages
        [ "$status" -eq "$skip_status" ] || complain "$name after $at: exit status $status instead of $skip_status"
        cat ../before.out ../restore.out > ../restored.out
        for part in stats report messages; do
            compare "$name ($measured)" "$at" ../skip.$part ../restore.$part
        done
        compare "$name ($measured)" "$at" ../skip.out ../restored.out
    done
}

# warmed NAME AT CONFIGURATION WORD...: reports from a checkpoint with warmed caches and predictors on
warmed() {
    name=$1 at=$2 configured="--config $3 $machine"
    shift 3
    rm -rf "$tmp/warm" "$tmp/warm.run"
    start
    options="$configured --warm --max-insts $at --checkpoint-at $at -o ../warm"
    guest "$@" > ../before.out 2> "$tmp/message"
    cp -a "$tmp/run" "$tmp/warm.run"
    profile='--no-program --profile oracle,tip:period=97,counts,counter:event=cycles:period=101'
    same_report "$name" "$at" "$configured --max-insts 40000 $profile" "$@"
    [ -n "$machine" ] ||
        same_report "$name" "$at" "$configured --max-insts 40000 --program $build/programs/value.pc" "$@"
}

# check WORD...: a guest at several places
check() {
    name=$(basename "$1")
    whole "$@"
    core=ooo
    config=boom
    for at in $(places "$length"); do
        both "$name" "$at" "$@"
        detailed "$name" "$at" "$core" "$@"
        [ "$core" = ooo ] && core=inorder || core=ooo
        warmed "$name" "$at" $config "$@"
        case $config in
            boom) config=ev6 ;;
            ev6) config=ev5 ;;
            *) config=boom ;;
        esac
    done
    rm -rf "$tmp"/ck.*
}

check "$guests/files" ../input output
check "$guests/memory" input
check "$guests/signals"
check "$guests/threads"
check "$guests/exec" "$guests/memory" input

# Threads that go on at once on two harts, and a core that models page faults.
whole "$guests/threads"
machine='--harts 2'
detailed 'threads on two harts' $((length / 2)) ooo "$guests/threads"
warmed 'threads on two harts' $((length / 2)) boom "$guests/threads"
whole "$guests/memory" input
machine='--set page_fault_cycles=300'
detailed 'memory with page faults' $((length / 3)) ooo "$guests/memory" input
warmed 'memory with page faults' $((length / 3)) ev5 "$guests/memory" input
machine='--set page_placement=random'
warmed 'memory at random places' $((length / 3)) boom "$guests/memory" input
machine='--set predictor=bimodal --set walk_levels=0'
warmed 'memory with another predictor' $((length / 3)) ev5 "$guests/memory" input
machine=

# One run with several checkpoints, which share their pages: each of them goes on as the run does, also in a folder of
# another name.
start
options='--core functional --checkpoint-every 100k -o ck'
guest "$guests/memory" input > whole.out 2> message || true
mv ck other
for file in other/*.ckpt; do
    at=$(basename "$file" .ckpt)
    options="--core functional --max-insts $at"
    guest "$guests/memory" input > begin.out 2> /dev/null
    options="--core functional --restore $file"
    guest > end.out
    cat begin.out end.out > both.out
    compare 'memory in one run' "$at" whole.out both.out
done
[ "$(find other -name '*.ckpt' | wc -l)" -gt 3 ] || complain "memory: expected several checkpoints"

# Warming goes on from a checkpoint, and is that of one run; a run can have several checkpoints.
start
options='--warm --checkpoint-every 100k -o ../warm'
rm -rf "$tmp/warm"
guest "$guests/memory" input > out 2> message || true
for file in ../warm/300000.ckpt ../warm/100000.ckpt; do
    at=$(basename "$file" .ckpt)
    measured='--no-program --profile oracle,tip:period=97 --max-insts 40000'
    options="$measured --skip-insts 350k --warm -o whole"
    guest "$guests/memory" input > out
    options="$measured --restore $file --skip-insts $((350000 - at)) --warm -o part"
    guest > out
    compare 'memory, warmed in two runs' "$at" whole part
done

# What is configured otherwise is cold, and the report says so. A checkpoint that is not warmed is cold without a word.
start
options='--no-program --profile oracle --max-insts 20000 --restore ../warm/300000.ckpt --set l1d_bytes=16384 -o cold'
guest > out 2> message
cold='L1D (l1d_bytes=16384, warmed with 32768)'
grep -q "warm/300000.ckpt: configured otherwise, and cold at the start: $cold\$" message ||
    complain "another cache: $(cat message)"
grep -q "cold at the start *$cold\$" cold || complain "another cache: $(cat cold)"
options='--no-program --profile oracle --max-insts 20000 --restore ../warm/300000.ckpt -o warm'
guest > out 2> message
grep -q cold message warm && complain "the same caches: $(cat message)"

# What no checkpoint holds. The guest runs to its end.
while read -r kind words; do
    start
    options='--checkpoint-at 500k -o ck'
    guest "$guests/refused" "$kind" 2> message
    [ "$status" -eq 2 ] || complain "refused $kind: exit status $status instead of 2"
    grep -q "no checkpoint after 500,000 instructions: $words" message || complain "refused $kind: $(cat message)"
    [ ! -e ck/500000.ckpt ] || complain "refused $kind: a checkpoint"
done << 'KINDS'
pipe descriptor 3 is a pipe
socket descriptor 3 is a socket
eventfd descriptor 3 is of events
timerfd descriptor 3 is of events
epoll descriptor 3 is no file
inotify descriptor 3 is no file
memfd descriptor 3 is a file of memory
child the guest has forked 1 process$
shm the guest has had a segment of shared memory
lock the guest holds a lock of a file, by descriptor 3$
poslock the guest holds a lock of a file, by descriptor 3$
ofdlock the guest holds a lock of a file, by descriptor 3$
removed descriptor 3 is of a file that has no name any more
listing descriptor 3 is a folder that is being listed
proc descriptor 3 is a file of memory
session the guest has begun a process group or a session
mapping the file .*/file is mapped to be written
waiting thread 1001 waits in read for a descriptor
KINDS

# What is not as it was in the run: nothing of the guest runs, and the message names it.
differs() {
    words=$1
    shift
    guest "$@" > out 2> message
    if [ "$status" -ne 2 ] || [ -s out ] || ! grep -q "$words" message; then
        complain "expected '$words': $(cat message)"
    fi
}
start
cp "$guests/files" program
options='--max-insts 100k --checkpoint-at 60k,100k -o ck -E A=1 -E B=2'
guest ./program ../input output > /dev/null 2> message
options='--core functional --restore ck/100000.ckpt'
cp ck/100000.ckpt whole.ckpt
differs 'expected the program of its run' "$guests/threads"
differs "expected the arguments of its run, '../input output', or none, found '../input'" ./program ../input
options='--core functional --restore ck/100000.ckpt -E A=2'
differs 'expected the environment'
options='--core functional --restore ck/100000.ckpt -L .'
differs 'expected -L of its run'
options='--core functional --restore ck/100000.ckpt --set clock_mhz=77'
differs 'clock_mhz'
options='--core functional --restore ck/100000.ckpt --set turn_cycles=77'
differs 'turn_cycles'
options='--core ooo --no-program --harts 2 --restore ck/100000.ckpt'
differs 'harts'
options='--core functional --restore whole.ckpt'
differs '60000.ckpt has pages of whole.ckpt, and is needed'
options='--no-program --restore damaged.ckpt'
cp ../warm/100000.ckpt damaged.ckpt
offset=$(grep -abo WARM damaged.ckpt | head -n 1 | cut -d : -f 1)
printf x | dd of=damaged.ckpt bs=1 seek=$((offset + 3000)) conv=notrunc 2> /dev/null
differs 'damaged.ckpt: offset [0-9]*: the part WARM is damaged'
options='--core functional --restore ck/100000.ckpt'
cp -p below/output saved
echo more >> below/output
differs 'expected .*/output as it was in its run, with .*: bring back the file as it was at the checkpoint, or '
cp saved below/output
differs 'found a file that was changed since: bring back the file'
cp -p saved below/output
guest > out 2> message
[ -s out ] || complain "files as they were: $(cat message)"
rm -f below/output
differs 'expected the file .*/output of its run'
printf x | dd of=program bs=1 seek=4096 conv=notrunc 2> /dev/null
differs 'expected .*/program as it was in its run, found other contents'
mv program elsewhere
differs 'program'

[ $bad -eq 0 ] && echo "checkpoints: runs that go on from them are those that were not interrupted"
exit $bad
