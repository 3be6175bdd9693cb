#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error, overhead and time of both profilers on gcc (Figure 7 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

profilers='paper value simple1024'
for w in $cp_names; do
    for p in none $profilers; do cp_want "$w" $p; done
done
with_runs
with_control
for w in $cp_names; do
    for p in $profilers; do timeline "$w.$p" "$w" > "$out/cp-6.$w.$p.dat"; done
done
for p in paper simple1024; do cp "$out/cp-6.$gcc.$p.dat" "$out/cp-6.$p.dat"; done
plot_timelines cp-6 '' paper simple1024

goal=$(error_of "$gcc.simple1024")
set -- $(for p in $profilers; do reach "$out/cp-6.$gcc.$p.dat" "$goal"; done)
claim "the co-processor's profile converges faster" 'much more quickly' \
    "M cycles to an error of $goal %: $1 against $3" "$1 < 0.5 * $3" "$2" "$2 < 0.5 * $3"
# controlled LOADS: M cycles to simple sampling's error at the end, of both profilers
controlled() {
    for p in value-paper simple; do
        control_timeline "$1" $p > "$out/cp-6.control.dat"
        reach "$out/cp-6.control.dat" "$(control_row "$1" simple 3)"
    done | xargs | sed 's/ / against /'
}
shown "the number of loads: on the control (CP-13) it takes $(for n in $control_loads; do controlled "$n"; done |
    paste -sd ',' | sed 's/,/, /g') M cycles with $control_numbers loads. Simple sampling samples every hot load from the
  beginning, the co-processor 256 at a time."
# quarters PROFILER: interrupts in the first and in the last quarter of the run
quarters() {
    awk 'NR == FNR { end = $1; next } { if ($1 <= end / 4) first = $4; if ($1 <= end * 3 / 4) third = $4;
        all = $4 } END { print first + 0, all - third }' \
        "$out/cp-6.$gcc.$1.dat" "$out/cp-6.$gcc.$1.dat"
}
set -- $(quarters paper) $(quarters value)
claim 'overhead comes early, and the interrupt rate decays' 'decays' \
    "interrupts in the first quarter $1, in the last $2" "$1 > 1.5 * $2" "$3, $4" "$3 > 1.5 * $4"
why "$(masked_of "$gcc.paper") of $(query "$gcc.paper" .exact_loads) loads are sufficiently known at the end of the
  region. Other loads continue to occur."
# lower PROFILER: the programs in which it is below simple sampling wherever both have spent the same
lower() {
    for w in $cp_names; do
        [ "$(lower_everywhere "$out/cp-6.$w.$1.dat" "$out/cp-6.$w.simple1024.dat")" = no ] || echo "$w"
    done | xargs
}
all=$(echo "$cp_names" | wc -w)
paper=$(lower paper) value=$(lower value)
claim 'lower error at any given overhead, for all programs' 'all' "$(echo "$paper" |
    wc -w) of $all programs${paper:+: $paper}" "$(echo "$paper" | wc -w) == $all" \
    "$(echo "$value" | wc -w) of $all" "$(echo "$value" | wc -w) == $all"
# late PROFILER: the programs that are below at the end of what both have spent
late() {
    for w in $cp_names; do
        spent=$(tail -qn 1 "$out/cp-6.$w.$1.dat" "$out/cp-6.$w.simple1024.dat" | awk '{ print $3 }' | sort -g | head -1)
        awk -v a="$(error_at_overhead "$out/cp-6.$w.$1.dat" "$spent")" -v b="$(error_at_overhead \
            "$out/cp-6.$w.simple1024.dat" "$spent")" -v w="$w" 'BEGIN { if (a <= b) print w }'
    done | xargs
}
# controlled_by PROFILE: whether that of the control with 512 loads is lower at any overhead
controlled_by() {
    for p in "$1" simple; do control_timeline 512 "$p" > "$out/cp-6.control.$p.dat"; done
    lower_everywhere "$out/cp-6.control.$1.dat" "$out/cp-6.control.simple.dat"
}
shown "partitions: whether it is lower at any overhead on the control with 512 loads (CP-13): with 512 slots, where there
  is one partition, $(controlled_by paper.slots512+array); with 256, $(controlled_by value-paper). At the largest common overhead it is lower here in: $(late paper). The first interrupts bring 256 loads, in large
  programs those of one partition. The first 256 samples of simple sampling are of all loads."
