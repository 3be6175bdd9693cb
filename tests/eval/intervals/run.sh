#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often 95 % intervals contain the exact answer, on Debian's programs of tests/eval/bench/real: prints the page
# docs/results/intervals.md.
#   run.sh [BUILD [NAME...]]                 NAME: these programs alone
# The packages are fetched once, into FOLDER (BUILD/real). Results are kept in OUT (BUILD/intervals), and a result that
# is newer than the tools is not made again. INSTRUCTIONS of each region (10 M), SEEDS (3) of the value profiles.
# PART=START of the regions, in per cent of the program (25 60).
set -eu

build=$(cd "${1:-build}" && pwd)
if [ $# -gt 1 ]; then shift; else set --; fi
tests=$(cd "$(dirname "$0")/../.." && pwd)
here=$tests/eval/bench/real
# shellcheck source=../bench/real/lib.sh
. "$here/lib.sh"
mkdir -p "${FOLDER:=$build/real}" "${OUT:=$build/intervals}"
folder=$(cd "$FOLDER" && pwd) out=$(cd "$OUT" && pwd)
: "${INSTRUCTIONS:=10000000}" "${SEEDS:=3}" "${PART:=25 60}"
programs=$(grep -v '^#' "$here/programs")
real_fetch "$folder" "$programs" || { echo 'intervals/run.sh: the packages could not be fetched' >&2; exit 1; }
[ "${PIECE:-no}" = yes ] || { rm -rf "$out/work" && real_inputs "$folder" "$out"; }

# The profiling programs with intervals: of values, over recorded samples, and of counts and time, on the core.
values='value value-paper simple'
counts='edge misp targets latency tip pics'

# region NAME PERCENT: all results of a region
region() {
    skip=$(real_skip "$1" "$2")
    at=$out/$1@$2
    real_fresh "$at.rec" || real_guest "$1" --skip-insts "$skip" --max-insts "$INSTRUCTIONS" --config ev6 \
        --program "$build/programs/simple.pc" --record-samples "$at.rec" 2> "$at.err"
    for p in $values; do
        drops=''
        [ "$p" = value ] || drops='--set cop_early_drop=no'
        seed=0
        while [ $((seed += 1)) -le "$SEEDS" ]; do
            # shellcheck disable=SC2086 # options
            real_fresh "$at.$p.$seed.json" || "$build/bin/pcemu" --core "samples:$at.rec" \
                --program "$build/programs/$p.pc" --seed "$seed" $drops --format json \
                -o "$at.$p.$seed.json" 2> "$at.err"
        done
    done
    for p in $counts; do
        real_fresh "$at.$p.json" || real_guest "$1" --skip-insts "$skip" --max-insts "$INSTRUCTIONS" \
            --program "$build/programs/$p.pc" --format json -o "$at.$p.json" 2> "$at.err"
    done
    real_fresh "$at.time.json" || real_guest "$1" --skip-insts "$skip" --max-insts "$INSTRUCTIONS" --no-program \
        --profile oracle,tip:period=97,profileme:period=199,counts --format json -o "$at.time.json" 2> "$at.err"
}

# With PIECE=yes only the results of the named programs are made, otherwise those of all, by this script itself.
names=${*:-$(printf '%s\n' "$programs" | cut -d ' ' -f 1)}
if [ "${PIECE:-no}" = yes ]; then
    for name in $names; do
        for percent in $PART; do region "$name" "$percent"; done
        echo "  $name: done" >&2
    done
    exit
fi
export FOLDER="$folder" OUT="$out" INSTRUCTIONS SEEDS PART
# shellcheck disable=SC2086 # names, meant to be split
real_pieces "$0" $names

# A line for each result: family, region, intervals, those with the exact answer, those of estimates other than 0 and
# all; further figures of values: error with false positives, handlers, executions of loads with intervals, in per cent.
figures() {
    for name in $names; do
        for percent in $PART; do
            at=$out/$name@$percent
            for p in $values; do
                seed=0
                while [ $((seed += 1)) -le "$SEEDS" ]; do
                    jq -r --arg p "$p" --arg name "$name@$percent" '
                        [.loads[].values[] | select(.interval and .exact != null)
                            | {held: (.interval[0] <= .exact and .exact <= .interval[1]),
                               open: ([.exact, .estimated] | any(. > 0.05 and . < 0.95))}]
                        | . as $v | [$p, $name, ($v | length), ($v | map(select(.held)) | length),
                            ($v | map(select(.open)) | length), ($v | map(select(.open and .held)) | length)]' \
                        "$at.$p.$seed.json" > "$out/row"
                    jq -r '[100 * (.rms_error_claimed // 0), 100 * .handler_cycles / (.cycles - .handler_cycles),
                        100 * (.interval_share // 0)]' "$at.$p.$seed.json" | jq -rs '(.[0] + .[1]) | @tsv' "$out/row" -
                done
            done
            for p in $counts; do
                jq -r --arg p "$p" --arg name "$name@$percent" '
                    [.layouts[] | select(.score) | .rows[] | . as $row | (.exact | keys[]) as $m
                        | select($row.interval[$m]?) | {exact: $row.exact[$m], bounds: $row.interval[$m]}
                        | .bounds[0] <= .exact and .exact <= .bounds[1]]
                    | [$p, $name, length, (map(select(.)) | length), length, (map(select(.)) | length)] | @tsv' \
                    "$at.$p.json"
            done
            jq -r --arg name "$name@$percent" '
                def rows(list; name): [list[] | .time.oracle as $exact | (.interval // {} | to_entries[])
                        | .value[0] <= $exact and $exact <= .value[1]]
                    | [name, $name, length, (map(select(.)) | length), length, (map(select(.)) | length)];
                def exact: .profiles | map(select(.profiler == "counts"))[0].counts.retired;
                def counted: [.counts.instructions[] | exact as $exact | select($exact != null) | .profiles[]
                        | select(.interval.retired)
                        | .interval.retired[0] <= $exact and $exact <= .interval.retired[1]]
                    | ["profileme", $name, length, (map(select(.)) | length), length, (map(select(.)) | length)];
                rows(.time.instructions; "tip of instructions"), rows(.time.functions; "tip of functions"), counted
                | @tsv' "$at.time.json"
        done
    done
}
figures > "$out/figures"

# Prints the page's tables.
"$tests/eval/intervals/page.sh" "$out/figures" "$INSTRUCTIONS" "$SEEDS" "$PART"
