#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A working set far larger than the slots, with and without partitioning by PC filter 1 (section 5.1.3 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

for p in none paper; do cp_want "$gcc" $p; done
cp_want_paper "$gcc" whole '-D SPLIT=0'
with_runs
with_control
timeline "$gcc.paper" "$gcc" > "$out/cp-12.split.dat"
timeline "$gcc.paper.whole" "$gcc" > "$out/cp-12.whole.dat"
plot_timelines cp-12 '' split whole
claim 'thrashing leads to splitting by 2 or 4' 'partitions' \
    "$(query "$gcc.paper" .interrupts_thrash) thrash interrupts, $(query "$gcc.paper" .partitions) partitions" \
    "$(query "$gcc.paper" .partitions) > 1"
# The error at three quarters of the run and at its end: what it falls by in the last quarter, of what it was, says
# whether it still goes anywhere.
set -- $(for v in whole split; do for share in 0.75 1; do error_at_share "$out/cp-12.$v.dat" $share; done; done)
slope() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", (a > 0 ? 100 * (a - b) / a : 0) }'; }
claim 'without splitting the profile does not converge' 'only with PC filter 1' \
    "error at 3/4 of the run $1, at the end $2 %: it falls by $(slope "$1" "$2") % of itself" \
    "$2 > 2 * $4 && $(slope "$1" "$2") < 2"
# control_slope PROFILE: the same of the control with 512 loads
control_slope() {
    control_timeline 512 "$1" > "$out/cp-12.control.dat"
    slope "$(error_at_share "$out/cp-12.control.dat" 0.75)" "$(error_at_share "$out/cp-12.control.dat" 1)"
}
executes=$(awk -v scale="$SCALE" 'BEGIN { print int(2e6 * scale / 512) }')
shown "the time: on the control with 512 loads (CP-13), each of which executes $executes times, the error is
  $(control_row 512 value-paper+whole 3 | awk '{ printf "%.2f", $1 }') % without splitting, and falls by
  $(control_slope value-paper+whole) % of itself in the last quarter. Here the error is $2 %, with splitting at $4 %,
  but it decreases: slots are usually replaced after few samples, but some last, so
  $(query "$gcc.paper.whole" .loads_profiled) loads have a sample and $(masked_of \
      "$gcc.paper.whole") are sufficiently known."
claim 'with splitting it does' 'only with PC filter 1' "$3 and $4 %: by $(slope "$3" "$4") %" \
    "$2 > 2 * $4 && $(slope "$3" "$4") < 2"
shown "the time: on the control with 512 loads it falls by $(control_slope value-paper) % in the last quarter. Here it
  still decreases by $(slope "$3" "$4") % in the last quarter of the region, in which
  $(query "$gcc.paper" .partitions) partitions have $(query "$gcc.paper" .interrupts) interrupts."
