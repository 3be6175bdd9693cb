#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A profile store of many runs: time to add a run, size of the file, and time of pcprof's commands.
#   store.sh [BUILD [WORKLOAD]]     default: build, compiler
# RUNS: number of runs (1000); SAMPLES: samples of a run (100000); STORE: keep the store in this file.
set -eu
build=$(cd "${1:-build}" && pwd)
workload=$build/workloads/${2:-compiler}
runs=${RUNS:-1000} samples=${SAMPLES:-100000}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
store=${STORE:-$tmp/s.db}
now() { date +%s%N; }
# took START WHAT [DIVISOR]: prints the time since START
took() { awk -v t=$(($(now) - $1)) -v n="${3:-1}" -v what="$2" 'BEGIN { printf "%-46s %8.1f ms\n", what, t / 1e6 / n }'; }

"$build/bin/pcemu" --core inorder --no-program --profile oracle,counts --max-insts 2000000 \
    --collect "$tmp/from.db" -o /dev/null "$workload" > "$tmp/out"
start=$(now)
"$build/tests/bench/fill_store" "$store" "$tmp/from.db" "$runs" "$samples"
took "$start" "add a run, with drawing its samples" "$runs"
for by in procedure image line instruction; do
    start=$(now)
    "$build/bin/pcprof" prof --by $by "$store" > "$tmp/$by"
    took "$start" "pcprof prof --by $by"
done
start=$(now)
"$build/bin/pcprof" prof --event cycles --event dcache-miss --event mispredicted "$store" > "$tmp/events"
took "$start" "pcprof prof, three events"
start=$(now)
"$build/bin/pcprof" prof "$store:1-$((runs / 10))" > "$tmp/runs"
took "$start" "pcprof prof of a tenth of the runs"
for command in "annotate $store" "top $store" "calc $store main" "summary $store" "stats $store" \
    "stats --by line $store" "diff $store:1-$((runs / 2)) $store:$((runs / 2 + 1))-$runs"; do
    start=$(now)
    # shellcheck disable=SC2086 # a line of words
    "$build/bin/pcprof" $command > "$tmp/command"
    took "$start" "pcprof ${command%% "$store"*}"
done
start=$(now)
"$build/bin/pcprof" list "$store" > "$tmp/list"
took "$start" "pcprof list"
head -n 16 "$tmp/events"
sqlite3 "$store" "SELECT 'runs ' || count(*) FROM run;
    SELECT 'samples ' || CAST(sum(value) AS INTEGER) FROM sample JOIN series ON series.id = series JOIN event ON event.id = event
        WHERE source = 'counter';
    SELECT 'rows of samples ' || count(*) FROM sample; SELECT 'rows of the epoch ' || count(*) FROM epoch_sample"
size=$(stat -c %s "$store")
rows=$(sqlite3 "$store" "SELECT count(*) FROM sample")
awk -v b="$size" -v rows="$rows" -v s="$((runs * samples))" 'BEGIN {
    printf "file: %.1f MB, %.2f bytes per row, %.3f bytes per sample\n", b / 1e6, b / rows, b / s }'
