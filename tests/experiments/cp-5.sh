#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Overhead of the co-processor's profile and of simple sampling (Figure 6b of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    cp_want "$w" none
    cp_want "$w" value
    cp_want "$w" simple1024
done
make_runs
for w in $cp_names; do
    echo "$w $(overhead "$w.value" "$w") $(overhead "$w.simple1024" "$w")"
done > "$out/cp-5.dat"
plot_bars cp-5 'overhead, % of the run without profiling'

set -- $(awk '{ if ($2 > most) most = $2; if ($3 > most) most = $3; lower += $2 < $3; n++ } END { print most, lower, n }' "$out/cp-5.dat")
claim 'all overheads are below 2 %' 'below 2 %' "at most $1 %" "$1 < 2"
claim "the co-processor's is lower in every case" 'every case' "$2 of $3" "$2 == $3"
less() { awk -v name="$1" '$1 == name { printf "%.0f", 100 * (1 - $2 / $3) }' "$out/cp-5.dat"; }
claim 'gcc (compiler): overhead lower' 'by 30 %' "by $(less compiler) %" "$(less compiler) > 15"
claim 'perl (interp): overhead lower' 'by 45 %' "by $(less interp) %" "$(less interp) > 15"
