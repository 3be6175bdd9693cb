#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The worked examples: computing, stalled, flushed, drained (Figures 3 and 4 of the TIP paper), serialising instructions and page misses (section 2.2)
. "$(dirname "$0")/lib.sh"
with_runs
# passed NAME: "N of M" of a unit test's cases that pass
passed() { "$BUILD/tests/unit/$1" 2>&1 | sed \
    -n 's/.*Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' | awk '{
    print $1 - $2 - $3 " of " $1 }'; }
for t in tip_figures prof; do
    case $t in
    tip_figures) text="the figures' examples: time of each instruction by every profiler" paper="the figures' numbers" \
        ;;
    prof) text='profilers on other hand-written streams' paper='sections 2 and 3' ;;
    esac
    p=$(passed test_$t)
    claim "$text (tests/unit/test_$t.c)" "$paper" "${p:-none} tests pass" "$(echo "$p" | awk '{
        print ($1 != "" && $1 == $3) }')"
done
