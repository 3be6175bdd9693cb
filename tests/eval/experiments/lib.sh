# SPDX-License-Identifier: GPL-3.0-or-later
# Common part of the experiments: requested runs, pictures, and the verdict on each claim. Sourced by the experiments.
# run.sh starts each experiment with BUILD (absolute path), ID (for example cp-6) and SCALE (1: the sizes of
# docs/results/coprocessor.md) in the environment, first with PLAN=yes to collect the runs that it needs, then
# without.
set -eu
: "${BUILD:?}" "${ID:?}" "${SCALE:=1}" "${PLAN:=no}"
here=$(cd "${0%/*}" && pwd)
sources=$here/../../..
out=${OUT:-$BUILD/experiments}
runs=$out/runs
queue=$out/$ID.queue
verdicts=$out/$ID.verdicts
[ "$PLAN" = no ] || : > "$queue"
: > "$verdicts"
: > "$out/$ID.causes"
: > "$out/$ID.notes"
: > "$out/$ID.first"

# want NAME OPTION... -- WORKLOAD [ARGUMENT...]: requests a run, whose report will be NAME.json and whose statistics
# NAME.stats
want() {
    [ "$PLAN" = no ] || echo "$*" >> "$queue"
}

# From here on the requested runs exist.
with_runs() { [ "$PLAN" = no ] || exit 0; }

# assemble IMAGE OPTION... SOURCE: assembles one of programs/ into $out, once for each execution of run.sh. An
# unchanged image keeps its time stamp, because a run is repeated if its program is newer. Images contain the source
# name, which is relative, so that they do not depend on the tree's location.
assemble() {
    image=$out/$1.pc
    shift
    [ ! -e "$image.made" ] || return 0
    : > "$image.made"
    (cd "$sources/programs" && "$BUILD/bin/pcasm" -o "$image.new" "$@")
    if cmp -s "$image.new" "$image"; then rm "$image.new"; else mv "$image.new" "$image"; fi
}

# query NAME [OPTION...] FILTER: prints values of a run's report; query_loads: of the report with loads and pairs,
# which takes longer
query() { jq_run=$1; shift; jq -r "$@" "$runs/$jq_run.brief"; }
query_loads() { jq -r "$2" "$runs/$1.json"; }
query_stats() { jq -r "$2" "$runs/$1.stats"; }

# test_of NAME: prints "N of M" for the passing cases of a unit test, which make has run before the experiments
test_of() {
    [ "$BUILD/tests/unit/$1.log" -nt "$BUILD/tests/unit/$1" ] ||
        { echo "$ID: no output of $1: make check-units writes it" >&2; exit 1; }
    sed -n 's/.*Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' \
        "$BUILD/tests/unit/$1.log" | awk '{ print $1 - $2 - $3 " of " $1 }'
}
# all_pass RESULT: 1 if all cases pass, of those that test_of has counted
all_pass() { echo "$1" | awk '{ print $1 != "" && $1 == $3 }'; }

verdict() { if awk "BEGIN { exit !($1) }"; then echo holds; else echo 'does not hold'; fi; }

# claim TEXT PAPER OURS CONDITION [SHIPPED CONDITION]: records a claim, which holds if CONDITION, an awk expression
# over numbers, is true; the optional second pair is for the program as shipped
claim() {
    held=$(verdict "$4")
    if [ $# -gt 4 ]; then record "$1" "$2" "$3" "$5" "$(verdict "$6")" "$4"; else record "$1" "$2" "$3" - - "$4"; fi
}
# record TEXT PAPER OURS SHIPPED VERDICT-OF-SHIPPED CONDITION: the verdict is $held
record() {
    claimed=$1
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$ID" "$claimed" "$2" "$3" "$held" "$4" "$5" "$6" >> "$verdicts"
}

# interval NUMBER...: prints their mean and its 95 % interval (Student's t): MEAN LOW HIGH
interval() {
    echo "$*" | awk '{ split("12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", t, " ")
        for (i = 1; i <= NF; i++) s += $i
        m = s / NF
        for (i = 1; i <= NF; i++) d += ($i - m) ^ 2
        h = NF > 1 ? t[NF - 1] * sqrt(d / (NF - 1) / NF) : 0
        printf "%.4g %.4g %.4g\n", m, m - h, m + h }'
}
# judged "MEAN LOW HIGH" OPERATOR BOUND: the verdict on the mean. It is open if one end of the interval satisfies the
# condition and the other does not.
judged() {
    echo "$1" | {
        read -r _ low high
        at_low=$(verdict "$low $2 $3")
        if [ "$at_low" = "$(verdict "$high $2 $3")" ]; then echo "$at_low"; else echo open; fi
    }
}
# claim_of_seeds TEXT PAPER NUMBERS OPERATOR BOUND UNIT [NUMBERS-OF-SHIPPED]: a claim on the mean of the numbers, one for
# each seed
claim_of_seeds() {
    of_seeds=$(interval "$3") held=$(judged "$(interval "$3")" "$4" "$5")
    ours="$(echo "$of_seeds" | awk -v unit="$6" '{ print $1 unit " (" $2 " to " $3 ")" }')"
    if [ $# -gt 6 ]; then
        as_shipped=$(interval "$7")
        record "$1" "$2" "$ours" "$(echo "$as_shipped" | awk -v unit="$6" '{ print $1 unit " (" $2 " to " $3 ")" }')" \
            "$(judged "$as_shipped" "$4" "$5")" "$4 $5$6"
    else
        record "$1" "$2" "$ours" - - "$4 $5$6"
    fi
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

# first TEXT: the same above the verdicts
first() { printf '%s\n' "$1" >> "$out/$ID.first"; }

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
