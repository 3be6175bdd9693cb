#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs fuzz harnesses one after the other, and prints a table of them:
#   run.sh libfuzzer|afl BUILD SECONDS TARGET...
# The target calls are the random system calls of tests/guest/calls, 2,000 for each of SECONDS.
# libfuzzer: the build with sanitizers for half of SECONDS, then the build without them for the other half, whose new
# inputs the first one runs again. afl: AFL++ for SECONDS. Both begin with the corpora, which make has unpacked below
# BUILD/tests/fuzz/corpus, keep their inputs in BUILD/fuzz, and begin the next run with them. An input that fails is
# left in BUILD/fuzz/findings; it ends the run of its build, not that of others. Exit status 1 if there is one.
# LIBFUZZER_FLAGS are further options.
set -eu
kind=$1 build=$2 seconds=$3
shift 3
work=$build/fuzz
findings=$work/findings
log=$work/log
mkdir -p "$findings" "$log" "$work/afl-work"
# An input that takes a minute is a finding; one that is only slow, on a loaded machine, is none.
limits='-timeout=60 -rss_limit_mb=2048 -report_slow_units=1000'
failed=0 number=0 targets=$# compared=

progress() {
    [ ! -t 2 ] || printf '\r\033[K%s' "$1" >&2
}
left_by() { find "$findings" -name "$1-*" -newer "$log/$1.start" | sort; }

# last FILE PATTERN: the last number that follows the pattern in the file, or 0
last() {
    awk -v pattern="$2" 'match($0, pattern " *[0-9]+") { n = substr($0, RSTART, RLENGTH); sub(/^.*[^0-9]/, "", n) }
        END { print n + 0 }' "$1"
}
rate() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.0f", (s > 0 ? n / s : 0) }'; }

# with OPTION TARGET: the option and the file of the target's dictionary, if there are words in it
with() { [ ! -s "$work/dictionary/$2" ] || echo "$1$work/dictionary/$2"; }

# fuzz sanitized|fast TARGET SECONDS OPTION: one run of libFuzzer, whose new inputs go to the folder TARGET.new
fuzz() {
    # shellcheck disable=SC2046,SC2086 # options, meant to be split
    "$work/$1/$2" -max_total_time="$3" $limits -print_final_stats=1 $(with -dict= "$2") $4 ${LIBFUZZER_FLAGS:-} \
        -artifact_prefix="$findings/$2-" "$work/corpus/$2.new" "$work/corpus/$2" "$build/tests/fuzz/corpus/$2" \
        > "$log/$2.$1" 2>&1 || true
}

keep_new() { find "$work/corpus/$1.new" -type f -exec mv -t "$work/corpus/$1" {} +; }

libfuzzer_row() {
    half=$(((seconds + 1) / 2))
    mkdir -p "$work/corpus/$1" "$work/corpus/$1.new"
    touch "$log/$1.start"
    progress "$1 ($number of $targets), with sanitizers, $half s"
    fuzz sanitized "$1" "$half" ''
    keep_new "$1"
    progress "$1 ($number of $targets), without sanitizers, $half s"
    fuzz fast "$1" "$half" -entropic=0
    progress "$1 ($number of $targets), its new inputs with sanitizers"
    # shellcheck disable=SC2086 # options, meant to be split
    timeout "$seconds" "$work/sanitized/$1" -runs=0 $limits \
        -artifact_prefix="$findings/$1-" "$work/corpus/$1.new" > "$log/$1.again" 2>&1 || true
    keep_new "$1"
    found=$(left_by "$1")
    sanitized=$(last "$log/$1.sanitized" number_of_executed_units:)
    fast=$(last "$log/$1.fast" number_of_executed_units:)
    [ "$1" != lockstep ] || compared=$(awk '/^lockstep:/ { n += $2 } END { printf "%d", n }' "$log/$1".*)
    progress ''
    printf '%-9s %11d %8s %11d %8s %7d %7d %7d %8d\n' "$1" "$sanitized" "$(rate "$sanitized" "$half")" "$fast" \
        "$(rate "$fast" "$half")" "$(last "$log/$1.fast" ' cov:')" \
        "$(last "$log/$1.fast" 'INFO: Loaded 1 modules *[(]')" "$(find "$work/corpus/$1" -type f | wc -l)" \
        "$(echo "$found" | grep -c . || true)"
}

calls_row() {
    touch "$log/$1.start"
    progress "$1 ($number of $targets), $((seconds * 2000)) calls"
    found=
    tests/guest/calls/run.sh "$build" $((seconds * 2000)) > "$log/calls" 2>&1 || found=$log/calls
    progress ''
    printf '%-9s %11d %8s %11s %8s %7s %7s %7s %8d\n' calls "$(last "$log/calls" fuzz-calls:)" - - - - - - \
        "$(echo "$found" | grep -c . || true)"
}

afl_row() {
    touch "$log/$1.start"
    progress "$1 ($number of $targets), $seconds s"
    seeds=$build/tests/fuzz/corpus/$1
    [ ! -f "$work/afl-work/$1/default/fuzzer_stats" ] || seeds=-
    # shellcheck disable=SC2046 # options, meant to be split
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_AFFINITY=1 \
        AFL_FORKSRV_INIT_TMOUT=60000 afl-fuzz -i "$seeds" -o "$work/afl-work/$1" -V "$seconds" -t 5000 -m none \
        $(with '-x ' "$1") -- "$work/afl/$1" > "$log/$1.afl" 2>&1 || true
    stats=$work/afl-work/$1/default/fuzzer_stats
    [ -f "$stats" ] || { tail -n 20 "$log/$1.afl" >&2; : > "$log/$1.stats"; stats=$log/$1.stats; failed=1; }
    for input in "$work/afl-work/$1"/default/crashes/id* "$work/afl-work/$1"/default/hangs/id*; do
        [ ! -f "$input" ] || cp "$input" "$findings/$1-$(sha1sum < "$input" | cut -c1-40)"
    done
    found=$(left_by "$1")
    progress ''
    executions=$(last "$stats" 'execs_done *:')
    printf '%-9s %11d %8s %7d %7d %7d %8d\n' "$1" "$executions" "$(rate "$executions" "$(last "$stats" 'run_time *:')")" \
        "$(last "$stats" 'edges_found *:')" "$(last "$stats" 'total_edges *:')" "$(last "$stats" 'corpus_count *:')" \
        "$(echo "$found" | grep -c . || true)"
}

if [ "$kind" = afl ]; then
    printf '%-9s %11s %8s %7s %7s %7s %8s\n' target executions /s edges of corpus findings
else
    printf '%9s %20s %20s\n' '' 'with sanitizers' without
    printf '%-9s %11s %8s %11s %8s %7s %7s %7s %8s\n' target executions /s executions /s edges of corpus findings
fi
all=
for target; do
    number=$((number + 1))
    if [ "$target" = calls ]; then
        calls_row "$target"
    elif [ "$kind" = afl ]; then
        afl_row "$target"
    else
        libfuzzer_row "$target"
    fi
    all="$all$found${found:+
}"
done
[ -z "$compared" ] || echo "lockstep: $compared instructions compared"
if [ -n "$all" ]; then
    printf 'findings:\n%s' "$all"
    failed=1
fi
exit "$failed"
