#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error of each profiler at the level of instructions (Figures 1 and 10 of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
# shellcheck disable=SC2086 # names
t_want $t_programs
with_runs
t_errors
plot_errors t-1 4 'error, instructions, %'

claim 'the order of the mean errors: TIP, TIP-ILP, NCI' '1.6, 7.2, 9.3 %' "$(means 4 tip tip-ilp nci) %" \
    "$(mean tip 4) < $(mean tip-ilp 4) && $(mean tip-ilp 4) < $(mean nci 4)"
claim 'Dispatch and LCI are far above NCI' '53.1 and 55.4 %, NCI 9.3 %' "$(means 4 dispatch lci nci) %" \
    "$(mean dispatch 4) > 1.5 * $(mean nci 4) && $(mean lci 4) > 1.5 * $(mean nci 4)"
claim 'Software is the worst' '61.8 %' "$(mean software 4) %" "$(mean software 4) > $(mean dispatch 4) && $(mean \
    software 4) > $(mean lci 4)"
why 'in the stall-intensive programs LCI attributes nearly all stalls to the previous instruction, and these programs
  are a larger part of this suite.'
claim 'TIP is the only accurate one: its mean error' '1.6 %' "$(mean tip 4) %" "$(mean tip 4) < 3.2"
why 'the remaining error is random: it decreases with the rate (T-4).'
tip_worst=$(worst tip 4) nci_worst=$(worst nci 4)
claim 'TIP: the largest error of a program' '5.0 (gcc) %' "$tip_worst %" "$(value "$tip_worst") < 10"
why 'the program has so many instructions that each has few samples: the remaining error is random (T-4).'
claim 'NCI: the largest error of a program' '21.0 (imagick) %' "$nci_worst %" "$(value "$nci_worst") > 10"
# gap UPPER LOWER CLASS: percentage points between two profilers
gap() { awk -v a="$(mean "$1" 4 "$3")" -v b="$(mean "$2" 4 "$3")" 'BEGIN { printf "%.2f", a - b }'; }
claim 'TIP-ILP improves on NCI most in the flush-intensive programs' 'figure' \
    "Flush $(gap nci tip-ilp Flush), Stall $(gap nci tip-ilp Stall), Compute $(gap nci tip-ilp Compute) points" \
    "$(gap nci tip-ilp Flush) > $(gap nci tip-ilp Stall) && $(gap nci tip-ilp Flush) > $(gap nci tip-ilp Compute)"
claim 'TIP improves on TIP-ILP most in the compute-intensive programs' 'figure' \
    "Compute $(gap tip-ilp tip Compute), Stall $(gap tip-ilp tip Stall), Flush $(gap tip-ilp tip Flush) points" \
    "$(gap tip-ilp tip Compute) > $(gap tip-ilp tip Stall) && $(gap tip-ilp tip Compute) > $(gap tip-ilp tip Flush)"
t_table_of 4
