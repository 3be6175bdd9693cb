#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One run of an experiment: one_run.sh 'NAME OPTION... -- WORKLOAD [ARGUMENT...]'. A workload debian/PROGRAM[@PERCENT]
# is a region of a Debian program (see tests/guest/debian/region.sh). Results are kept in $BUILD/experiments/runs. With
# KEPT=yes nothing is run: the line is printed if the run must be made, because it is missing, its command has
# changed, or tools or programs are newer. A failed run keeps its messages; its exit status 255 stops xargs.
# Environment: STARTED and TOTAL are the start time of the first run and the number of runs; CUT=N ends runs of the
# project's workloads after N instructions. A run that collects a profile does so into NAME.db, which is removed before.
# OVER=samples: the program runs over recorded samples (in SAMPLES, by recorded.sh) instead of on the core. The cycles
# of a run without a program are then those of the recording.
set -eu
line=$1
# shellcheck disable=SC2086 # a line of words
set -- $line
name=$1
shift
out=${OUT:-$BUILD/experiments}
runs=$out/runs

# newer_than_run WORD...: succeeds if the emulator, or an image or program among the words, is newer than the run
newer_than_run() {
    for word in "$BUILD/bin/pcemu" "$@"; do
        case $word in
        debian/*) word=${word#debian/} word=$BUILD/debian/programs/${word%@*}/made_by ;;
        */pcemu | *.pc) ;;
        *) continue ;;
        esac
        [ "$runs/$name.error" -nt "$word" ] || return 0
    done
    return 1
}
# The name of the region of recorded samples: PROGRAM@PERCENT, or WORKLOAD=ARGUMENTS. REGION=yes prints only this.
region_of() {
    guest=${line##* -- }
    case $guest in
    debian/*@*) echo "${guest#debian/}" ;;
    debian/*) echo "${guest#debian/}@50" ;;
    *) echo "${guest%% *}=$(echo "${guest#* }" | tr ' ' _)" ;;
    esac
}
[ "${REGION:-no}" = no ] || { region_of; exit 0; }
command="scale $SCALE, over ${OVER:=core}: $*"
if [ "${KEPT:-no}" = yes ]; then
    if [ "$(cat "$runs/$name.command" 2> /dev/null)" != "$command" ] || newer_than_run "$@"; then echo "$line"; fi
    exit 0
fi

rm -f "$runs/$name.command" "$runs/$name.db"*
options=
while [ "$1" != -- ]; do
    options="$options $1"
    shift
done
shift
workload=$1
shift
fail() { echo "one_run.sh: $name: $1" >&2; cat "$runs/$name.err" >&2; exit 255; }
# over_samples OPTION...: the options but those of the core; without a program simple.pc runs, whose handlers' cycles
# are subtracted
over_samples() {
    given=
    while [ $# -gt 0 ]; do
        case $1 in
        --config) shift ;;
        --no-program) given="$given --program $BUILD/programs/simple.pc" ;;
        *) given="$given $1" ;;
        esac
        shift
    done
    # shellcheck disable=SC2086
    "$BUILD/bin/pcemu" --core "samples:$SAMPLES/$region.rec" --format json -o "$runs/$name.json" \
        --stats "$runs/$name.stats" $given 2> "$runs/$name.err" || fail "exit status $?"
    case $options in *--no-program*) without=1 ;; *) without=0 ;; esac
    jq -c --argjson without $without '{core: {cycles: (.cycles - $without * .handler_cycles), retired: .instructions}}' \
        "$runs/$name.json" > "$runs/$name.core"
    jq -cs '.[0] + .[1]' "$runs/$name.stats" "$runs/$name.core" > "$runs/$name.stats.new"
    mv "$runs/$name.stats.new" "$runs/$name.stats"
    rm "$runs/$name.core"
}
options_of_run="--format json -o $runs/$name.json --stats $runs/$name.stats $options"
region=$(region_of)
case $OVER:$workload in
samples:*)
    # shellcheck disable=SC2086
    over_samples $options ;;
*:debian/*)
    # shellcheck disable=SC2086
    INSTRUCTIONS=$(awk -v scale="$SCALE" 'BEGIN { printf "%d", 100e6 * scale }') \
        "${0%/*}/../debian/region.sh" "$BUILD" "${workload#debian/}" $options_of_run > "$runs/$name.out" \
            2> "$runs/$name.err" ||
        fail "exit status $?" ;;
*)
    cd "$BUILD/workloads"
    # shellcheck disable=SC2086
    "$BUILD/bin/pcemu" -L "$BUILD" $options_of_run ${CUT:+--max-insts $CUT} "./$workload" "$@" > "$runs/$name.out" \
        2> "$runs/$name.err" || fail "exit status $?"
    [ -n "${CUT:-}" ] || grep -q ': ok$' "$runs/$name.out" || fail 'the workload does not say ok' ;;
esac
# Extracts the parts of the report without single loads, values or words, which most queries need, and the core cycle
# in which the region begins, after the warm-up. A run without a program, or with a program of another driver, has no
# loads. For other profiles, extracts the parts without single functions, instructions and slots. The second line is
# the error of values in per cent, and the same modulo 2^32; the third is the number of cycles.
jq -rc 'if has("core") then .core.cycles
    elif has("loads") then
        (.loads_ever_masked = ([.loads[] | select(.masked_cycle)] | length) | .begin = .timeline[-1].cycle - .cycles |
            del(.loads, .pairs)), "\(100 * (.rms_error // 0)) \(100 * (.rms_error_low // 0))"
    else
        del(.time.functions, .time.instructions, .counts.functions, .counts.instructions, .layouts[]?.rows), "- -"
    end' "$runs/$name.json" "$runs/$name.stats" | sed -n -e "1w $runs/$name.brief" -e "2w $runs/$name.error" \
    -e "3w $runs/$name.cycles"
[ -s "$runs/$name.cycles" ] || fail 'the report or the statistics cannot be read'
now=$(date +%s)
echo "$command" > "$runs/$name.command"
echo "$name" >> "$out/made"
awk -v name="$name" -v made="$(wc -l < "$out/made")" -v total="$TOTAL" -v took=$((now - STARTED)) 'BEGIN {
    printf "  run %s: %d of %d, about %d min left\n", name, made, total, took * (total - made) / made / 60 + 0.5 }' >&2
