#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Estimates of event frequencies (section 5.1 of the ProfileMe paper): kS has no bias, and its error is about 1/sqrt(k)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
# shellcheck disable=SC2086 # names
pm_want $pm_programs
with_runs
# A line for each program, sampler and count: deviation in standard errors, which are those of k samples of the
# population.
for w in $pm_programs; do
    jq -r '(.counts.totals[0]) as $e | .counts.profilers as $profilers | .counts.totals[1:5][] as $p
        | ($profilers[] | select(.profiler == $p.profiler).scale) as $s
        | ["retired", "squashed", "dcache-miss", "mispredicted", "loads", "transfers"][]
        | select($e[.] / $s >= 20) | [., ($p[.] - $e[.]) / ($s * ($e[.] / $s | sqrt))] | @tsv' "$runs/$w.counts.brief" |
            sed "s/^/$w	/"
done > "$out/pm-3.dat"
for c in retired squashed dcache-miss mispredicted loads transfers; do
    awk -F '\t' -v c=$c '$2 == c { n++; s += $3; inside += $3 > -2 && $3 < 2 } END {
        printf "%d %.2f %.2f\n", n, n ? s / n : 0, n ? inside / n : 0 }' "$out/pm-3.dat" > "$out/pm-3.one"
    read -r n bias inside < "$out/pm-3.one"
    claim "$c: mean deviation of the estimates, in standard errors" '0' \
        "$bias over $n runs and intervals; $inside of them within 2" \
        "$n > 0 && $bias > -0.6 && $bias < 0.6 && $inside > 0.9"
done
passed=$(test_of test_profileme_statistics)
claim 'every estimate over many seeds (tests/unit/host/test_profileme_statistics.c)' 'no bias; deviation as the formula' \
    "${passed:-none} tests pass" "$(all_pass "$passed")"
