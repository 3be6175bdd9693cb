#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulation cost of each observer of --profile, attached alone to a detailed core: host instructions counted by
# callgrind, in per cent of those of the same run without it. The cost of a run of INSTS instructions is subtracted from
# that of a run of twice as many. So the overhead is that of each further instruction: it has nothing of loading, of
# allocating the observer, of the report, and little of addresses that the observer has not seen before.
#   observers.sh [BUILD [WORKLOAD...]]     default: build/callgrind (make CALLGRIND=1), sort interp; workloads of
#                                          mixes.sh
# OBSERVERS: observers to measure (all); INSTS: number of instructions measured (100000); OPTIONS: further pcemu
# options, for example --config NAME.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build/callgrind}" && pwd)
workloads=$(cd "${WORKLOADS:-build/workloads}" && pwd)
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- sort interp
INSTS=${INSTS:-100000}
. "$here/mixes.sh"
. "$here/count.sh"
need_callgrind

# Every name at the start of a line of the help, with its required options, and the profilers of time together.
observers=${OBSERVERS:-$("$build/bin/pcemu" --profile help | awk '/^  [a-z]/ { print $1 }' | sed 's/^counter$/counter:event=cycles counter:event=dcache-miss/')
    oracle,tip,tip-ilp,nci,nci+ilp,lci,dispatch}

# measure WORKLOAD OPTION...: prints the host instructions of the measured part
measure() {
    skip=$(echo "$mixes" | awk -v w="$1" '$3 == w { print $2 }')
    for measured in $((2 * INSTS)) "$INSTS"; do
        count "$@" --skip-insts "$skip" --max-insts "$measured"
    done | xargs | awk '{ printf "%.0f\n", $1 - $2 }'
}

for w; do measure "$w" > "$tmp/$w"; done
printf '| observer |'
printf ' %s |' "$@"
printf '\n|---|'
for w; do printf '%s' '---|'; done
echo
for o in $observers; do
    printf '| %s |' "$o"
    for w; do measure "$w" --profile "$o" | awk -v alone="$(cat "$tmp/$w")" '{ printf " %.1f %% |", 100 * ($1 / alone \
        - 1) }'; done
    echo
done
