#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Stalls without an explanation (section 6.3 of the DCPI paper), and the identity of Figure 4
. "${0%/*}/lib.sh"
. "$here/d_analysis.sh"
with_runs
d_analyse events ev5 events
mean=$(d_mean_of events unexplained 1) weighted=$(d_mean_of events unexplained 1 samples)
claim 'stalls without an explanation, in % of the samples: mean over the programs' '8.6' "$mean" "$mean < 10"
why 'in runs of this length cold misses of the start dominate.'
claim 'the same over all samples' 'below 10' "$weighted" "$weighted < 10"
why 'in runs of this length cold misses of the start dominate.'
sums=$(awk -F '\t' '$1 == "guest" {
    s = 0
    for (i = 4; i <= NF; i++) {
        split($i, a, "=")
        if (a[1] ~ /^(dynamic|static|execution|error)$/) s += a[2]
    }
    if (s < 99.95 || s > 100.05) bad++
} END { print bad + 0 }' "$out/events.analysis")
claim 'dynamic + static + execution + sampling error = 100.0 in every summary' 'Figure 4' "$sums exceptions" \
    "$sums == 0"
note ''
note '| workload | samples | dynamic % | of it unexplained | of it gain | static % | execution % | error % |'
note '|---|---|---|---|---|---|---|---|'
note "$(d_rows events dynamic unexplained gain static execution error)"
