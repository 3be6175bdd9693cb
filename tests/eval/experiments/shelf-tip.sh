#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# TIP in the co-processor, and TIP with an interrupt for each sample, at the same overhead
. "${0%/*}/lib.sh"
. "$here/shelf.sh"
# Software takes entry and exit of an interrupt for each sample, and 12 cycles to read and store TIP's six registers.
period=101
cost=$("$BUILD/bin/pcemu" --dump-config | awk '$1 == "host_entry" || $1 == "host_exit" { s += $3 } END {
    print s + 12 }')
# primes from the co-processor's period on, each about twice the last
periods=$(awk -v p="$period" 'function prime(n,    d) { for (d = 2; d * d <= n; d++) if (n % d == 0) return 0;
    return 1 }
    BEGIN { for (i = 0; i < 14; i++) { for (n = int(p * 2 ^ i); !prime(n); n++); printf "%d ", n } }')
assemble tip.base tip.pasm
for w in $shelf_workloads; do
    # shellcheck disable=SC2046 # arguments are words
    want "$w.tip.dense" --config boom --program "$out/tip.base.pc" --param period=$period -- $(shelf_command "$w")
    # shellcheck disable=SC2046,SC2086
    want "$w.tip.software" --config boom --no-program --profile "oracle$(printf ',tip:period=%s' $periods)" \
        -- $(shelf_command "$w")
done
with_runs

# hardware WORKLOAD: samples, share of the cycles in handlers, error over instructions
hardware() {
    query_loads "$1.tip.dense" \
        '.layouts[0] as $l | ([$l.score.counts[].estimated] | add) as $p | $l.score.exact_events as $o
        | [.delivered - .dropped, .handler_share // 0, 1 - ([$l.rows[] | [([.estimated[]] | add) / $p, ([.exact[]] | add) / $o] | min] | add)] | @tsv'
}
# software WORKLOAD SHARE: the same of the longest period whose overhead is not less than the share
software() {
    query "$1.tip.software" \
        '.time as $t | .time.profilers[] | select(.error) | [(.profiler | ltrimstr("tip:period=")), .samples, .error.instruction] | @tsv' |
        awk -v share="$2" -v cost="$cost" '$2 > 0 && cost / $1 >= share { best = $2 "\t" cost / $1 "\t" $3 } END {
            print best }'
}
# Runs without an interrupt have no overhead to compare at.
for w in $shelf_workloads; do
    hard=$(hardware "$w")
    share=$(echo "$hard" | cut -f2)
    [ "$(verdict "$share > 0")" = holds ] || continue
    printf '%s\t%s\t%s\n' "$w" "$hard" "$(software "$w" "$share")"
done | awk -F '\t' 'NF == 7' > "$out/shelf-tip.dat"
note ''
note "A sample every $period cycles. Software takes $cost cycles for each sample. Its period gives it the overhead of the
co-processor, or slightly more."
note ''
note '| workload | overhead | samples | error | software: overhead | samples | error | gain in samples, its root | ratio of the errors |'
note '|---|---|---|---|---|---|---|---|---|'
note "$(awk -F '\t' '{ printf "| %s | %.2f %% | %d | %.2f %% | %.2f %% | %d | %.2f %% | %.1f, %.1f | %.1f |\n", $1,
    100 * $3, $2, 100 * $4, 100 * $6, $5, 100 * $7,
    $2 / $5, sqrt($2 / $5), $7 / $4 }' "$out/shelf-tip.dat")"
lower=$(awk -F '\t' '{ n += $4 < $7 } END { print n + 0, NR }' "$out/shelf-tip.dat")
claim 'at the same overhead the error is lower than that of an interrupt for each sample' 'all' \
    "${lower% *} of ${lower#* } workloads" \
    "${lower#* } > 0 && ${lower% *} == ${lower#* }"
why 'in a program with more instructions than slots, an interrupt copies few samples for each slot that it reads, so
  there is no gain.'
root=$(awk -F '\t' '{ s += log($7 / $4 / sqrt($2 / $5)); n++ } END {
    printf "%.2f", n ? exp(s / n) : 0 }' "$out/shelf-tip.dat")
claim 'by about the square root of the gain in samples: the ratio of the errors by that root, geometric mean' '1' \
    "$root" "$root > 0.5 && $root < 2"
why 'the error of a profile is at most 100 %, so the ratio stays below the root if software has fewer samples than the
  program has instructions.'
