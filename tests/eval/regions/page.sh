#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/regions.md from the results of run.sh: page.sh RESULTS
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
