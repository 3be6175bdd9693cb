# SPDX-License-Identifier: GPL-3.0-or-later
# What the experiments share: runs that are kept and made only once, pictures, and the verdict on each claim. Sourced by the experiments,
# which run.sh starts with BUILD (absolute), ID (such as cp-6) and SCALE (1: the sizes of docs/experiments.md) in the environment.
set -eu
: "${BUILD:?}" "${ID:?}" "${SCALE:=1}"
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../..
out=${OUT:-$BUILD/experiments}
runs=$out/runs
mkdir -p "$runs"
queue=$out/$ID.queue
verdicts=$out/$ID.verdicts
: > "$queue"
: > "$verdicts"
: > "$out/$ID.notes"

# want NAME OPTION... -- WORKLOAD [ARGUMENT...]: notes a run that is needed; NAME.json will be its report and NAME.stats its statistics
want() {
    name=$1
    shift
    line="$name"
    for word; do line="$line $word"; done
    echo "$line" >> "$queue"
}

# Makes the runs wanted that are not there, as many at a time as there are processors. A run is made again when the tools are newer.
make_runs() {
    sort -u "$queue" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' "$here/one_run.sh" '{}'
}

report() { echo "$runs/$1.json"; }
stats() { echo "$runs/$1.stats"; }

# query NAME FILTER: one figure of a run's report
query() { jq -r "$2" "$(report "$1")"; }
query_stats() { jq -r "$2" "$(stats "$1")"; }

# claim TEXT PAPER OURS AWK-CONDITION: whether it holds is the condition, an awk expression over numbers
claim() {
    if awk "BEGIN { exit !($4) }"; then verdict=holds; else verdict='does not hold'; fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$ID" "$1" "$2" "$3" "$verdict" >> "$verdicts"
}

# note TEXT: a paragraph below the verdicts
note() { printf '%s\n' "$1" >> "$out/$ID.notes"; }

# plot NAME: gnuplot commands from standard input, drawn as NAME.svg and NAME.png
plot() {
    commands=$(cat)
    for kind in svg png; do
        case $kind in
        svg) terminal='svg size 800,500 dynamic enhanced background "white"' ;;
        png) terminal='pngcairo size 1200,750 enhanced' ;;
        esac
        printf 'set terminal %s\nset output "%s"\nset grid\n%s\n' "$terminal" "$out/$1.$kind" "$commands" | gnuplot
    done
}
