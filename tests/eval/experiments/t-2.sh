#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error of each profiler at the level of basic blocks (Figure 9 of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
# shellcheck disable=SC2086 # names
t_want $t_programs
with_runs
t_errors
plot_errors t-2 5 'error, basic blocks, %'

claim 'the order of the mean errors: TIP, TIP-ILP, NCI, LCI' '0.7, 1.2, 2.3, 11.9 %' "$(means 5 tip tip-ilp nci \
    lci) %" \
    "$(mean tip 5) <= $(mean tip-ilp 5) && $(mean tip-ilp 5) < $(mean nci 5) && $(mean nci 5) < $(mean lci 5)"
claim 'Dispatch and Software are inaccurate' '22.4 and 29.9 %' "$(means 5 dispatch software) %" \
    "$(mean dispatch 5) > $(mean nci 5) && $(mean software 5) > $(mean dispatch 5)"
lci_worst=$(worst lci 5)
claim 'LCI: the largest error of a program is many times its mean' '56.1 (lbm) %' "$lci_worst %" \
    "$(value "$lci_worst") > 2 * $(mean lci 5)"
smaller=yes
for p in $profilers; do awk -v a="$(mean "$p" 5)" -v b="$(mean "$p" 4)" 'BEGIN { exit !(a < b) }' || smaller=no; done
claim "every profiler's mean error is smaller than at the level of instructions" 'so' "$smaller" \
    "\"$smaller\" == \"yes\""
t_table_of 5
