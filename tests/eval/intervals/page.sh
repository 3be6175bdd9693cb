#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/intervals.md from the figures of run.sh: page.sh FIGURES INSTRUCTIONS SEEDS PARTS
set -eu
cat <<'HEAD'
# How often intervals hold

Each interval of a report says that it contains the exact answer with a probability of 95 %. The simulator knows the
exact answers, so the claim can be counted. The programs are Debian 13's of
[the benchmark of the functional core](speed.md). The two factors of value profiles were fitted to regions of 16 of
them, without `quickjs`, `mawk`, `bc`, `dash`, `grep`, `gzip`, `zstd` and `lame`
([value_interval.h](../../host/driver/value/value_interval.h)). This page is written by one command:

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
        gsub(" ", " and ", parts)
        printf "Regions of %.0f million instructions, after %s %% of each program; %d seeds of the value profiles,\n",
            instructions / 1e6, parts, seeds
        print "over recorded samples on the configuration `ev6`, the others on `boom`, with the default parameters.\n"
        print "| profile | intervals | with the exact answer | of estimates or answers between 5 and 95 % | least of a region with 50 intervals |"
        print "|---|---|---|---|---|"
        for (i = 1; i <= families; i++)
            printf "| %s | %d | %s | %s | %s |\n", order[i], all[order[i]], percent(in_all[order[i]], all[order[i]]),
                percent(in_open[order[i]], open[order[i]]), least(order[i])
        print "\nMost loads return one value, and intervals of these are seldom wrong; the third column leaves them out."
        print "Likely reasons where fewer than 93 % hold, not examined by runs of their own: `edge` and `misp` count each sample"
        print "with the number of those dropped before it, which may be of other branches: in a loop it is always the same one."
        print "`latency` takes one sample between random pauses, and takes them for independent, which they are not in programs"
        print "that change every few pauses.\n"
        print "`tip` and the profilers take samples at equal distances, which is better than at random: more intervals hold."
        print "\n## Values: error and cost beside simple sampling\n"
        print "RMS error with false positives, in per cent of executions; time of the handlers, in per cent of the rest; executions"
        print "of loads that have an interval.\n"
        print "| region | simple: error | time | value: error | time | with intervals | error, of simple | time, of simple |"
        print "|---|---|---|---|---|---|---|---|"
        for (i = 1; i <= places; i++) {
            r = at[i]
            e = mean(error, "value", r) / mean(error, "simple", r)
            simple = mean(time, "simple", r)
            t = simple ? mean(time, "value", r) / simple : 0
            printf "| %s | %.2f %% | %.3f %% | %.2f %% | %.3f %% | %.0f %% | %.2f | %s |\n", r,
                mean(error, "simple", r), simple, mean(error, "value", r), mean(time, "value", r),
                mean(share, "value", r), e, t ? sprintf("%.2f", t) : "-"
            le += log(e); worse += e > 1; dearer += t > 1
            if (t) { lt += log(t); timed++ }
        }
        if (!places) exit
        printf "| geometric mean | | | | | | %.2f | %.2f |\n\n", exp(le / places), timed ? exp(lt / timed) : 0
        printf "In %d of %d regions the error is larger than that of simple sampling, in %d the time. A region in which\n",
            worse, places, dearer
        print "simple sampling has not filled its slots once has no time to compare."
    }' "$1"
