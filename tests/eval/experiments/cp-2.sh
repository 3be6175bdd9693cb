#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simple sampling at the rate of the DCPI value sampler, one sample in about 32,000 instructions (section 5 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    cp_want "$w" none
    cp_want "$w" simple8192
done
with_runs
for w in $cp_names; do
    echo "$w $(overhead "$w.simple8192" "$w") $(query "$w.simple8192" '.instructions / ([.records, 1] | max)')"
done > "$out/cp-2.dat"
plot cp-2 << END
set style data histogram
set style fill solid 0.6
set ylabel "overhead, % of the run without profiling"
set yrange [0:*]
set xtics rotate by -30
plot "$out/cp-2.dat" using 2:xtic(1) title "one load in 8192"
END
set -- $(awk '{ o += $2; if ($2 > most) most = $2; r += $3 } END {
    printf "%.3f %.3f %.0f", o / NR, most, r / NR }' "$out/cp-2.dat")
claim 'overhead at one sample per about 32,000 instructions' '0.3 %' \
    "mean $1 %, at most $2 %; one sample per $3 instructions" "$1 < 0.35 && $2 < 0.35"
