#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/intervals.md from the figures of run.sh: page.sh FIGURES INSTRUCTIONS SEEDS PARTS
set -eu
cat <<'HEAD'
# How often intervals hold

Each interval of a report says that it contains the exact answer with a probability of 95 %. The simulator knows the
exact answers, so the claim can be counted. The programs are Debian 13's of
[the benchmark of the functional core](speed.md), which the formulas were not made for one by one; their factors were
fitted on regions of 16 of them ([value_interval.h](../../host/driver/value/value_interval.h)). This page is written by
one command:

```console
$ make experiments-intervals
```

HEAD
awk -F '\t' -v instructions="$2" -v seeds="$3" -v parts="$4" '
    function percent(a, b) { return b ? sprintf("%.1f %%", 100 * a / b) : "-" }
    function least(family,    r, low, name) {
        low = 2
        for (r in regions) if (n[family, r] >= 50 && held[family, r] / n[family, r] < low) {
            low = held[family, r] / n[family, r]; name = r }
        return low > 1 ? "-" : sprintf("%.1f %% (%s)", 100 * low, name)
    }
    {
        if (!($1 in seen)) order[++families] = $1
        seen[$1] = 1; regions[$2] = 1
        n[$1, $2] += $3; held[$1, $2] += $4; all[$1] += $3; in_all[$1] += $4; open[$1] += $5; in_open[$1] += $6
    }
    NF > 6 { if (!($2 in place)) at[++places] = $2
        place[$2] = 1; runs[$1, $2]++; error[$1, $2] += $7; time[$1, $2] += $8; share[$1, $2] += $9 }
    function mean(of, family, r) { return of[family, r] / runs[family, r] }
    END {
        printf "Regions of %.0f million instructions, from %s %% of each program on; %d seeds of the value profiles, over\n", instructions / 1e6, parts, seeds
        print "recorded samples on the configuration `ev6`, the others on `boom`, with the default parameters.\n"
        print "| profile | intervals | with the exact answer | of estimates or answers between 5 and 95 % | least of a region with 50 intervals |"
        print "|---|---|---|---|---|"
        for (i = 1; i <= families; i++)
            printf "| %s | %d | %s | %s | %s |\n", order[i], all[order[i]], percent(in_all[order[i]], all[order[i]]),
                percent(in_open[order[i]], open[order[i]]), least(order[i])
        print "\nMost loads return one value, and intervals of these are seldom wrong; the third column leaves them out."
        print "\n## Values: error and cost beside simple sampling\n"
        print "RMS error with false positives, in per cent of executions; time of the handlers, in per cent of the rest; executions"
        print "of loads that have an interval.\n"
        print "| region | simple: error | time | value: error | time | with intervals | error, of simple | time, of simple |"
        print "|---|---|---|---|---|---|---|---|"
        for (i = 1; i <= places; i++) {
            r = at[i]
            e = mean(error, "value", r) / mean(error, "simple", r); t = mean(time, "value", r) / mean(time, "simple", r)
            printf "| %s | %.2f %% | %.3f %% | %.2f %% | %.3f %% | %.0f %% | %.2f | %.2f |\n", r, mean(error, "simple", r),
                mean(time, "simple", r), mean(error, "value", r), mean(time, "value", r), mean(share, "value", r), e, t
            le += log(e); lt += log(t); worse += e > 1; dearer += t > 1
        }
        if (places) printf "| geometric mean | | | | | | %.2f | %.2f |\n\nIn %d of %d regions the error is larger than that of simple sampling, in %d the time.\n", exp(le / places), exp(lt / places), worse, places, dearer
    }' "$1"
