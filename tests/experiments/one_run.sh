#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One run of an experiment: one_run.sh 'NAME OPTION... -- WORKLOAD [ARGUMENT...]', where a workload debian/PROGRAM[@PERCENT] is the region of a real program (see
# tests/debian/region.sh). Kept in $BUILD/experiments/runs. With KEPT=yes nothing is run: the line is printed if its run is to be made, because there
# is none, or the command of the one kept is another, or tools or programs are newer. A run that fails leaves its messages; its exit status,
# 255, has xargs start no other. STARTED and TOTAL, in the environment, are when the first run began and how many there are to be. CUT=N ends those
# of our own workloads after N instructions.
set -eu
line=$1
# shellcheck disable=SC2086 # a line of words
set -- $line
name=$1
shift
out=${OUT:-$BUILD/experiments}
runs=$out/runs

# newer_than_run WORD...: is the emulator, an image, or the program among these words newer?
newer_than_run() {
    for word in "$BUILD/bin/pcemu" "$@"; do
        case $word in
        debian/*) word=${word#debian/} word=$BUILD/debian/programs/${word%@*}/made_by ;;
        */pcemu | *.pc) ;;
        *) continue ;;
        esac
        [ "$runs/$name.stats" -nt "$word" ] || return 0
    done
    return 1
}
if [ "${KEPT:-no}" = yes ]; then
    if [ "$(cat "$runs/$name.command" 2> /dev/null)" != "$*" ] || newer_than_run "$@"; then echo "$line"; fi
    exit 0
fi

rm -f "$runs/$name.command"
command=$*
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
workload=$1
shift
fail() { echo "one_run.sh: $name: $1" >&2; cat "$runs/$name.err" >&2; exit 255; }
options_of_run="--format json -o $runs/$name.json --stats $runs/$name.stats $options"
case $workload in
debian/*)
    # shellcheck disable=SC2086
    INSTRUCTIONS=$(awk -v scale="$SCALE" 'BEGIN { printf "%d", 100e6 * scale }') \
        "$(dirname "$0")/../debian/region.sh" "$BUILD" "${workload#debian/}" $options_of_run > "$runs/$name.out" 2> "$runs/$name.err" ||
        fail "exit status $?" ;;
*)
    # A path as argument 0 would move the guest's stack.
    cd "$BUILD/workloads"
    # shellcheck disable=SC2086
    "$BUILD/bin/pcemu" $options_of_run ${CUT:+--max-insts $CUT} "./$workload" "$@" > "$runs/$name.out" 2> "$runs/$name.err" || fail "exit status $?"
    [ -n "${CUT:-}" ] || grep -q ': ok$' "$runs/$name.out" || fail 'the workload does not say ok' ;;
esac
# What is not of single loads, values or words, for the many questions on it; and the core cycle at which the region begins, behind the warm-up.
# A run without a program, or with one of another driver, has no loads. Of other
# profiles, what is not of single functions, instructions and slots.
if jq -e 'has("loads")' "$runs/$name.json" > /dev/null; then
    jq '.loads_ever_masked = ([.loads[] | select(.masked_cycle)] | length) | .begin = .timeline[-1].cycle - .cycles | del(.loads, .pairs)' \
        "$runs/$name.json" > "$runs/$name.brief"
else
    jq 'del(.time.functions, .time.instructions, .counts.functions, .counts.instructions, .layouts[]?.rows)' "$runs/$name.json" > "$runs/$name.brief"
fi
jq .core.cycles "$runs/$name.stats" > "$runs/$name.cycles"
now=$(date +%s)
echo "$command" > "$runs/$name.command"
echo "$name" >> "$out/made"
awk -v name="$name" -v made="$(wc -l < "$out/made")" -v total="$TOTAL" -v took=$((now - STARTED)) 'BEGIN {
    printf "  run %s: %d of %d, about %d min left\n", name, made, total, took * (total - made) / made / 60 + 0.5 }' >&2
