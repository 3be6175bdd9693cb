#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Skid of an event counter: a loop of one load and 400 nops (Figure 2 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
event=counter:event=loads-issued:period=97:random:delay=6:skid
for c in ev5 boom; do other_want "nops.$c" $c "counts,profileme:period=1000,$event" nops; done
with_runs
for c in ev5 boom; do
    jq -r '.counters.skid[] | [.distance, 100 * .share] | @tsv' "$runs/nops.$c.json" > "$out/pm-1.$c.dat"
done
plot pm-1 << END
set style data impulses
set xlabel 'instructions behind the load'
set ylabel 'samples, %'
set xrange [-5:60]
set yrange [0:100]
plot "$out/pm-1.ev5.dat" using 1:2 linewidth 4 title "in-order (ev5)", "$out/pm-1.boom.dat" using (\$1 + 0.4):2 linewidth 4 title "out-of-order (boom)"
END
peak() { sort -k2,2gr "$out/pm-1.$1.dat" | awk 'NR == 1 { print $1, $2 }'; }
on_load() { awk '$1 == 0 { s = $2 } END { printf "%.1f", s }' "$out/pm-1.$1.dat"; }
spread() { awk '$2 >= 0.5' "$out/pm-1.$1.dat" | wc -l; }
set -- $(peak ev5)
claim 'in order: one displaced peak' 'the 7th instruction behind the load' "$(printf '%.1f' "$2") % at distance $1" \
    "$2 > 80 && $1 > 0"
claim 'out of order: the samples are spread' 'over the next 25 instructions' \
    "$(spread boom) distances with 0.5 % or more" "$(spread boom) >= 5"
claim 'neither names the load' 'so' "$(on_load ev5) and $(on_load boom) % on it" "$(on_load ev5) < 10 && $(on_load \
    boom) < 15"
# Of the samples of loads in the function of the loop, those of its one load.
loads=$(jq -r '[.counts.instructions[] | select(.function == "load_and_nops") | .profiles[] | select(.profiler |
    startswith("profileme")) as $p
    | {load: (.counts.loads // 0)}] | map(.load) | [max, add] |
        if .[1] > 0 then 100 * .[0] / .[1] else 0 end' "$runs/nops.boom.json")
claim 'ProfileMe names the load' '100 %' "$loads % of the loads sampled in the loop are the load" "$loads == 100"
