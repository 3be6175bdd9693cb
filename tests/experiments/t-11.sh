#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The worked examples: computing, stalled, flushed, drained (Figures 3 and 4 of the TIP paper), serialising instructions and page misses (section 2.2)
. "$(dirname "$0")/lib.sh"
with_runs
"$BUILD/tests/unit/test_prof" > "$out/t-11.log" 2>&1 && failures=0 || failures=$?
passed=$(sed -n 's/.*Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$out/t-11.log" | awk '{ print $1 - $2 - $3 " of " $1 }')
claim 'every profiler on the hand-written streams of the figures (tests/unit/test_prof.c)' "the figures' numbers" "${passed:-none} tests pass" "$failures == 0 && \"$passed\" != \"\""
