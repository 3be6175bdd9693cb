#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Wasted issue slots, estimated from pairs (section 5.2.3 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
# A line for each instruction with 30 samples or more: exact and estimated wasted slots.
for w in $pm_programs; do
    jq -r --arg p "$pair" '.counts.instructions[].profiles | (.[0].wasted_slots // empty) as $exact | .[] |
        select(.profiler == $p and .samples >= 30)
        | [$exact, .wasted_slots, .samples] | @tsv' "$runs/$w.counts.json" | sed "s/^/$w	/"
done > "$out/pm-6.dat"
plot pm-6 << END
set logscale xy
set xlabel 'wasted issue slots, exact'
set ylabel 'estimated from pairs'
plot "$out/pm-6.dat" using 2:3 with points pointtype 7 pointsize 0.3 notitle, x with lines notitle
END
n=$(wc -l < "$out/pm-6.dat")
slope=$(awk -F '\t' '{ a += $2; b += $3 } END { printf "%.3f", a ? b / a : 0 }' "$out/pm-6.dat")
claim 'the estimates have no bias: sum of the estimated by sum of the exact' '1' "$slope over $n instructions" \
    "$slope > 0.93 && $slope < 1.07"
# rank FIELD: adds the rank
rank() { sort -t '	' -k "$1,$1g" | awk -F '\t' -v OFS='\t' '{ print $0, NR }'; }
rho=$(rank 2 < "$out/pm-6.dat" | rank 3 | awk -F '\t' '{ d = $(NF - 1) - $NF; s += d * d } END {
    printf "%.3f", (NR > 2 ? 1 - 6 * s / (NR * (NR * NR - 1)) : 0) }')
claim 'they rank instructions as the exact ones do: rank correlation' 'near 1' "$rho" "$rho > 0.9"
why 'most of the instructions have 30 to 100 samples, and their estimates have errors of a third (below).'
# error LEAST MOST: median of the relative error of those with so many samples
error() { awk -F '\t' -v a="$1" -v b="$2" '$4 >= a && $4 < b && $2 > 0 { d = $3 / $2 - 1;
    print (d < 0 ? -d : d) }' "$out/pm-6.dat" | sort -g | awk '{ e[NR] = $1 } END {
    printf "%.3f", NR ? e[int((NR + 1) / 2)] : 0 }'; }
few=$(error 30 100) many=$(error 300 1e9)
claim 'they converge: median relative error at 30 to 100 and above 300 samples' '1/sqrt' "$few and $many" \
    "$many > 0 && $few > 1.3 * $many"
