# SPDX-License-Identifier: GPL-3.0-or-later
# What the experiments share: the runs they want, pictures, and the verdict on each claim. Sourced by the experiments,
# which run.sh starts with
# BUILD (absolute), ID (such as cp-6) and SCALE (1: the sizes of docs/results/coprocessor.md) in the environment; and
# each twice, at first with
# PLAN=yes, to learn which runs it wants.
set -eu
: "${BUILD:?}" "${ID:?}" "${SCALE:=1}" "${PLAN:=no}"
here=$(cd "$(dirname "$0")" && pwd)
sources=$here/../..
out=${OUT:-$BUILD/experiments}
runs=$out/runs
queue=$out/$ID.queue
verdicts=$out/$ID.verdicts
[ "$PLAN" = no ] || : > "$queue"
: > "$verdicts"
: > "$out/$ID.causes"
: > "$out/$ID.notes"

# want NAME OPTION... -- WORKLOAD [ARGUMENT...]: notes a run that is needed; NAME.json will be its report and NAME.stats
# its statistics
want() {
    [ "$PLAN" = no ] || echo "$*" >> "$queue"
}

# From here on the runs wanted are there.
with_runs() { [ "$PLAN" = no ] || exit 0; }

# assemble IMAGE OPTION... SOURCE: one of programs/, into $out; an image that is what it was stays as it is, for a run
# is made again when its program is
# newer. Images name their source: as it is called there, so that they are the same wherever the tree is.
assemble() {
    image=$out/$1.pc
    shift
    (cd "$sources/programs" && "$BUILD/bin/pcasm" -o "$image.new" "$@")
    if cmp -s "$image.new" "$image"; then rm "$image.new"; else mv "$image.new" "$image"; fi
}

# query NAME [OPTION...] FILTER: figures of a run's report; query_loads: of one with loads and pairs, which takes longer
query() { jq_run=$1; shift; jq -r "$@" "$runs/$jq_run.brief"; }
query_loads() { jq -r "$2" "$runs/$1.json"; }
query_stats() { jq -r "$2" "$runs/$1.stats"; }

verdict() { if awk "BEGIN { exit !($1) }"; then echo holds; else echo 'does not hold'; fi; }

# claim TEXT PAPER OURS CONDITION [SHIPPED CONDITION]: whether it holds is the condition, an awk expression over
# numbers; the second figures are those
# of the program as shipped, where it was run
claim() {
    claimed=$1 held=$(verdict "$4")
    if [ $# -gt 4 ]; then shipped=$5 shipped_held=$(verdict "$6"); else shipped=- shipped_held=-; fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$ID" "$claimed" "$2" "$3" "$held" "$shipped" "$shipped_held" >> "$verdicts"
}

# why TEXT: the cause for which the last claim does not hold; kept only if it does not
why() {
    [ "$held" = holds ] || printf '%s\t%s\n' "$claimed" "$(echo "$1" | tr -s ' \n' ' ')" >> "$out/$ID.causes"
}

# note TEXT: a paragraph or a line of a table below the verdicts
note() { printf '%s\n' "$1" >> "$out/$ID.notes"; }

# plot NAME [HEIGHT]: gnuplot commands from standard input, drawn as NAME.svg, 800 by HEIGHT (500) points, and NAME.png
plot() {
    commands=$(cat) height=${2:-500}
    for kind in svg png; do
        case $kind in
        svg) terminal="svg size 800,$height dynamic enhanced background 'white'" ;;
        png) terminal="pngcairo size 1200,$((height * 3 / 2)) enhanced" ;;
        esac
        printf 'set terminal %s\nset output "%s"\nset grid\n%s\n' "$terminal" "$out/$1.$kind" "$commands" | gnuplot
    done
}
