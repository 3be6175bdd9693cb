#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs: size, cost and checks
. "${0%/*}/lib.sh"
. "$here/shelf.sh"
assemble_all
shelf_want base1
with_runs
warned='' loops='' total=0 words=0
# kept PROGRAM: of each run, whether its cycles are within the sums over samples of the bounds by pcasm --cost, and no
# sample's words above its bound
kept() {
    for w in $shelf_workloads; do
        jq -r --slurpfile cost "$out/$1.cost" '(.coprocessor.words + .coprocessor.bubbles) as $cycles
            | [.coprocessor.classes | to_entries[] | .key as $class | .value + ($cost[0].entries[] | select(.classes |
                index($class)))]
            | if (map(.samples * .at_least) | add // 0) > $cycles or (map(.samples * .at_most) |
                add // 0) < $cycles or any(.most > .at_most)
              then "beyond" else "within" end' "$runs/$w.$1.base1.stats"
    done
}
note ''
note '| program | words | fields | bytes of a sample | cycles for a sample | samples per 1000 cycles |'
note '|---|---|---|---|---|---|'
for p in $programs; do
    (cd "$sources/programs" && "$BUILD/bin/pcasm" -W error --cost=json -o /dev/null "$p.pasm" > "$out/$p.cost" \
        2> "$out/$p.warnings") || warned="$warned $p"
    [ -s "$out/$p.cost" ] || continue
    total=$((total + 1))
    [ "$(jq '.words' "$out/$p.cost")" -le $words ] || words=$(jq '.words' "$out/$p.cost")
    [ "$(jq '.unbounded_loops | length' "$out/$p.cost")" = 0 ] || loops="$loops $p"
    fields=$("$BUILD/bin/pcdis" "$out/$p.base.pc" 2> /dev/null | sed -n 's/^\.record //p')
    note "| \`$p\` | $(jq -r .words "$out/$p.cost") | $fields | $(jq -r .record_bytes "$out/$p.cost") | $(jq \
        -r '[.entries[].at_least] | min' "$out/$p.cost") to $(
        jq -r '[.entries[].at_most] | max' "$out/$p.cost") | $(jq \
            -r '[.entries[].samples_per_1000_core_cycles_by_clock_divider | [.slowest["1"], .fastest["1"]]]
        | "\(map(.[0]) | min | round) to \(map(.[1]) | max | round)"' "$out/$p.cost") |"
    kept "$p"
done > "$out/shelf-1.bounds"
claim 'every program passes the static checker without a warning' 'all' \
    "$total programs; with warnings:${warned:- none}" "\"$warned\" == \"\""
claim 'every program fits the 64 words' '64' "$words at most" "$words > 0 && $words <= 64"
claim 'every program has a bound on the cycles of a sample' 'all' "without:${loops:- none}" "\"$loops\" == \"\""
outside=$(awk '{ n += $1 == "beyond" } END { print n + 0, NR }' "$out/shelf-1.bounds")
claim 'samples take as many cycles as the bounds say: runs beyond them' '0' "${outside% *} of ${outside#* }" \
    "${outside#* } > 0 && ${outside% *} == 0"
