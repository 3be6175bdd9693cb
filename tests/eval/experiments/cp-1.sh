#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simple sampling of gcc at one load in 512, 1024 and 2048 (Figure 1 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

intervals='512 1024 2048'
cp_want "$gcc" none
for n in $intervals; do cp_want "$gcc" "simple$n"; done
with_runs
for n in $intervals; do timeline "$gcc.simple$n" "$gcc" > "$out/cp-1.$n.dat"; done

plot_timelines cp-1 'one load in' 512 1024 2048

# The cycle at which each has come down to a tenth above the final error of the slowest.
goal=$(awk -v e="$(error_of "$gcc.simple2048")" 'BEGIN { printf "%.2f\n", 1.1 * e }')
set -- $(for n in $intervals; do reach "$out/cp-1.$n.dat" "$goal"; done)
claim 'a faster rate converges faster in time' 'order 512, 1024, 2048' "M cycles to an error of $goal %: $1, $2, $3" \
    "1.3 * $1 <= $2 && 1.3 * $2 <= $3"
o512=$(overhead "$gcc.simple512" "$gcc") o1024=$(overhead "$gcc.simple1024" "$gcc") o2048=$(overhead "$gcc.simple2048" \
    "$gcc")
claim 'overhead is inversely proportional to the interval' 'factor 2 for each' "$o512, $o1024, $o2048 %" \
    "$o512 / $o1024 > 1.7 && $o512 / $o1024 < 2.3 && $o1024 / $o2048 > 1.7 && $o1024 / $o2048 < 2.3"
# Errors at half and at all of the overhead that the slowest ends with.
half=$(awk -v o="$o2048" 'BEGIN { printf "%.3f\n", o / 2 }')
set -- $(for o in "$half" "$o2048"; do for n in $intervals; do error_at_overhead "$out/cp-1.$n.dat" "$o"; done; done)
# apart A B C: the largest by the smallest
apart() { printf '%s\n' "$@" | sort -n | awk '{ e[NR] = $1 } END { print e[NR] / e[1] }'; }
claim 'error over overhead: the curves coincide' 'they coincide' \
    "errors at $half % overhead: $1, $2, $3 %; at $o2048 %: $4, $5, $6 %" \
    "$(apart "$1" "$2" "$3") < 1.15 && $(apart "$4" "$5" "$6") < 1.15"
