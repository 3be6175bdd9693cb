#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The listing of procedures (Figure 1 of the DCPI paper), and samples of unknown images (section 4.3.2)
. "${0%/*}/lib.sh"
. "$here/d.sh"
d_want_stores
with_runs
# shellcheck disable=SC2046 # names of runs
d_merge "$ID.db" $(for w in $d_programs; do echo "$w.store"; done)
listing() { "$BUILD/bin/pcprof" prof --event cycles --event icache-miss "$@" "$out/$ID.db"; }
listing --top 10 > "$out/$ID.txt"
listing --format json --top 1000000 -o "$out/$ID.json"
columns=$(grep 'procedure.*image' "$out/$ID.txt" | tr -s ' ' | sed 's/^ //; s/cum %/cum%/; s/ /, /g; s/cum%/cum %/')
claim 'columns' 'cycles, %, cum %, imiss, %, procedure, image' "$columns" \
    "$([ "$columns" = 'cycles, %, cum %, icache-miss, %, procedure, image' ] && echo 1 || echo 0)"
why 'the runs are too short for samples of misses, and a column of zeros has no shares.'
images=$(jq '[.procedures[].image] | unique | length' "$out/$ID.json")
most=$(jq '[.procedures[:10][].image] | unique | length' "$out/$ID.json")
claim 'images in the first ten lines, and in all' 'kernel and shared libraries' "$most, $images" \
    "$most > 1 && $images >= $most"
why 'the first ten procedures are of one image.'
order=$(jq '[.procedures[].cycles.estimate] | . == (sort | reverse)' "$out/$ID.json")
last=$(jq '100 * .procedures[-1].cycles.cumulative' "$out/$ID.json" | awk '{ printf "%.2f", $1 }')
claim 'last cumulative share of the lines, which are sorted by cycles, in %' 100 "$last" \
    "$([ "$order" = true ] && echo 1 || echo 0) && $last == 100"
unknown=$(jq '100 * ([.procedures[] | select(.image == null) | .cycles.estimate] | add // 0) /
    ([.procedures[].cycles.estimate] | add)' "$out/$ID.json" | awk '{ printf "%.3f", $1 }')
claim 'samples of unknown images, in %' 'below 1, typically 0.05' "$unknown" "$unknown < 1"
why 'code ran in memory that no file is mapped to.'
note ''
note 'The profiles of all programs are one epoch of a store, as those of a machine. The kernel is not simulated, so it'
note 'has no samples.'
note ''
note '| cycles | % | cum % | icache-miss | % | procedure | image |'
note '|---|---|---|---|---|---|---|'
note "$(jq -r '.procedures[:10][] | [(.cycles.estimate | round), (.cycles.share * 1e4 | round / 100),
    (.cycles.cumulative * 1e4 | round / 100), (."icache-miss".estimate | round),
    ((."icache-miss".share // 0) * 1e4 | round / 100), .procedure[:60], .image] | "| " + (map(tostring) |
    join(" | ")) + " |"' "$out/$ID.json")"
