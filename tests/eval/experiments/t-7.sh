#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Commit cycle stacks and the classes of programs (Figure 7 of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
# shellcheck disable=SC2086 # names
t_want $t_programs
with_runs
for w in $t_programs; do
    printf '%s\t%s\t%s\t%s\t' "$w" "$(class_of "$w")" "$(query_stats "$w.time" '.core.ipc')" \
        "$(query_stats "$w.time" \
            '.core | if .mispredicted_direction + .mispredicted_target + .mispredicted_return == 0 then 0
            else .stack_mispredict / (.mispredicted_direction + .mispredicted_target + .mispredicted_return) end')"
    query "$w.time" '[.time.stack[].cycles] | (add) as $all | map(100 * . / $all) | @tsv'
done > "$out/t-7.dat"
{
    for class in Compute Flush Stall; do grep "	$class	" "$out/t-7.dat" || true; done
} > "$out/t-7.sorted"
plot t-7 << END
set style data histogram
set style histogram rowstacked
set style fill solid 0.7
set boxwidth 0.8
set datafile separator '\t'
set ylabel 'cycles, %'
set yrange [0:100]
set key outside
set xtics rotate by -40
plot "$out/t-7.sorted" using 5:xtic(1) title "execute", "" using 6 title "ALU stall", "" using 7 title "load stall", "" using 8 title "store stall", "" using 9 title "front end", "" using 10 title "mispredict", "" using 11 title "flush"
END
count() { awk -F '\t' -v class="$1" '$2 == class' "$out/t-7.dat" | wc -l; }
claim 'each class has programs' 'Compute, Stall and Flush' "$(count Compute), $(count Stall), $(count Flush)" \
    "$(count Compute) >= 5 && $(count Stall) >= 5 && $(count Flush) >= 5"
flush=$(awk -F '\t' '{ s += $11 } END { printf "%.2f", s / NR }' "$out/t-7.dat")
claim 'flushes other than by mispredictions take little' '1.4 %' "$flush %" "$flush < 3"
empty=$(awk -F '\t' '$4 > 0 && $10 > 1 { s += $4; n++ } END { printf "%.1f", n ? s / n : 0 }' "$out/t-7.dat")
claim 'cycles for which a misprediction leaves the ROB empty, mean of the programs with more than 1 % of them' '3.5' \
    "$empty" "$empty > 2.5 && $empty < 4.5"
why "the recovery takes the cycles of the configuration's front end, and the ROB is empty in those that older
  instructions do not hide ([core](../core.md))."
note ''
note '| program | class | IPC | execute % | ALU stall % | load stall % | store stall % | front end % | mispredict % | flush % |'
note '|---|---|---|---|---|---|---|---|---|---|'
note "$(awk -F '\t' '{ printf "| %s | %s | %.2f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", $1, $2, $3, $5,
    $6, $7, $8, $9, $10, $11 }' "$out/t-7.sorted")"
