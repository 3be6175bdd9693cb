#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# IPC in windows of 30 cycles (section 6 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
for w in $pm_programs; do other_want "$w.ipc" ev6 ipc:window=30 "$w"; done
with_runs
for w in $pm_programs; do
    query "$w.ipc" '.ipc[0] | [.mean, .weighted_mean, 100 * .weighted_deviation, .low, .high, .ratio] | @tsv' |
        sed "s/^/$w	/"
done > "$out/pm-8.dat"
plot pm-8 << END
set style data histogram
set style fill solid 0.6
set ylabel 'standard deviation of IPC, % of the mean'
set yrange [0:*]
set xtics rotate by -40
plot "$out/pm-8.dat" using 4:xtic(1) notitle
END
inside=$(awk -F '\t' '$4 >= 15 && $4 <= 50' "$out/pm-8.dat" | wc -l) mean=$(cut -f4 "$out/pm-8.dat" | mean)
claim 'standard deviation of the windows, weighted by instructions retired' '20 to 42 % of the mean, 31 % overall' \
    "$(cut -f4 "$out/pm-8.dat" | range) %, mean $mean %; $inside programs from 15 to 50" \
        "$inside >= 5 && $mean > 20 && $mean < 42"
ratio=$(awk -F '\t' '$5 > 0 { print $6 / $5 }' "$out/pm-8.dat" | range)
claim 'largest by smallest IPC of the windows (here: the quantiles 99 % and 1 %, weighted by instructions retired)' \
    '3 to 30' "$ratio" \
    "$(awk -F '\t' '$5 > 0 && $6 / $5 >= 2 && $6 / $5 <= 60' "$out/pm-8.dat" | wc -l) >= 5"
note ''
note '| program | IPC | weighted | deviation % | 1 % | 99 % | largest by smallest |'
note '|---|---|---|---|---|---|---|'
note "$(awk -F '\t' '{ printf "| %s | %.2f | %.2f | %.1f | %.2f | %.2f | %.0f |\n", $1, $2, $3, $4, $5, $6,
    $7 }' "$out/pm-8.dat")"
