#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the shares of an estimate with those of the full run: profile.sh NAME SEED ESTIMATE EXACT TRUTH, which are
# the estimate and the full run's report and statistics, JSON. Prints, with tabs between the columns:
#   rows NAME SEED PROFILER KIND SIZE ROWS KNOWN HOLD ERROR HALF    of a kind of row and size of share: rows, those with
#                                    an interval, intervals that hold; sums of errors and half widths in per cent
#   unseen NAME SEED PROFILER SHARE    of the full run's cycles, at instructions in no unit
#   estimate NAME SEED PROFILER SHARE    the same, as it is estimated
#   row NAME SEED KIND ROW TRUTH ESTIMATE LOW HIGH    the ten hottest instructions of the full run, and the cycles by
#                                    cause; shares
# Code without a function's name is left out, because reports name it differently.
set -eu
name=$1 seed=$2
tab=$(printf '\t')
exact() {
    jq -r '(.time.cycles * .time.per_cycle) as $all | .time.instructions[] | select(.function != null) |
        ["exact", .function, .offset, (.time.oracle // 0) / $all] | @tsv' "$1"
    jq -r '.core | .cycles as $all | to_entries[] | select(.key | startswith("stack_")) |
        ["cause", .key[6:], .value / $all] | @tsv' "$2"
}
estimate() {
    jq -r 'def columns: [.share, (.interval // ["-", "-"])[]];
        (.profiles[] | .by as $by | ["unseen", $by, .unseen],
            (.instructions[] | ["instruction", $by, .function, (.offset // "+0x0")[3:]] + columns),
            (.functions[] | ["function", $by, .function, "-"] + columns)),
        (.causes[] | ["cause", "-", .cause, "-"] + columns) | @tsv' "$1"
}
{ exact "$4" "$5"; echo estimate; estimate "$3"; } | awk -F "$tab" -v OFS="$tab" -v name="$name" -v seed="$seed" '
    function decimal(digits,    n, i) {
        for (i = 1; i <= length(digits); i++) n = 16 * n + index("0123456789abcdef", substr(digits, i, 1)) - 1
        return n + 0
    }
    function size(share) {
        return share >= 0.05 ? "above 5 %" : share >= 0.01 ? "1 to 5 %" : share >= 0.001 ? "0.1 to 1 %" : "below 0.1 %"
    }
    # Compares a row with its true share.
    function compare(kind, by, key, true, share, low, high,    group) {
        group = by OFS kind OFS size(share)
        rows[group]++
        if (low == "-") return
        known[group]++
        hold[group] += low - 1e-12 <= true && true <= high + 1e-12
        error[group] += 100 * (share > true ? share - true : true - share)
        half[group] += 50 * (high - low)
    }
    $1 == "estimate" { estimating = 1; next }
    !estimating && $1 == "exact" { instruction[$2 "+" $3] += $4; of[$2] += $4; next }
    !estimating && $1 == "cause" { cause[$2] = $3; next }
    $1 == "unseen" { print "estimate", name, seed, $2, $3; unseen[$2] = 0; next }
    $3 ~ /^\[.*\]$/ { next }
    $1 == "instruction" {
        key = $3 "+" decimal($4)
        compare("instruction", $2, key, instruction[key] + 0, $5, $6, $7)
        seen[$2, key] = 1
        if ($2 == "oracle") row[key] = $5 OFS $6 OFS $7
    }
    $1 == "function" { compare("function", $2, $3, of[$3] + 0, $5, $6, $7) }
    $1 == "cause" {
        compare("cause", "-", $3, cause[$3], $5, $6, $7)
        if (cause[$3] >= 0.001) print "row", name, seed, "cause", $3, cause[$3], $5, $6, $7
    }
    END {
        for (group in rows)
            print "rows", name, seed, group, rows[group], known[group] + 0, hold[group] + 0, error[group] + 0, half[group] + 0
        for (by in unseen) {
            for (key in instruction) if (!((by, key) in seen)) unseen[by] += instruction[key]
            print "unseen", name, seed, by, unseen[by]
        }
        for (n = 1; n <= 10; n++) {
            best = ""
            for (key in instruction) if (best == "" || instruction[key] > instruction[best]) best = key
            print "row", name, seed, "instruction", best, instruction[best], best in row ? row[best] : 0 OFS "-" OFS "-"
            delete instruction[best]
        }
    }' | awk -F "$tab" -v OFS="$tab" '
        { for (n = 5; n <= NF; n++) if ($n ~ /^[0-9.e+-]+$/ && $n ~ /[.]/) $n = sprintf("%.5g", $n); print }' | sort
