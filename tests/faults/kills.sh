#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills the tools (SIGKILL) at random moments of runs that write reports, statistics, Kanata's log, traces, recordings
# and a store. An output is what it was before, or complete. A store has the runs that it had, and all or none of those
# that were being added. Besides, only partial files are left, and the next run removes them.
#   kills.sh BUILD KILLS [SEED]    about KILLS runs in all
set -eu
build=$(cd "$1" && pwd) kills=$2 seed=${3:-1} bad=0 runs=0 killed=0
tmp=$(mktemp -d /tmp/kills.XXXXXXXX)
trap 'rm -rf "$tmp"' EXIT
PATH=$build/bin:$PATH
export LC_ALL=C SOURCE_DATE_EPOCH=1000000000
export GCOV_PREFIX="$tmp/counters" # a build with counters must not be killed while it writes them
mkdir "$tmp/expected" "$tmp/run"
cp "$build/workloads/sort" "$tmp/run"
cp "$build/programs/value.pc" "$tmp/run/pc.out"
cd "$tmp/run"

complain() {
    echo "kills: $command: killed after $moment s, exit status $status: $1" >&2
    sed 's/^/    /' ../err >&2
    bad=1
}

# Runs the command, and kills it after $moment seconds.
run_killed() {
    status=0
    # shellcheck disable=SC2086 # a command and its arguments
    timeout --foreground -s KILL "$moment" $command > /dev/null 2> ../err || status=$?
    runs=$((runs + 1))
    case $status in
    0) ;;
    124) status=0 ;; # it had ended when timeout came to kill it
    137) killed=$((killed + 1)) ;;
    *) complain "failed" ;;
    esac
}

check_folder() {
    for left in * .*; do
        case " . .. pc.out sort store store-wal store-shm store-journal more more-wal more-shm more-journal $outputs " in
        *" $left "*) continue ;;
        esac
        case $status:$left in
        *:'*' | 137:.*.partial) ;;
        *) complain "$left is left" ;;
        esac
    done
}

check_outputs() {
    for output in $outputs; do
        cmp -s "$output" "../expected/$output" && continue
        [ "$status" != 0 ] || complain "$output differs"
        [ "$(cat "$output")" = "old $output" ] || complain "$output is incomplete"
    done
}

# The numbers of runs in a store's epochs, added.
runs_in() { pcprof list "$1" 2> ../err | awk '/^Runs/ { exit } /^ *[0-9]/ { n += $1 } END { print n + 0 }'; }
profile_of() { pcprof prof --format csv "$1" 2> ../err | grep -v '^summary,store,'; }

# The store has the runs of before, or `more` more, and the last one's profile is that of the first.
check_store() {
    now=$(runs_in "$store")
    [ ! -s ../err ] || complain "$store cannot be read"
    case $status:$now in
    *":$((before + more))" | 137:"$before") ;;
    *) complain "$store has $now runs, and had $before" ;;
    esac
    profile_of "$store:$now" | cmp -s - ../expected/profile || complain "run $now of $store has another profile"
}

prepare() {
    for output in $outputs; do echo "old $output" > "$output"; done
    [ -z "$store" ] || before=$(runs_in "$store")
}

# kill_runs TENTHS COMMAND: TENTHS of the kills, of a command that writes $outputs and adds $more runs to $store.
kill_runs() {
    command=$2
    prepare
    start=$(date +%s.%N)
    $command > /dev/null 2> ../err
    end=$(date +%s.%N)
    for output in $outputs; do cp "$output" ../expected/; done
    seed=$((seed + 1))
    awk -v n=$((kills * $1 / 10)) -v seed=$seed -v start="$start" -v end="$end" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; i++)
            printf "%.6f\n", 0.0005 + rand() * (end - start)
        print 3600 # not killed
    }' > ../moments
    while read -r moment <&3; do
        prepare
        run_killed
        check_outputs
        [ -z "$store" ] || check_store
        check_folder
    done 3< ../moments
}

profiled="--max-insts 20000 --profile oracle"
outputs="report stats log trace recording" store=''
kill_runs 4 "pcemu $profiled -o report --format json --stats stats --kanata log --trace commit --trace-file trace
    --record recording ./sort"
rm -f report stats log trace recording
outputs=samples
kill_runs 1 "pcemu --max-insts 200000 --record-samples samples ./sort"
rm -f samples
outputs='' store=store more=1
collect="pcemu $profiled --no-program --collect store -o /dev/null ./sort"
$collect 2> ../err
profile_of store:1 > ../expected/profile
kill_runs 3 "$collect"
store=more more=$(runs_in store)
kill_runs 1 "pcprof merge more store"
outputs=profile store=''
kill_runs 1 "pcprof export --to pprof -o profile store"
echo "kills: $runs runs, $killed killed; the store has $(runs_in store) runs, the merged one $(runs_in more)"
exit $bad
