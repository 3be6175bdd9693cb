#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The experiments: data, pictures (SVG and PNG) and a verdict for each claim, into BUILD/experiments; the page of all
# verdicts on standard output.
#   run.sh BUILD FAMILY|EXPERIMENT...    FAMILY: all experiments of a paper, cp (the co-processor), t (TIP), pm
#                                        (ProfileMe) or d (DCPI), or on the shipped programs (shelf, estimates). The named
#                                        experiments are of one family. SCALE=0.05: shorter regions; REAL=no: only the
#                                        project's workloads
# The programs are Debian's if the packages are in BUILD/debian or can be fetched into it. At SCALE=1 a run takes half
# a minute; one run per processor is executed in parallel. Progress and remaining time are printed after each run.
# Runs are kept. With Debian's programs and a SCALE below 1 the co-processor's programs run over recorded samples, not on
# the core (OVER=samples), with fewer seeds: the slowdown is then the time of the handlers.
set -eu
here=$(cd "${0%/*}" && pwd)
BUILD=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || { echo 'usage: run.sh BUILD FAMILY|EXPERIMENT...' >&2; exit 2; }
case $1 in
cp | t | pm | d | shelf | estimates) set -- $(cd "$here" && ls -- "$1"-*.sh | sed 's/\.sh$//' | sort -t- -k2,2n) ;;
esac
for tool in gnuplot jq sqlite3; do
    command -v "$tool" > /dev/null || { echo "run.sh: no $tool; ./bootstrap installs it" >&2; exit 1; }
done
for ID; do
    [ -f "$here/$ID.sh" ] || { echo "run.sh: no experiment '$ID'; there are: $(cd "$here" && echo *-*.sh |
        sed 's/\.sh//g')" >&2; exit 2; }
done
export BUILD SCALE="${SCALE:-1}"
out=${OUT:-$BUILD/experiments}
mkdir -p "$out/runs"
if [ "${REAL:=yes}" = yes ] && ! "$here/../../guest/debian/get.sh" "$BUILD/debian" 1>&2; then
    echo 'run.sh: going on with our own workloads alone' >&2
    REAL=no
fi
SAMPLES=${OUT:-$BUILD}/samples
[ "$SCALE" = 1 ] || SAMPLES=$SAMPLES-$SCALE
case $1:$REAL:$SCALE in
cp-*:yes:0.* | cp-*:yes:.*) : "${OVER:=samples}" ;;
*) : "${OVER:=core}" ;;
esac
export REAL ID SAMPLES OVER
title() { sed -n '3s/^# *//p' "$here/$1.sh"; }

# The requested runs, and those of them that must be made.
rm -f "$out"/*.pc.made
: > "$out/wanted"
for ID; do
    PLAN=yes "$here/$ID.sh"
    cat "$out/$ID.queue" >> "$out/wanted"
done
sort -u -o "$out/wanted" "$out/wanted"
if [ "$OVER" = samples ]; then
    INSTRUCTIONS=$(awk -v scale="$SCALE" 'BEGIN { printf "%d", 100e6 * scale }')
    export INSTRUCTIONS
    REGION=yes xargs -I '{}' "$here/one_run.sh" '{}' < "$out/wanted" | sort -u | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' "$here/recorded.sh" "$BUILD" record '{}'
fi
KEPT=yes xargs -I '{}' "$here/one_run.sh" '{}' < "$out/wanted" > "$out/todo"
: > "$out/made"
STARTED=$(date +%s) TOTAL=$(wc -l < "$out/todo")
export STARTED TOTAL
echo "$TOTAL runs to be made, of $(wc -l < "$out/wanted")" >&2
xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' "$here/one_run.sh" '{}' < "$out/todo"

for ID; do
    echo "$ID: $(title "$ID")" >&2
    "$here/$ID.sh"
done
"$here/page.sh" "$@"
for ID; do cat "$out/$ID.verdicts"; done | awk -F '\t' '{ n[$5]++ }
    $5 != "holds" { printf "  %s: %s: %s: %s\n", $1, $5, $2, $4 }
    END { printf "%d claims, %d hold, %d do not, %d are open\n", NR, n["holds"], n["does not hold"], n["open"] }' >&2
