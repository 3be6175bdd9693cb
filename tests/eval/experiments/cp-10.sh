#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Time until loads are known, by execution count, and of programs by working set (section 5.3 of the co-processor paper)
. "${0%/*}/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    for p in none paper value; do cp_want "$w" $p; done
done
with_runs
with_control
for p in paper value; do
    query_loads "$gcc.$p" '(.timeline[-1].cycle - .cycles) as $begin
        | .loads[] | select(.masked_cycle != null and .executions != null) | [.executions, (.masked_cycle - $begin) / 1e6] | @tsv' > "$out/cp-10.$p.dat"
done
plot cp-10 << END
set logscale x
set xrange [100:1e8]
set xlabel "executions of the load"
set ylabel "M cycles until it was masked"
plot "$out/cp-10.paper.dat" using 1:2 with points pointtype 7 pointsize 0.4 notitle
END
# decades PROFILER: mean time of the loads in each decade of execution counts, from the most frequent on
decades() { awk '{ d = int(log($1) / log(10)); n[d]++; t[d] += $2 } END { for (d = 9; d >= 0;
    d--) if (n[d] >= 10) printf "%s%.1f", (count++ ? ", " : ""), t[d] / n[d] }' "$out/cp-10.$1.dat"; }
rising() { decades "$1" | tr -d , | awk '{ ok = NF > 1; for (i = 2; i <= NF; i++) if ($i < $(i - 1)) ok = 0;
    print ok + 0 } END { if (NR == 0) print 0 }'; }
claim 'loads are finished in the order of their frequency' 'in order of frequency' \
    "mean M cycles until masked, from the most frequent decade down: $(decades paper)" \
    "$(rising paper)" "$(decades value)" "$(rising value)"

# set PROFILER: M cycles until half of the loads that are masked at last were, by static loads profiled
set_of() {
    for w in $cp_names; do
        when=$(query_loads "$w.$1" '(.timeline[-1].cycle - .cycles) as $begin
            | [.loads[] | select(.masked_cycle != null) | (.masked_cycle - $begin) / 1e6] | sort
            | if length > 0 then .[length / 2 | floor] else 0 end' | awk '{ printf "%.1f", $1 }')
        echo "$(query "$w.$1" .loads_profiled) $when $w $(query "$w.$1" .complete)"
    done | sort -n > "$out/cp-10.$1.set"
}
for p in paper value; do set_of $p; done
sets() { awk '{ printf "%s%s %s (%d)", (NR > 1 ? ", " : ""), $3, $2, $1 }' "$out/cp-10.$1.set"; }
# Of all pairs of programs, the share in which the one of more loads takes longer.
ordered() { awk '{ x[NR] = $1; y[NR] = $2 } END { for (i = 1; i <= NR; i++) for (j = 1; j < i; j++) { c += y[i] > y[j];
    n++ } print c / n }' "$out/cp-10.$1.set"; }
claim 'the time to profile grows with the working set: of two programs the one with more loads takes longer' \
    'roughly in proportion' "M cycles until half of the masked loads were masked (loads): $(sets paper)" \
    "$(ordered paper) > 0.9" "$(sets value)" "$(ordered value) > 0.9"
why "the large programs are not complete at the end of the region, so the median of their masked loads is that of the
  loads masked by then."
# shellcheck disable=SC3044 # a function of ours, not a command of bash
complete() { awk '$4 == "true" { printf "%s ", $3 }' "$out/cp-10.$1.set"; }
all=$(wc -l < "$out/cp-10.paper.set")
# shellcheck disable=SC3044
claim 'the profile ends by itself, and interrupts cease' 'self-terminating' \
    "complete: $(complete paper)of $all programs" "$(complete paper | wc -w) == $all" \
    "$(complete value)of $all" "$(complete value | wc -w) == $all"
shown "rare loads, and the number of loads: on the control with 512 loads (CP-13) the last
  interrupt comes at $(control_last | sed 's/ / of /') M cycles.
  Loads that were sufficiently known at the end of the region, of the loads with a slot:
  $(for w in $cp_names; do echo "$w $(masked_of "$w.paper") of $(query "$w.paper" .loads_profiled)"; done |
      paste -sd ',' | sed 's/,/, /g').
  A partition is finished when all of its loads in the slots are masked and at most 2 % of its samples belong to others. As long as rare loads continue to occur, it is not."
