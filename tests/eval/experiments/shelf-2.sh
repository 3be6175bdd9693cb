#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Rate, drops, interrupts, overhead and accuracy, as shipped
. "${0%/*}/lib.sh"
. "$here/shelf.sh"
assemble_all
shelf_want base1 base2 base3 base4 ideal
with_runs
shelf_figures
# The mean error over workloads, a value for each seed.
interval() { for s in $seeds; do over "$1" "base$s" '$11'; echo; done | with_interval 2; }
worst() { awk -F '\t' -v p="$1" '$1 == p && $3 == "base1" && $11 != "-" && $11 >= e { e = $11; w = $2 } END {
    if (w) printf "%.1f %% (%s)", e, w; else print "-" }' "$out/shelf.dat"; }
note ''
note 'Means over all workloads. Rate: samples processed per 1,000 cycles of the core. Interrupts: per million instructions.
Accesses: to the host access bus, per interrupt. Overhead: cycles in handlers and in refilling the pipeline, of all
cycles. Error: events misplaced against the exact reference, with the 95 % interval over four seeds; for `value`,
`value-paper` and `simple` the weighted root mean square error of the values. Without drops: the error if neither the co-processor nor
the host takes time (`cop_ideal`, `host_free`), which is that of the algorithm. For `tip`, `pics` and `paired` it is the
random error of the few thousand samples at this scale.'
note ''
note '| program | rate | dropped | interrupts | accesses | overhead | error | worst | without drops |'
note '|---|---|---|---|---|---|---|---|---|'
for p in $programs; do
    note "| \`$p\` | $(over "$p" base1 '1000 * ($4 - $5) / $6') | $(over "$p" base1 "$dropped") % | $(over "$p" base1 \
        '1e6 * $8 / $7') | $(
        over "$p" base1 '($8 ? $9 / $8 : 0)') | $(over "$p" base1 '$10') % | $(interval "$p") | $(worst "$p") | $(over \
            "$p" ideal '$11') % |"
done
runs_made=$(awk -F '\t' '$3 == "base1"' "$out/shelf.dat" | wc -l)
exact=$(awk -F '\t' '$3 == "base1" && $11 != "-" { print $1 }' "$out/shelf.dat" | sort -u | wc -l)
claim 'every program has the exact answer beside it' 'all' "$exact of $(echo "$programs" |
    wc -w)" "$exact == $(echo "$programs" | wc -w)"
# Programs that count all that they see, each in a row of its own.
counting='hello edge targets calls callstack misp latency'
clean=$(awk -F '\t' -v set=" $counting " '$3 == "ideal" && index(set, " " $1 " ") { n++; dropped += $5;
    if ($11 > e) e = $11 } END { printf "%.3f %d %d", e, n, dropped }' "$out/shelf.dat")
set -- $clean
claim 'a program that counts what it sees is exact without drops: largest error' '0 %' \
    "$1 % in $2 runs, $3 samples dropped" "$2 > 0 && $1 < 0.001 && $3 == 0"
inexact=$(awk -F '\t' -v set=" $counting " '$3 == "ideal" && index(set, " " $1 " ") && $11 > 0.001 {
    printf "%s on %s ", $1, $2 }' "$out/shelf.dat")
why "this is ${inexact% }. A region can begin inside a function. callstack then mistakes the return from it for a
  return to it if both have the same stack pointer."
low=$(for p in $programs; do awk -F '\t' -v p="$p" '$1 == p && $3 == "base1" { print $10 }' "$out/shelf.dat" | sort -g |
    awk -v p="$p" '{ x[NR] = $1 } END { if (x[int((NR + 1) / 2)] < 2) print p }'; done | wc -l)
claim 'the overhead is below 2 % (co-processor paper, section 5.3): in the median workload' 'all' \
    "$low of $(echo "$programs" | wc -w) programs, $runs_made runs" "$low == $(echo "$programs" | wc -w)"
why "programs with fewer slots than counted items interrupt the host whenever the arrays are full."
