#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Overhead of the co-processor's profile and of simple sampling (Figure 6b of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    for p in none value paper simple1024; do cp_want "$w" $p; done
done
make_runs
for w in $cp_names; do
    echo "$w $(overhead "$w.value" "$w") $(overhead "$w.paper" "$w") $(overhead "$w.simple1024" "$w")"
done > "$out/cp-5.dat"
plot_bars cp-5 'overhead, % of the run without profiling'

most() { awk -v n="$1" '$n > most { most = $n } END { print most }' "$out/cp-5.dat"; }
claim 'all overheads are below 2 %' 'below 2 %' "at most $(most 3) % as in the paper, $(most 2) % as shipped, $(most 4) % simple" \
    "$(most 2) < 2 && $(most 3) < 2 && $(most 4) < 2"
lower=$(awk '$3 < $4' "$out/cp-5.dat" | wc -l) shipped=$(awk '$2 < $4' "$out/cp-5.dat" | wc -l) all=$(wc -l < "$out/cp-5.dat")
claim "the co-processor's is lower in every case" 'every case' "$lower of $all as in the paper, $shipped as shipped" "$lower == $all"
less() { awk -v name="$1" '$1 == name { printf "%.0f", 100 * (1 - $3 / $4) }' "$out/cp-5.dat"; }
claim "$(called "$gcc"): overhead lower" 'by 30 %' "by $(less "$gcc") %" "$(less "$gcc") > 15"
claim "$(called "$perl"): overhead lower" 'by 45 %' "by $(less "$perl") %" "$(less "$perl") > 15"
