#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulation cost of each observer of --profile, attached alone to a detailed core: host instructions counted by
# callgrind, in per cent of those of the same run without it. The cost of a run of 1000 instructions is subtracted
# from each: loading, skipping, and most of the report.
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
command -v valgrind > /dev/null || { echo "observers.sh: skipped: no valgrind"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$workloads"

# Every name at the start of a line of the help, with its required options.
observers=${OBSERVERS:-$("$build/bin/pcemu" --profile help | awk '/^  [a-z]/ { print $1 }' | sed 's/^counter$/counter:event=cycles counter:event=dcache-miss/')}

# count WORKLOAD OPTION...: prints the host instructions of the measured part
count() {
    workload=$1
    skip=$(echo "$mixes" | awk -v w="$workload" '$3 == w { print $2 }')
    shift
    for measured in "$INSTS" 1000; do
        # shellcheck disable=SC2046,SC2086 # options are words
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/bin/pcemu" --no-program --skip-insts "$skip" --max-insts $measured \
            -o /dev/null ${OPTIONS:-} "$@" "./$workload" < /dev/null > "$tmp/out" 2> "$tmp/err" || true
        sed -n 's/.*Collected : \([0-9]*\)$/\1/p' "$tmp/err" | grep . ||
            { echo "observers.sh: callgrind counts nothing in $workload; it needs a build made with CALLGRIND=1" >&2; tail -n 3 "$tmp/err" >&2; exit 1; }
    done | xargs | awk '{ printf "%.0f\n", $1 - $2 }'
}

for w; do count "$w" > "$tmp/$w"; done
printf '| observer |'
printf ' %s |' "$@"
printf '\n|---|'
for w; do printf '%s' '---|'; done
echo
for o in $observers; do
    printf '| %s |' "$o"
    for w; do count "$w" --profile "$o" | awk -v alone="$(cat "$tmp/$w")" '{ printf " %.1f %% |", 100 * ($1 / alone \
        - 1) }'; done
    echo
done
