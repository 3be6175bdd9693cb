#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Without drops, and what has no exact answer
. "${0%/*}/lib.sh"
. "$here/estimates.sh"
assemble_all
shelf_workloads=$ideal_workloads estimates_workloads=$ideal_workloads
shelf_want ideal
with_runs
for p in $programs; do
    for w in $ideal_workloads; do query "$w.$p.ideal" "[\"$p\", .delivered, .dropped] | @tsv"; done
done > "$out/$ID.dat"
lossless=$(awk -F '\t' '{ d += $3; n++ } END { print d + 0, n + 0 }' "$out/$ID.dat")
claim 'with --set cop_ideal=yes --set host_free=yes no sample is dropped, by any program' '0' \
    "${lossless% *} in ${lossless#* } runs" "${lossless#* } > 0 && ${lossless% *} == 0"
# shellcheck disable=SC2046 # words
exact=$(estimates_figures ideal $(among calls correlate edge hello latency misp targets) |
    awk -F '\t' '{ e += $10; n++ } END { printf "%.0f %d", e, n }')
claim 'and calls, correlate, edge, hello, latency, misp and targets count exactly: summed error' '0' \
    "${exact% *} in ${exact#* } runs" "${exact% *} == 0"
why 'samples that are in the buffer when the run ends are not processed.'

# reason PROGRAM MEMBER: why a count has no exact answer beside it
reason() {
    case $1.$2 in
    callstack.repaired | callstack.doubted) echo 'how often the program could not be sure of its own stack' ;;
    conflict.conflicts | conflict.misses) echo 'sums by cache set; the reference `conflicts` is by load' ;;
    deadstore.stores) echo 'the samples of stores that were processed, in one row' ;;
    simple.* | value.* | value-paper.*) echo 'the report scores the values instead, beside the exact share of each' ;;
    esac
}
for p in $programs; do
    "$BUILD/bin/pcdis" "$out/$p.base.pc" 2> /dev/null | awk -v p="$p" '
        $1 == ".slot" { slot = $2; sub(/\[.*/, "", slot); within = 1; next }
        $1 == "}" { within = 0 }
        within && $4 == "count" && !/ exact / { print p, slot, $1 }'
done > "$out/$ID.without"
note 'Counts in the slots of the shipped programs that name no exact answer. No column `exact` stands beside these.'
note ''
note '| program | slot | member | why |'
note '|---|---|---|---|'
unexplained=0
while read -r p slot member; do
    because=$(reason "$p" "$member")
    [ -n "$because" ] || unexplained=$((unexplained + 1))
    note "| \`$p\` | \`$slot\` | \`$member\` | ${because:--} |"
done < "$out/$ID.without"
claim 'every count in a slot of a shipped program has an exact answer, or a reason why not' 'all' \
    "$(awk 'END { print NR }' "$out/$ID.without") without, $unexplained of them without a reason" "$unexplained == 0"
