#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# When loads are known, by how often they execute; programs by their working set (section 5.3 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    cp_want "$w" none
    cp_want "$w" paper
done
make_runs
query "$gcc.paper" '.loads[] | select(.masked_cycle != null and .executions != null) | [.executions, .masked_cycle / 1e6] | @tsv' > "$out/cp-10.dat"
plot cp-10 << END
set logscale x
set xlabel "executions of the load"
set ylabel "M cycles until it was masked"
plot "$out/cp-10.dat" using 1:2 with points pointtype 7 pointsize 0.4 notitle
END
# Mean time of the loads in each decade of execution counts, from the most frequent on.
set -- $(awk '{ d = int(log($1) / log(10)); n[d]++; t[d] += $2 } END { for (d = 9; d >= 0; d--) if (n[d] >= 10) printf "%.1f ", t[d] / n[d] }' "$out/cp-10.dat")
claim 'loads are finished in the order of their frequency' 'in order of frequency' "mean M cycles until masked, from the most frequent decade down: $*" \
    "$(printf '%s ' "$*" | awk '{ ok = NF > 1; for (i = 2; i <= NF; i++) if ($i < $(i - 1)) ok = 0; print ok }')"

# M cycles until the profile was complete, or the error stood within a tenth of its last; by static loads executed.
for w in $cp_names; do
    timeline "$w.paper" "$w" > "$out/cp-10.$w.dat"
    goal=$(awk '{ e = $2 } END { print 1.1 * e + 0.1 }' "$out/cp-10.$w.dat")
    echo "$(query "$w.paper" .loads_profiled) $(reach "$out/cp-10.$w.dat" "$goal") $w $(query "$w.paper" .complete)"
done | sort -n > "$out/cp-10.set.dat"
claim 'the time to profile grows with the working set' 'roughly in proportion' \
    "M cycles (loads): $(awk '{ printf "%s%s %.1f (%d)", (NR > 1 ? ", " : ""), $3, $2, $1 }' "$out/cp-10.set.dat")" \
    "$(awk '{ x[NR] = $1; y[NR] = $2 } END { for (i = 1; i <= NR; i++) for (j = 1; j < i; j++) { c += y[i] > y[j]; n++ } print c / n }' "$out/cp-10.set.dat") > 0.7"
claim 'the profile ends by itself, and interrupts cease' 'self-terminating' \
    "complete: $(awk '$4 == "true" { printf "%s ", $3 }' "$out/cp-10.set.dat")of $(wc -l < "$out/cp-10.set.dat") programs" \
    "$(awk '$4 == "true"' "$out/cp-10.set.dat" | wc -l) == $(wc -l < "$out/cp-10.set.dat")"
