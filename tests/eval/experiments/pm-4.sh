#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Convergence of retire and D-cache miss counts (Figure 3 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
# points COUNT: for each instruction and interval, the samples with the property that it should have (the exact count by
# the scale), and the ratio of estimate and exact count; of instructions that should have one or more
points() {
    for w in $pm_programs; do
        jq -r --arg c "$1" '(.counts.profilers | map({key: .profiler, value: .scale}) | from_entries) as $scale
            | .counts.instructions[].profiles | (.[0].counts[$c] // 0) as $exact | .[1:5][]
            | ($exact / $scale[.profiler]) as $x | select($x >= 1) | [$x, (.counts[$c] // 0) / $exact] |
                @tsv' "$runs/$w.counts.json"
    done
}
for c in retired dcache-miss; do points $c > "$out/pm-4.$c.dat"; done
plot pm-4 << END
set multiplot layout 1,2
set logscale x
set yrange [0:2]
set xlabel 'expected samples with the property'
set ylabel 'estimate by exact count'
plot "$out/pm-4.retired.dat" using 1:2 every 7 with dots title "retired", 1 + 1 / sqrt(x) with lines linecolor 'black' notitle, 1 - 1 / sqrt(x) with lines linecolor 'black' notitle
plot "$out/pm-4.dcache-miss.dat" using 1:2 with dots title "D-cache misses", 1 + 1 / sqrt(x) with lines linecolor 'black' notitle, 1 - 1 / sqrt(x) with lines linecolor 'black' notitle
unset multiplot
END
# inside COUNT LEAST MOST: the share of the points within 1 +- 1/sqrt(x), of those with so many expected samples; and
# their number
inside() {
    awk -v least="$2" -v most="$3" '$1 >= least && $1 < most { n++; d = ($2 - 1) * sqrt($1);
        inside += d >= -1 && d <= 1 } END { printf "%.3f of %d", n ? inside / n : 0, n }' \
        "$out/pm-4.$1.dat"
}
# spread COUNT LEAST MOST: the root mean square deviation times sqrt(x)
spread() { awk -v least="$2" -v most="$3" '$1 >= least && $1 < most { n++; s += ($2 - 1) ^ 2 * $1 } END {
    printf "%.2f", n ? sqrt(s / n) : 0 }' "$out/pm-4.$1.dat"; }
for c in retired dcache-miss; do
    i=$(inside $c 10 1e9)
    claim "$c: share of the points within 1 +- 1/sqrt(x), of instructions with 10 expected samples or more" '2/3' "$i" \
        "${i%% *} > 0.6 && ${i%% *} < 0.74"
    claim "$c: the spread shrinks as 1/sqrt(x): root mean square deviation times sqrt(x) at 10 to 100 and above 100 samples" '1 and 1' \
        "$(spread $c 10 100) and $(spread $c 100 1e9)" "$(spread $c 10 100) > 0.8 && $(spread $c 10 \
            100) < 1.2 && $(spread $c 100 1e9) > 0.7 && $(spread $c 100 1e9) < 1.3"
    why 'an instruction that executes at regular intervals is sampled more evenly than at random, and one that
  executes in bursts less evenly.'
done
