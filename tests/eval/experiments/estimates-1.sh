#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts that the driver scales: raw, by one factor for the run, by one for each interval between reads
. "${0%/*}/lib.sh"
. "$here/estimates.sh"
assemble_all
assemble_unweighted
# shellcheck disable=SC2046 # words
estimates_want base1 $(scaled)
# shellcheck disable=SC2046
estimates_want unweighted $(weighted)
with_runs
# shellcheck disable=SC2046
{ estimates_figures base1 $(scaled); estimates_figures unweighted $(weighted); } > "$out/$ID.dat"

# A line for each program of which samples were dropped: program, share dropped, errors in percent of the exact events,
# rows nearer.
awk -F '\t' '{
        if (!($1 in events)) order[++n] = $1
        name[$1] = $1 ($3 == "unweighted" ? " without weight" : "")
        delivered[$1] += $4; dropped[$1] += $5; events[$1] += $7
        raw[$1] += $8; one[$1] += $9; estimate[$1] += $10; raw_nearer[$1] += $11; nearer[$1] += $12 }
    END { for (i = 1; i <= n; i++) {
        p = order[i]
        if (dropped[p] && events[p])
            printf "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%d\n", name[p], 100 * dropped[p] / delivered[p],
                100 * raw[p] / events[p], 100 * one[p] / events[p], 100 * estimate[p] / events[p], raw_nearer[p],
                nearer[p] } }' \
    "$out/$ID.dat" > "$out/$ID.programs"
note 'The sum over rows of the absolute error, in percent of the exact events of these rows, and the number of rows'
note 'in which the raw count or the estimate is nearer. Programs of which no sample was dropped are left out.'
note ''
note '| program | dropped | raw | one factor | each interval | rows: raw nearer | estimate nearer |'
note '|---|---|---|---|---|---|---|'
note "$(awk -F '\t' '{ printf "| %s | %s %% | %s %% | %s %% | %s %% | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7 }' \
    "$out/$ID.programs")"

sums=$(awk -F '\t' '{ raw += $8; one += $9; each += $10; a += $11; b += $12 }
    END { printf "%.0f %.0f %.0f %d %d", raw, one, each, a, b }' "$out/$ID.dat")
# shellcheck disable=SC2086
set -- $sums
claim 'estimates by interval have a smaller summed error than raw counts, over the suite' 'smaller' "$3 against $1" \
    "$3 < $1"
claim 'and not a larger one than estimates by one factor for the run' 'not larger' "$3 against $2" "$3 <= $2"
claim 'they are nearer to the truth than raw counts in more rows, over the suite' 'more' "$5 against $4" "$5 > $4"
why 'one factor stands for all rows of an interval. Rows outside of the bursts lose less than that.'
worse=$(awk -F '\t' '{ n++; if ($5 > $3) { bad++; names = names (names ? ", " : "") $1 } }
    END { printf "%d %d %s", n - bad, n, names }' "$out/$ID.programs")
names=${worse#* * } worse=${worse%"$names"}
# shellcheck disable=SC2086
set -- $worse
claim 'their summed error is not above that of raw counts, for any program' 'all' "$1 of $2" "$1 == $2"
why "it is for $names. conflict counts too many conflicts by its method, so that a larger count is farther off. targets
    loses next to nothing, and that in few rows."
[ ! -s "$out/$ID.programs" ] || plot "$ID" 420 << END
set style data histograms
set style fill solid
set boxwidth 0.9
set yrange [0:*]
set ylabel 'summed error, % of the exact events'
set xtics rotate by -35 font ',9'
set rmargin 14
set datafile separator '\t'
plot '$out/$ID.programs' using 3:xtic(1) title 'raw', '' using 4 title 'one factor', '' using 5 title 'each interval'
END
