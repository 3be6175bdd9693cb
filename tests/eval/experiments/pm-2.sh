#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The latency registers (Table 1 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
passed=$(test_of test_counts)
claim 'for every retired instruction the five latencies sum to fetch to retire (tests/unit/core/test_counts.c)' 'Table 1' \
    "${passed:-none} tests pass" "$(all_pass "$passed")"
# The estimate of each latency's sum, by the exact one, at the shortest interval.
for w in $pm_programs; do
    jq -r '(.counts.totals[0]) as $e | (.counts.totals[1]) as $p | ["fetch-map", "map-ready", "ready-issue",
        "issue-done", "done-retire"][]
        | select($e[.] > 1000) | [., $p[.] / $e[.]] | @tsv' "$runs/$w.counts.brief" | sed "s/^/$w	/"
done > "$out/pm-2.dat"
for l in fetch-map map-ready ready-issue issue-done done-retire; do
    r=$(awk -F '\t' -v l=$l '$2 == l { print $3 }' "$out/pm-2.dat" | range) m=$(awk -F '\t' -v l=$l '$2 == l {
        print $3 }' "$out/pm-2.dat" | mean)
    claim "estimated by exact sum of $l, over the programs" '1' "mean $m, $r" "$m > 0.95 && $m < 1.05"
done
