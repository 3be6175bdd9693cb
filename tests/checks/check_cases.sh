#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Case studies: the profile of each program in tests/eval/cases/ identifies a change of its source. With the change (-D
# AFTER) the program prints the same output in fewer core cycles.
# usage: check_cases.sh BUILD
# Columns of cases: the program in tests/eval/cases/ or tests/eval/workloads/, the profiling program in programs/, and
# an extended regular expression that matches one of the first lines of its report's tables (--top 5).
set -eu
build=$(cd "$1" && pwd)
bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cases='compress value 305,602 +0x0 .* 66\.5 .* compress\.c:147
divisor value 0x1000 +100\.0 .*insert.*divisor\.c:21
escapes edge decode.* escapes\.c:21 +131,072 +131,072 +0 +0
below misp select_below.* below\.c:19 .* 0x[57] .*
biquad memdep run\+.* biquad\.c:30 +run\+.* biquad\.c:31
rounding tip round_up[^ ]* rounding\.c:22 .* 1,[12][0-9]{2},[0-9]{3} +1,2[0-9]{2},[0-9]{3}
rounding pics round_up[^ ]* rounding\.c:22 +1,[0-9]{3},[0-9]{3} +1,[0-9]{3},[0-9]{3} +0x400
chain paired add_up[^ ]* chain\.c:38 .* 1\.00 '

# arguments NAME: of the guest, where its default is not the case
arguments() { [ "$1" != compress ] || echo 16; }

# options PROGRAM: pcemu options; a shorter period where the programs of tests/eval/cases/ are too short for the default
options() { [ "$1" != paired ] || echo --param period=499; }

# cycles NAME: runs the program, prints its core cycles, and writes its output to NAME.out
cycles() {
    # shellcheck disable=SC2046 # arguments are words
    (cd "$build/cases" && "$build/bin/pcemu" --no-program --stats "$tmp/stats" --format json "./$1" \
        $(arguments "${1%.*}") > "$tmp/$1.out")
    jq .core.cycles "$tmp/stats"
}

echo "$cases" | while read -r name program line; do
    [ -f "$build/cases/$name.before" ] || { echo "check_cases.sh: no tests/eval/cases/$name.c" >&2; exit 1; }
    # shellcheck disable=SC2046 # options are words
    (cd "$build/cases" && "$build/bin/pcemu" --program "$build/programs/$program.pc" $(options "$program") --top 5 \
        -o "$tmp/report" "./$name.before" $(arguments "$name") > /dev/null)
    grep -qE -- "$line" "$tmp/report" ||
        { echo "check_cases.sh: the report of $program on $name lacks '$line'" >&2; cat "$tmp/report" >&2; exit 1; }
    before=$(cycles "$name.before") after=$(cycles "$name.after")
    cmp "$tmp/$name.before.out" "$tmp/$name.after.out" || exit 1
    echo "$name: $program found it; $before cycles before, $after after"
    [ "$after" -lt "$before" ] || { echo "check_cases.sh: $name takes $after cycles instead of $before" >&2; exit 1; }
done || bad=1
for source in tests/eval/cases/*.c; do
    name=$(basename "$source" .c)
    echo "$cases" | grep -q "^$name " || { echo "check_cases.sh: no line for $source" >&2; bad=1; }
done
exit $bad
