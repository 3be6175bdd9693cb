#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Associativity and replacement of the table of samples (section 5.4 of the DCPI paper)
. "$(dirname "$0")/lib.sh"
. "$here/d.sh"
# As in the paper's study the samples are the same whatever the table: the host is free, so that it does not change the
# run, and the time follows from what is counted. A bucket of 6 entries takes a cache line like one of 4, so the table
# has half as many entries again. DCPI's table of 16,384 entries held a busy machine; here one of 1,024 holds a program.
events=counter:event=cycles:period=509:random:collect,counter:event=icache-miss:period=31:random:collect
shapes='rr4 1024 4 no
rr6 1536 6 no
front4 1024 4 yes
front6 1536 6 yes
large4 16384 4 no
large6 24576 6 yes'
while read -r name entries ways front; do
    d_want "$name" --set host_free=yes --set host_drain_cycles=4294967295 --set "host_table_entries=$entries" \
        --set "host_table_ways=$ways" --set "host_table_front=$front" --profile "$events"
done << END
$shapes
END
with_runs
names=$(echo "$shapes" | cut -d' ' -f1)
# Program, shape, samples, misses, evicted, time for a sample at the default keys: 107 + 107, 416, 700, 2,050 cycles.
for w in $d_programs; do
    for name in $names; do
        printf '%s\t%s\t' "$w" "$name"
        query "$w.$name" '.collection.harts[0] | [.samples, .filled + .evicted, .evicted,
            (214 * .samples + 416 * .hits + 700 * (.filled + .evicted) + 2050 * .evicted) / ([.samples, 1] | max),
            .samples / ([.entries, 1] | max)] | @tsv'
    done
done > "$out/$ID.dat"
# sum SHAPE COLUMN: over the programs; time SHAPE: for a sample of all
sum() { awk -F '\t' -v name="$1" -v c="$2" '$2 == name { s += $c } END { printf "%d", s }' "$out/$ID.dat"; }
time_of() { awk -F '\t' -v name="$1" '$2 == name { s += $3 * $6; n += $3 } END { printf "%.1f", n ? s / n : 0 }' \
    "$out/$ID.dat"; }
gain() { awk -v a="$(time_of "$1")" -v b="$(time_of "$2")" 'BEGIN { printf "%.1f", a ? 100 * (1 - b / a) : 0 }'; }
both=$(gain rr4 front6)
claim '6 entries in a bucket, entries that move to the front when they are hit: the time falls by, in %' '10 to 20' \
    "$both" "$both >= 10 && $both <= 20"
why 'the gain is that of the share of samples that miss, which is another one for these programs and this table.'
claim 'the larger bucket alone reduces the time, in %' '> 0' "$(gain rr4 rr6)" "$(gain rr4 rr6) > 0"
claim 'moving to the front alone reduces the time, in %' '> 0' "$(gain rr4 front4)" "$(gain rr4 front4) > 0"
aggregation=$(awk -F '\t' '$2 == "large4" { n++; s += $7 >= 20 } END { printf "%d of %d", s, n }' "$out/$ID.dat")
claim 'the table of 16,384 entries reduces the data by 20 times or more' 'most workloads' "$aggregation" \
    "$(echo "$aggregation" | awk '{ print ($1 > $3 / 2) }')"
why 'the runs are short: each address gives one entry at least, at the end.'
note ''
note '| table | entries | in a bucket | to the front | miss rate % | evicted % | time for a sample, cycles |'
note '|---|---|---|---|---|---|---|'
echo "$shapes" | while read -r name entries ways front; do
    note "| $name | $entries | $ways | $front | $(awk -v m="$(sum "$name" 4)" -v e="$(sum "$name" 5)" \
        -v n="$(sum "$name" 3)" 'BEGIN { printf "%.2f | %.2f", n ? 100 * m / n : 0, n ? 100 * e / n : 0 }') | $(time_of "$name") |"
done
note ''
note '| program | samples | miss rate %, rr4 | front6 | time, rr4 | front6 | samples in an entry, large4 |'
note '|---|---|---|---|---|---|---|'
note "$(awk -F '\t' '{ samples[$1] = $3; miss[$1, $2] = $3 ? 100 * $4 / $3 : 0; time[$1, $2] = $6; per[$1, $2] = $7
    if (!($1 in seen)) order[++n] = $1; seen[$1] = 1 }
    END { for (i = 1; i <= n; i++) { p = order[i]
        printf "| %s | %d | %.2f | %.2f | %.0f | %.0f | %.1f |\n", p, samples[p], miss[p, "rr4"], miss[p, "front6"],
            time[p, "rr4"], time[p, "front6"], per[p, "large4"] } }' "$out/$ID.dat")"
