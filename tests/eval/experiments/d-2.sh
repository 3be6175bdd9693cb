#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The copy loop (Figures 2 and 7 of the DCPI paper)
. "${0%/*}/lib.sh"
with_runs
# The tests have the paper's samples, and fail unless the results are the paper's.
passes() {
    tested=$(test_of "$1")
    all_pass "$tested"
}
frequency=$(passes test_frequency) analysis=$(passes test_analysis) schedule=$(passes test_schedule)
claim 'frequency of the loop, and the ratios it is the mean of' '1527; 1482, 1493, 1548, 1586' \
    "$([ "$frequency" = 1 ] && echo the same || echo others)" "$frequency == 1"
claim 'best case and actual cycles; cycles of each instruction' '8/13, 140/13; 2.0, 1.0, ... 18.0, ... 114.5' \
    "$([ "$analysis" = 1 ] && echo the same || echo others)" "$analysis == 1"
claim 'causes of the stalls of the two stores' 'dwD' "$([ "$analysis" = 1 ] && echo the same || echo others)" \
    "$analysis == 1"
claim 'static schedule of the loop in RISC-V: cycles' '8' "$([ "$schedule" = 1 ] && echo 8 || echo others)" \
    "$schedule == 1"
