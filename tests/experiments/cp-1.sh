#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simple sampling of gcc at one load in 512, 1024 and 2048 (Figure 1 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

intervals='512 1024 2048'
cp_want "$gcc" none
for n in $intervals; do cp_want "$gcc" "simple$n"; done
make_runs
for n in $intervals; do timeline "$gcc.simple$n" "$gcc" > "$out/cp-1.$n.dat"; done

plot_timelines cp-1 'one load in' 512 1024 2048

# The cycle at which each has come down to twice the final error of the slowest.
goal=$(awk -v e="$(error_of "$gcc.simple2048")" 'BEGIN { print 2 * e }')
for n in $intervals; do reach "$out/cp-1.$n.dat" "$goal" >> "$out/cp-1.reach"; done
set -- $(tail -3 "$out/cp-1.reach")
claim 'a faster rate converges faster in time' 'order 512, 1024, 2048' "M cycles to an error of $goal %: $1, $2, $3" "$1 <= $2 && $2 <= $3"
o512=$(overhead "$gcc.simple512" "$gcc") o1024=$(overhead "$gcc.simple1024" "$gcc") o2048=$(overhead "$gcc.simple2048" "$gcc")
claim 'overhead is inversely proportional to the interval' 'factor 2 for each' "$o512, $o1024, $o2048 %" \
    "$o512 / $o1024 > 1.7 && $o512 / $o1024 < 2.3 && $o1024 / $o2048 > 1.7 && $o1024 / $o2048 < 2.3"
# Error at the overhead that the slowest ends with.
for n in $intervals; do error_at_overhead "$out/cp-1.$n.dat" "$o2048"; done > "$out/cp-1.coincide"
set -- $(cat "$out/cp-1.coincide")
claim 'error over overhead: the curves coincide' 'they coincide' "error at $o2048 % overhead: $1, $2, $3 %" \
    "($1 > $2 ? $1 : $2) < 1.25 * ($1 > $2 ? $2 : $1) && ($2 > $3 ? $2 : $3) < 1.25 * ($2 > $3 ? $3 : $2)"
