# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the experiments: requested runs, pictures, and the verdict on each claim. Sourced by the experiments.
# run.sh starts each experiment with BUILD (absolute path), ID (for example cp-6) and SCALE (1: the sizes of
# docs/results/coprocessor.md) in the environment, first with PLAN=yes to collect the runs that it needs, then
# without.
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

# want NAME OPTION... -- WORKLOAD [ARGUMENT...]: requests a run, whose report will be NAME.json and whose statistics
# NAME.stats
want() {
    [ "$PLAN" = no ] || echo "$*" >> "$queue"
}

# From here on the requested runs exist.
with_runs() { [ "$PLAN" = no ] || exit 0; }

# assemble IMAGE OPTION... SOURCE: assembles one of programs/ into $out. An unchanged image keeps its time stamp,
# because a run is repeated if its program is newer. Images contain the source name, which is relative, so that they
# do not depend on the tree's location.
assemble() {
    image=$out/$1.pc
    shift
    (cd "$sources/programs" && "$BUILD/bin/pcasm" -o "$image.new" "$@")
    if cmp -s "$image.new" "$image"; then rm "$image.new"; else mv "$image.new" "$image"; fi
}

# query NAME [OPTION...] FILTER: prints values of a run's report; query_loads: of the report with loads and pairs,
# which takes longer
query() { jq_run=$1; shift; jq -r "$@" "$runs/$jq_run.brief"; }
query_loads() { jq -r "$2" "$runs/$1.json"; }
query_stats() { jq -r "$2" "$runs/$1.stats"; }

verdict() { if awk "BEGIN { exit !($1) }"; then echo holds; else echo 'does not hold'; fi; }

# claim TEXT PAPER OURS CONDITION [SHIPPED CONDITION]: records a claim, which holds if CONDITION, an awk expression
# over numbers, is true; the optional second pair is for the program as shipped
claim() {
    claimed=$1 held=$(verdict "$4")
    if [ $# -gt 4 ]; then shipped=$5 shipped_held=$(verdict "$6"); else shipped=- shipped_held=-; fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$ID" "$claimed" "$2" "$3" "$held" "$shipped" "$shipped_held" >> "$verdicts"
}

# why TEXT: the likely reason why the last claim does not hold; shown TEXT: the reason, which runs without it show.
# Recorded only if the claim does not hold.
cause() {
    [ "$held" = holds ] || printf '%s\t%s\t%s\n' "$claimed" "$(echo "$2" | tr -s ' \n' ' ')" "$1" >> "$out/$ID.causes"
}
why() { cause likely "$1"; }
shown() { cause shown "$1"; }

# note TEXT: adds a paragraph or a line of a table below the verdicts
note() { printf '%s\n' "$1" >> "$out/$ID.notes"; }

# plot NAME [HEIGHT]: runs gnuplot commands from standard input; writes NAME.svg, 800 by HEIGHT (500) points, and
# NAME.png
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
