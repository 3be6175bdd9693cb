#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error, overhead and time of both profilers on gcc (Figure 7 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    cp_want "$w" none
    cp_want "$w" paper
    cp_want "$w" simple1024
done
make_runs
for w in $cp_names; do
    timeline "$w.paper" "$w" > "$out/cp-6.$w.paper.dat"
    timeline "$w.simple1024" "$w" > "$out/cp-6.$w.simple1024.dat"
done
cp "$out/cp-6.$gcc.paper.dat" "$out/cp-6.paper.dat"
cp "$out/cp-6.$gcc.simple1024.dat" "$out/cp-6.simple1024.dat"
plot_timelines cp-6 '' paper simple1024

goal=$(error_of "$gcc.simple1024")
set -- $(reach "$out/cp-6.paper.dat" "$goal") $(reach "$out/cp-6.simple1024.dat" "$goal")
claim "the co-processor's profile converges faster" 'much more quickly' "M cycles to an error of $goal %: $1 against $2" "$1 < $2"
# Interrupts in the first and in the last quarter of the run.
set -- $(awk '{ c[NR] = $1; n[NR] = $4 } END { for (i = 1; i <= NR; i++) { if (c[i] <= c[NR] / 4) first = n[i]; if (c[i] <= c[NR] * 3 / 4) third = n[i] }
    print first, n[NR] - third }' "$out/cp-6.paper.dat")
claim 'overhead comes early, and the interrupt rate decays' 'decays' "interrupts in the first quarter $1, in the last $2" "$1 > $2"
lower=0 count=0
for w in $cp_names; do
    [ "$(lower_everywhere "$out/cp-6.$w.paper.dat" "$out/cp-6.$w.simple1024.dat")" = yes ] && lower=$((lower + 1))
    count=$((count + 1))
done
claim 'lower error at any given overhead, for all programs' 'all' "$lower of $count programs" "$lower == $count"
