#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Estimated and true invariance of each value of gcc (Figure 5 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

cp_want "$gcc" paper
make_runs
query "$gcc.paper" '.pairs[] | [100 * .exact, 100 * .estimated, .count, 100 * .measured] | @tsv' > "$out/cp-3.dat"
for class in 200:1000 1000:10000 10000:1e18; do
    awk -v from="${class%:*}" -v to="${class#*:}" '$3 >= from && $3 < to' "$out/cp-3.dat" > "$out/cp-3.${class%:*}.dat"
done
plot cp-3 << END
set xlabel "true invariance, %"
set ylabel "estimated invariance, %"
set key top left
set xrange [20:102]
set yrange [-2:105]
plot x with lines dashtype 2 linecolor "black" notitle, x + 5 with lines dashtype 3 linecolor "gray" notitle, \
    x - 5 with lines dashtype 3 linecolor "gray" notitle, \
    "$out/cp-3.200.dat" using 1:2 with points pointtype 2 title "below 1000 occurrences", \
    "$out/cp-3.1000.dat" using 1:2 with points pointtype 8 title "1000 to 10,000", \
    "$out/cp-3.10000.dat" using 1:2 with points pointtype 4 title "above 10,000"
END

set -- $(awk '{ n++; d = $2 - $1; if (d < 0) d = -d; near += d <= 5; if ($2 == 0) { missing++; lost += $3 } all += $3; if ($2 > 0) { found++; m += $4 - $1 } }
    END { printf "%d %.1f %d %.2f %.2f", n, 100 * near / n, missing, 100 * lost / all, m / found }' "$out/cp-3.dat")
claim 'most estimates are within 5 percent' 'most' "$2 % of $1 pairs" "$2 > 50"
claim 'values that were not sampled are infrequent' 'on the x axis, largely infrequent' "$3 pairs, with $4 % of the occurrences" "$4 < 5"
# Mean error of the frequent and of the infrequent, among the values found.
spread() { awk '$2 > 0 { d = $2 - $1; s += d * d; n++ } END { printf "%.2f", n ? sqrt(s / n) : 0 }' "$1"; }
rare=$(spread "$out/cp-3.200.dat") often=$(spread "$out/cp-3.10000.dat")
claim 'errors are larger for infrequent values' 'larger' "RMS $rare points below 1000 occurrences, $often above 10,000" "$rare > $often"
claim 'a slight overestimate before the correction of A.6 (clustering)' 'slight' "mean of hits / (hits + misses) - true, of the values found: $5 points" "$5 > 0 && $5 < 10"
