#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Overhead of the co-processor's profile and of simple sampling (Figure 6b of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

profilers='paper value simple1024'
for w in $cp_names; do
    for p in none $profilers; do cp_want "$w" $p; done
done
for w in "$gcc" "$perl"; do cp_want_seeds "$w" $profilers; done
with_runs
with_control
for w in $cp_names; do
    echo "$w $(for p in $profilers; do overhead "$w.$p" "$w"; done | xargs)"
done > "$out/cp-5.dat"
plot_bars cp-5 'overhead, % of the run without profiling'

most() { awk -v n="$1" '$n > most { most = $n } END { print most + 0 }' "$out/cp-5.dat"; }
lower() { awk -v n="$1" '$n < $4' "$out/cp-5.dat" | wc -l; }
higher() { awk -v n="$1" '$n >= $4 { printf "%s%s", (count++ ? ", " : ""), $1 }' "$out/cp-5.dat"; }
claim 'all overheads are below 2 %' 'below 2 %' "at most $(most 2) %, $(most 4) % simple" \
    "$(most 2) < 2 && $(most 4) < 2" "at most $(most 3) %" "$(most 3) < 2"
all=$(wc -l < "$out/cp-5.dat")
claim "the co-processor's is lower in every case" 'every case' "$(lower 2) of $all" "$(lower 2) == $all" \
    "$(lower 3) of $all" "$(lower 3) == $all"
why "it is not in $(higher 2)."
# shares WORKLOAD PROFILER: the overhead by that of simple sampling, for each seed
shares() { ratios "$(overheads_of "$1" "$2")" "$(overheads_of "$1" simple1024)"; }
# The two factors of handlers' time: records, and cycles for each.
factors() {
    query "$1" '"\(.interrupts) interrupts, \(.records) records of \((.handler_cycles / ([.records, 1] | max) * 10 | round) / 10) cycles"'
}
for w in "$gcc" "$perl"; do
    case $w in "$gcc") paper='by 30 %' share=0.70 ;; *) paper='by 45 %' share=0.55 ;; esac
    claim_of_seeds "$(called "$w"): overhead as a share of that of simple sampling" "$paper lower" \
        "$(shares "$w" paper)" '<=' $share '' "$(shares "$w" value)"
    shown "the number of loads: on the control (CP-13) with $control_numbers loads the share is $(control_shares). Here
  $(factors "$w.paper"), against $(factors "$w.simple1024"). A record represents
  $(query_loads "$w.paper" \
      '([.loads[].samples] | add) / ([.records, 1] | max) | round') samples instead of one. But the number of records is that of the slots, however few samples they have, and each record needs a test and stores to the mask."
done
note ''
note 'Work of the handlers: interrupts, copied records, cycles per record (everything included), and stores to the mask of
PC filter 2 per interrupt.'
note ''
note '| program | profiler | overhead % | interrupts | records | cycles each | mask stores each |'
note '|---|---|---|---|---|---|---|'
for w in $cp_names; do
    for p in $profilers; do
        case $p in paper) label='as in the paper' ;; value) label='as shipped' ;; *) label='simple sampling' ;; esac
        note "| $w | $label | $(overhead "$w.$p" "$w") | $(query "$w.$p" \
            '"\(.interrupts) | \(.records) | \((.handler_cycles / ([.records, 1] | max) * 10 | round) / 10) | \((.mask_writes // 0) / ([.interrupts, 1] | max) * 10 | round / 10)"') |"
    done
done
