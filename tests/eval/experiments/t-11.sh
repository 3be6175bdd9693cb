#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The worked examples: computing, stalled, flushed, drained (Figures 3 and 4 of the TIP paper), serialising instructions and page misses (section 2.2)
. "${0%/*}/lib.sh"
with_runs
for t in tip_figures prof; do
    case $t in
    tip_figures) text="the figures' examples: time of each instruction by every profiler" paper="the figures' numbers" \
        ;;
    prof) text='profilers on other hand-written streams' paper='sections 2 and 3' ;;
    esac
    p=$(test_of test_$t)
    claim "$text (tests/unit/test_$t.c)" "$paper" "${p:-none} tests pass" "$(all_pass "$p")"
done
