#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A working set far larger than the slots, with and without the splitting of the program by PC filter 1 (section 5.1.3 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

cp_want "$gcc" none
cp_want "$gcc" paper
"$BUILD/bin/pcasm" -D SPLIT=0 -D WHOLE=0 -D RESAMPLE=0 -o "$out/paper.whole.pc" "$sources/programs/value.pasm"
want "$gcc.paper.whole" --program "$out/paper.whole.pc" -- $(cp_command "$gcc")
make_runs
timeline "$gcc.paper" "$gcc" > "$out/cp-12.split.dat"
timeline "$gcc.paper.whole" "$gcc" > "$out/cp-12.whole.dat"
plot_timelines cp-12 '' split whole
claim 'thrashing leads to splitting by 2 or 4' 'partitions' "$(query "$gcc.paper" .interrupts_thrash) thrash interrupts, $(query "$gcc.paper" .partitions) partitions" \
    "$(query "$gcc.paper" .partitions) > 1"
claim 'without splitting the profile does not converge; with it, it does' 'only with PC filter 1' \
    "error $(error_of "$gcc.paper.whole") % without, $(error_of "$gcc.paper") % with" \
    "$(error_of "$gcc.paper.whole") > 2 * $(error_of "$gcc.paper")"
