#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Variation over eight runs (Figures 3 and 4 of the DCPI paper)
. "${0%/*}/lib.sh"
. "$here/d.sh"
# The workload has matrices of 1 MB and a direct-mapped board cache of 2 MB. What differs is where their pages are.
seeds='1 2 3 4 5 6 7 8'
samples=counter:event=cycles:period=1009:random,counter:event=icache-miss:period=31:random
samples=$samples,counter:event=itlb-miss:period=3:random
for seed in $seeds; do
    want "dense.place$seed" --config ev5 --no-program --seed "$seed" --set page_placement=random \
        --collect "$runs/dense.place$seed.db:placed" --profile "$samples" -- dense
    want "dense.ways$seed" --config ev5 --no-program --seed "$seed" --set page_placement=random --set llc_ways=16 \
        --profile counts -- dense
done
for seed in 1 2; do want "dense.virtual$seed" --config ev5 --no-program --seed "$seed" --profile counts -- dense; done
with_runs
# shellcheck disable=SC2046 # names of runs
d_merge "$ID.db" $(for seed in $seeds; do echo "dense.place$seed"; done)
"$BUILD/bin/pcprof" stats --format json --top 1000000 -o "$out/$ID.json" "$out/$ID.db"
# Cycles and seeds of the runs, the fastest first.
for seed in $seeds; do echo "$(cat "$runs/dense.place$seed.cycles") $seed"; done | sort -n > "$out/$ID.dat"
fast=$(head -n 1 "$out/$ID.dat" | cut -d' ' -f2) slow=$(tail -n 1 "$out/$ID.dat" | cut -d' ' -f2)
# spread_of FILE: by how much the slowest run takes longer than the fastest, in %
spread_of() { awk 'NR == 1 { least = $1 } END { printf "%.1f", 100 * ($1 / least - 1) }' "$1"; }
spread=$(spread_of "$out/$ID.dat")
for seed in $seeds; do cat "$runs/dense.ways$seed.cycles"; done | sort -n > "$out/$ID.ways.dat"
claim 'the slowest of 8 runs takes longer than the fastest, in %' 'up to 11' "$spread" "$spread > 2"
why 'the run is too short: it uses its data once.'
same=$(($(cat "$runs/dense.virtual1.cycles") - $(cat "$runs/dense.virtual2.cycles")))
claim 'difference of two runs whose pages are at their virtual addresses, in cycles' 'not stated' "$same" "$same == 0"
# Procedures with a hundredth of the samples, by their range.
large='[.statistics[] | select(.share >= 0.01)] | sort_by(-.range)'
ranges=$(jq -r "$large | .[:2] | map(.range * 1e4 | round / 100 | tostring) | join(\" against \")" "$out/$ID.json")
top=$(jq -r "$large | .[0].procedure" "$out/$ID.json")
claim "range of the procedure that varies most, $top, against the next one, in %" '11.32 against 1.44' "$ranges" \
    "$(echo "$ranges" | awk '{ print ($1 > $3 && $1 >= 1) }')"
why 'the run is too short.'
# summary SEED: of that procedure
summary() { "$BUILD/bin/pcprof" summary --format json -o "$out/$ID.$1.json" "$runs/dense.place$1.db" "$top"; }
summary "$fast"
summary "$slow"
# part SEED NAME [most]: its share in %
part() {
    jq -r --arg name "$2" --arg key "${3:-share}" '.parts[] | select(.label == $name) | .[$key] * 1000 | round / 10' \
        "$out/$ID.$1.json"
}
# change NAME [most]: from the fastest run to the slowest one
change() { echo "$(part "$fast" "$@") to $(part "$slow" "$@")"; }
cache=$(change 'D-cache miss' most)
claim 'its stalls by the data cache, at most, in the fastest and the slowest run, in %' '27.9 to 44.9' "$cache" \
    "$(echo "$cache" | awk '{ print ($3 > $1) }')"
why 'the run is too short.'
dynamic=$(change 'Subtotal dynamic')
claim 'its dynamic stalls' '44.1 to more' "$dynamic" "$(echo "$dynamic" | awk '{ print ($3 > $1) }')"
why 'the run is too short.'
tlb=$(change 'DTB miss' most)
claim 'its stalls by the data TLB, at most' '18.3 to 33.9' "$tlb" "$(echo "$tlb" | awk '{ print ($3 > $1) }')"
why 'the run is too short.'
buffer=$(change 'Write buffer' most)
claim 'its stalls by the write buffer, at most' '6.3 to 18.3' "$buffer" "$(echo "$buffer" | awk '{ print ($3 > $1) }')"
why 'the procedure writes an element of the product after a hundred loads and more, so its stores do not wait for the
board cache.'
# both STATISTIC: of the fastest run and of the slowest one, in thousands
both() {
    for seed in "$fast" "$slow"; do query_stats "dense.place$seed" ".core.$1 / 1000 | round"; done | paste -s -d ' ' |
        sed 's/ / and /'
}
note ''
note "The fastest and the slowest run have $(both llc_misses) thousand misses of the board cache, and
$(both dtlb_misses) thousand misses of the data TLB: the places of pages decide which addresses share a line of the
board cache. With a board cache of 16 ways, where they do not conflict, the slowest of 8 runs takes
$(spread_of "$out/$ID.ways.dat") % longer than the fastest. Stalls by the data TLB, at most, are those of the data
cache: as in the paper no samples of either are collected, so that both may cause what a load's result is waited for,
and more of the one is more of the other."
note ''
note '| procedure | range % | sum % | mean | std-dev | min | max |'
note '|---|---|---|---|---|---|---|'
note "$(jq -r "$large"' | .[:5][] | [.procedure, (.range * 1e4 | round / 100), (.share * 1e4 | round / 100),
    (.mean | round), (.deviation | round), (.minimum | round), (.maximum | round)] | "| " + (map(tostring) |
    join(" | ")) + " |"' "$out/$ID.json")"
