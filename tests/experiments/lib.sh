# SPDX-License-Identifier: GPL-3.0-or-later
# What the experiments share: runs that are kept and made only once, pictures, and the verdict on each claim. Sourced by the experiments,
# which run.sh starts with BUILD (absolute), ID (such as cp-6) and SCALE (1: the sizes of docs/experiments.md) in the environment.
set -eu
: "${BUILD:?}" "${ID:?}" "${SCALE:=1}"
out=$BUILD/experiments
runs=$out/runs
mkdir -p "$runs"
queue=$out/$ID.queue
verdicts=$out/$ID.verdicts
: > "$queue"
: > "$verdicts"

# The co-processor paper's programs and what stands for them here, with the argument that makes a region of about 100 M instructions.
#   name:in the paper:argument
CP_WORKLOADS='compiler:gcc:60 interp:perl:43 compress:bzip2, gzip:512 glacial:gap, vpr:760000 bitboard:crafty:116 sort:parser:20 hashjoin:mcf:20'

# size WORKLOAD ARGUMENT: the argument for this scale; never less than 1. Sorts and joins are sized by a logarithm.
size() {
    awk -v name="$1" -v n="$2" -v scale="$SCALE" 'BEGIN {
        if (name == "sort" || name == "hashjoin") n += int(log(scale) / log(2)); else n *= scale
        printf "%d", n < 1 ? 1 : n }'
}

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
    sort -u "$queue" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' "$(dirname "$0")/one_run.sh" '{}'
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
