#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error of each profiler at the level of functions (Figure 8 of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
# shellcheck disable=SC2086 # names
t_want $t_programs
with_runs
t_errors
plot_errors t-3 6 'error, functions, %'

claim 'TIP, TIP-ILP, NCI and LCI are accurate' '0.3, 0.4, 0.6, 1.6 %' "$(means 6 tip tip-ilp nci lci) %" \
    "$(mean tip 6) < 2 && $(mean tip-ilp 6) < 2 && $(mean nci 6) < 3 && $(mean lci 6) < 5"
claim 'Dispatch and Software are much less accurate' '5.8 and 9.1 %' "$(means 6 dispatch software) %" \
    "$(mean dispatch 6) > 2 * $(mean nci 6) && $(mean software 6) > $(mean dispatch 6)"
lci_worst=$(worst lci 6) software_worst=$(worst software 6) dispatch_worst=$(worst dispatch 6)
claim 'LCI has outliers' '10.9 %' "$lci_worst %" "$(value "$lci_worst") > 3 * $(mean lci 6)"
claim 'the largest errors of Dispatch and Software' '27.4 and 31.7 %' "$dispatch_worst and $software_worst %" \
    "$(value "$dispatch_worst") > 10 && $(value "$software_worst") > 10"
smaller=yes
for p in $profilers; do awk -v a="$(mean "$p" 6)" -v b="$(mean "$p" 5)" 'BEGIN { exit !(a < b) }' || smaller=no; done
claim "every profiler's mean error is smaller than at the level of basic blocks" 'so' "$smaller" \
    "\"$smaller\" == \"yes\""
t_table_of 6
