#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Accuracy of the frequencies of edges (Figure 9 of the DCPI paper)
. "${0%/*}/lib.sh"
. "$here/d_analysis.sh"
with_runs
d_analyse cycles ev5 cycles
edges=$(d_mean_of cycles edges 2) branches=$(d_mean_of cycles branches 2) insns=$(d_mean_of cycles insns 2)
claim 'executions of edges whose frequency is within 10 %, in %' 58 "$edges" "$edges >= 58"
why 'the runs are too short: rare edges have no samples.'
claim 'the same of edges at branch points' 58 "$branches" "$branches >= 58"
why 'the runs are too short: rare edges have no samples.'
claim 'edges are less accurate than instructions' '58 against 87' "$edges against $insns" "$edges < $insns"
why 'propagation is exact where a block has one unknown edge.'
