#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/regions.md from the results of run.sh: page.sh RESULTS PROFILES
set -eu
cat <<'HEAD'
# Whether estimates of long runs hold

`pcsweep estimate` states an interval that contains the cycles of the whole run with a probability of 95 %
([regions](../regions.md)). These are Debian 13's programs of [the benchmark of the functional core](speed.md), run in
full on the out-of-order core `boom` and estimated with a precision of 3 %, units of 10,000 instructions and three
seeds. This page is written by one command:

```console
$ make experiments-regions
```

HEAD
awk -F '\t' '
    function thousands(n,    text) {
        text = sprintf("%.1f", n / 1e6)
        return text
    }
    NR == 1 {
        print "| program | seed | instructions, M | cycles, M | estimate, M | 95 % interval, M | error % | +- % | holds | units | strata | in detail % |"
        print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    }
    {
        holds = $6 <= $4 && $4 <= $7
        error = 100 * ($5 / $4 - 1)
        printf "| %s | %d | %s | %s | %s | %s to %s | %+.2f | %.2f | %s | %d | %d | %.2f |\n", $1, $2, thousands($3),
            thousands($4), thousands($5), thousands($6), thousands($7), error, 50 * ($7 - $6) / $5,
            holds ? "yes" : "no", $8, $9, 100 * $10 / $3
        all++
        held += holds
        absolute += error < 0 ? -error : error
        signed += error
        detailed += $10
        whole += $3
    }
    END {
        printf "\n%d of %d intervals hold. The mean of the absolute errors is %.2f %%, and that of the errors %+.2f %%. ",
            held, all, absolute / all, signed / all
        printf "%.2f %% of the\ninstructions are simulated in detail.\n", 100 * detailed / whole
    }' "$1"
cat <<'TAIL'

An interval may not hold where few units take many times as long as the others: a sample of a stratum can miss them.
More units at first (`--units`) make that less likely.
TAIL

cat <<'PROFILES'

## Profiles

The same estimates with `--profile oracle,tip:period=101:random`, compared with the oracle of the whole run: shares of
the cycles by instruction, function and cause. A row's size is its estimated share. Rows without an interval are in too
few units. Distance and half width are means over the rows with an interval, in per cent of the cycles. Code without a
function's name is left out.

| profiler | rows | size | number | with interval % | of these hold % | distance | half width |
|---|---|---|---|---|---|---|---|
PROFILES
awk -F '\t' '
    $1 == "rows" {
        key = ($4 == "-" ? "statistics" : $4) " | " $5 " | " $6
        if (!(key in rows)) order[++keys] = key
        rows[key] += $7
        known[key] += $8
        hold[key] += $9
        distance[key] += $10
        half[key] += $11
    }
    END {
        for (n = 1; n <= keys; n++) {
            key = order[n]
            printf "| %s | %d | %.0f | %s | %s | %s |\n", key, rows[key], 100 * known[key] / rows[key],
                known[key] ? sprintf("%.1f", 100 * hold[key] / known[key]) : "-",
                known[key] ? sprintf("%.4f", distance[key] / known[key]) : "-",
                known[key] ? sprintf("%.4f", half[key] / known[key]) : "-"
        }
    }' "$2" | sort
cat <<'UNSEEN'

Intervals of causes below 1 % hold less often than they say: a unit begins without the outstanding misses and the wrong
paths of the run before it. The front end has 0.73 % of the cycles of `m4`, and 1.02 % of the estimate with seed 1.

The share of the cycles at instructions that no unit has, mean over programs and seeds:

| profiler | estimate % | true % |
|---|---|---|
UNSEEN
awk -F '\t' '
    $1 == "unseen" { true[$4] += $5; count[$4]++ }
    $1 == "estimate" { estimate[$4] += $5 }
    END { for (by in true) printf "| %s | %.2f | %.2f |\n", by, 100 * estimate[by] / count[by], 100 * true[by] / count[by] }
    ' "$2" | sort
for name in gzip zsh lame; do
    cat <<HOTTEST

$name, seed 1: the cycles by cause, and the ten hottest instructions, in per cent of the cycles.

| row | whole run | estimate | 95 % | holds |
|---|---|---|---|---|
HOTTEST
    awk -F '\t' -v name="$name" '
        $1 == "row" && $2 == name && $3 == 1 {
            known = $8 != "-"
            printf "| `%s` | %.2f | %.2f | %s | %s |\n", $5, 100 * $6, 100 * $7,
                known ? sprintf("%.2f to %.2f", 100 * $8, 100 * $9) : "-",
                !known ? "-" : $8 <= $6 && $6 <= $9 ? "yes" : "no"
        }' "$2"
done
