#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A working set far larger than the slots, with and without the splitting of the program by PC filter 1 (section 5.1.3 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

cp_want compiler none
cp_want compiler paper
"$BUILD/bin/pcasm" -D SPLIT=0 -D WHOLE=0 -D RESAMPLE=0 -o "$out/paper.whole.pc" "$sources/programs/value.pasm"
want compiler.paper.whole --program "$out/paper.whole.pc" -- compiler $(argument compiler)
make_runs
timeline compiler.paper compiler > "$out/cp-12.split.dat"
timeline compiler.paper.whole compiler > "$out/cp-12.whole.dat"
plot_timelines cp-12 '' split whole
claim 'thrashing leads to splitting by 2 or 4' 'partitions' "$(query compiler.paper .interrupts_thrash) thrash interrupts, $(query compiler.paper .partitions) partitions" \
    "$(query compiler.paper .partitions) > 1"
claim 'without splitting the profile does not converge; with it, it does' 'only with PC filter 1' \
    "error $(error_of compiler.paper.whole) % without, $(error_of compiler.paper) % with" \
    "$(error_of compiler.paper.whole) > 2 * $(error_of compiler.paper)"
