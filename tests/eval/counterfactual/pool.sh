#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Chooses the questions from the metrics of all instructions and causes: the largest by each metric and cause in turn,
# so that no metric chooses what it is judged by. Instructions that no metric gives a thousandth of the cycles are left
# out.
#   pool.sh QUESTIONS < METRICS               so many at the most
#   pool.sh QUESTIONS KNOWN FIRST < METRICS   those of KNOWN, a line of address and cause for each, and at most
#                                             QUESTIONS more, which the metrics from number FIRST on choose
set -eu
exec awk -F '\t' -v most="$1" -v known="${2:-/dev/null}" -v first="${3:-1}" '
    BEGIN { while ((getline < known) > 0) has[$1, $2] = 1 }
    { line[NR] = $0; cause[NR] = $2; causes[$2] = 1; for (m = 3; m <= NF; m++) value[NR, m] = $m; metrics = NF }
    ($1, $2) in has { taken[NR] = 1; print }
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
                for (m = first + 2; m <= metrics && chosen < most; m++) {
                    # One that another metric has chosen counts for this one, too.
                    if (asked[c, m]++ < round - 1) continue
                    n = best(c, m)
                    if (n) { taken[n] = 1; chosen++; print line[n] }
                }
    }'
