#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Chooses the questions from the metrics of all instructions and causes: pool.sh QUESTIONS < METRICS. The largest
# by each metric and cause in turn, so that no metric chooses what it is judged by. Instructions that no metric gives a
# thousandth of the cycles are left out.
set -eu
exec awk -F '\t' -v most="$1" '
    { line[NR] = $0; cause[NR] = $2; causes[$2] = 1; for (m = 3; m <= NF; m++) value[NR, m] = $m; metrics = NF }
    # The largest of a cause by a metric that no list has yet.
    function best(c, m,    n, found) {
        for (n = 1; n <= NR; n++)
            if (cause[n] == c && !taken[n] && value[n, m] != "-" && value[n, m] + 0 >= 0.001 &&
                (!found || value[n, m] + 0 > value[found, m] + 0))
                found = n
        return found
    }
    END {
        for (round = 1; round <= most && chosen < most; round++)
            for (c in causes)
                for (m = 3; m <= metrics && chosen < most; m++) {
                    # One that another metric has chosen counts for this one, too.
                    if (asked[c, m]++ < round - 1) continue
                    n = best(c, m)
                    if (n) { taken[n] = 1; chosen++; print line[n] }
                }
    }'
