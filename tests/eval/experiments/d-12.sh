#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Stalls blamed on the instruction cache, and its misses (Figure 10 of the DCPI paper)
. "${0%/*}/lib.sh"
. "$here/d_analysis.sh"
with_runs
d_analyse events ev5 events
d_analyse blind ev5 blind
most=$(d_correlation events 5) least=$(d_correlation events 4) middle=$(d_correlation events 0)
procedures=$(grep -c '^procedure' "$out/events.analysis")
claim "correlation over procedures ($procedures here) of misses with stall cycles: top of the range" '0.91 of 1310' \
    "$most" "$most >= 0.85"
why 'a large stall of another cause stands at the beginning of a line.'
claim 'bottom' 0.86 "$least" "$least >= 0.85"
why 'few stalls have the instruction cache as their only possible cause.'
claim 'middle' 0.90 "$middle" "$middle >= 0.85"
why 'a large stall of another cause stands at the beginning of a line.'
blind=$(d_correlation blind 5)
claim 'samples of misses are what bounds the top: with and without them' 'not stated' "$most, $blind" "$most > $blind"
why 'no large stall of another cause stands at the beginning of a line.'
