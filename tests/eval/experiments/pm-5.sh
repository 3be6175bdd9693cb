#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nested sampling (section 5.2 and Figures 4 and 5 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
passed=$(test_of test_profileme)
claim 'partners are uniform over -W to -1 and 1 to W, each pair is used twice, and is delivered when both are over (tests/unit/core/test_profileme.c)' \
    'uniform' "${passed:-none} tests pass" "$(all_pass "$passed")"
# Use by stage (section 5.2.4): the cycles that others spent in each of three phases while an instruction was in one,
# the estimate by the exact sum.
for w in $pm_programs; do
    jq -r --arg p "$pair" '.counts.totals[] | select(.profiler == $p) | ["queued", "executing", "waiting"] as $phases |
        $phases[] as $own | $phases[] as $other
        | "\($other)-while-\($own)" as $kind | select(.[$kind + "_exact"] > 0) |
            [$kind, .[$kind] / .[$kind + "_exact"]] | @tsv' "$runs/$w.counts.brief"
done > "$out/pm-5.dat"
for own in queued executing waiting; do
    ratio=$(awk -F '\t' -v own="while-$own$" '$1 ~ own {
        print $2 }' "$out/pm-5.dat") kinds=$(grep -c "while-$own" "$out/pm-5.dat" || true)
    middle=$(echo "$ratio" | mean)
    claim "how many others are queued, executing or waiting to retire while an instruction is $own (section 5.2.4): estimated by exact sum" '1' \
        "mean $middle, $(echo "$ratio" | range), of $kinds sums" "$middle > 0.95 && $middle < 1.05"
    why 'there are too few pairs for sums that are dominated by few instructions with long phases.'
done
