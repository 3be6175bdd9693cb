#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Counts by the field weight, and intervals
. "${0%/*}/lib.sh"
. "$here/estimates.sh"
assemble_all
assemble_unweighted
sampled=$(among tip pics)
# shellcheck disable=SC2046,SC2086 # words
estimates_want base1 $(weighted) $sampled
# shellcheck disable=SC2046
estimates_want unweighted $(weighted)
with_runs
# shellcheck disable=SC2046
{ estimates_figures base1 $(weighted); estimates_figures unweighted $(weighted); } > "$out/$ID.dat"

# A line for each program: program, share dropped, errors in percent of the exact events, intervals, those that cover.
awk -F '\t' '$3 == "unweighted" { raw[$1] += $8; each[$1] += $10; of[$1] += $7; next }
    {   if (!($1 in events)) order[++n] = $1
        delivered[$1] += $4; dropped[$1] += $5; events[$1] += $7; weight[$1] += $10
        bounds[$1] += $13; inside[$1] += $14 }
    END { for (i = 1; i <= n; i++) {
        p = order[i]
        if (events[p] && of[p])
            printf "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%d\t%d\n", p, 100 * dropped[p] / delivered[p], 100 * raw[p] / of[p],
                100 * each[p] / of[p], 100 * weight[p] / events[p], bounds[p], inside[p] } }' \
    "$out/$ID.dat" > "$out/$ID.programs"
note 'Errors as above. Raw counts and estimates by interval are those of the program without `weight`.'
note ''
note '| program | dropped | raw | each interval | weight | intervals | with the exact count |'
note '|---|---|---|---|---|---|---|'
note "$(awk -F '\t' '{ printf "| %s | %s %% | %s %% | %s %% | %s %% | %d | %s |\n", $1, $2, $3, $4, $5, $6,
    $6 ? sprintf("%.1f %%", 100 * $7 / $6) : "-" }' "$out/$ID.programs")"

better=$(awk -F '\t' '{ n++; ok += $5 <= $3 && $5 <= $4 } END { print ok + 0, n + 0 }' "$out/$ID.programs")
claim 'counts by weight have no larger summed error than raw counts and estimates by interval' 'all' \
    "${better% *} of ${better#* } programs" "${better#* } > 0 && ${better% *} == ${better#* }"
why 'of more than 254 samples dropped in a row weight counts 254.'
covered=$(awk -F '\t' '{ n += $6; inside += $7 } END { printf "%.1f", n ? 100 * inside / n : 100 }' "$out/$ID.programs")
claim 'the 95 % intervals of counts by weight contain the exact count' '95 %' "$covered %" "$covered >= 95"
why 'the interval takes the drops for independent, and for as frequent everywhere as in the mean of the run.'
[ -n "$sampled" ] || exit 0
# shellcheck disable=SC2086
estimates_figures base1 $sampled > "$out/$ID.sampled"
covered=$(awk -F '\t' '{ n += $13; inside += $14 } END { printf "%.1f", n ? 100 * inside / n : 100 }' \
    "$out/$ID.sampled")
claim 'and so do those of programs that sample by cycles: tip, pics' '95 %' "$covered %" "$covered >= 95"
why 'a row is in the report because it has been sampled. At this scale most rows have few samples, and the exact count of
    many is below the interval; rows that are as rare and were not sampled are not there.'
