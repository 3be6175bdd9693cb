#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Interrupts, overhead and error over the size of the arrays
. "${0%/*}/lib.sh"
. "$here/shelf.sh"
assemble_all
shelf_want base1 half double
with_runs
shelf_figures
note ''
note '| program | interrupts in a million instructions: half the size | as shipped | twice | overhead (%): half | as shipped | twice | error (%): half | as shipped | twice |'
note '|---|---|---|---|---|---|---|---|---|---|'
: > "$out/shelf-4.curves"
for p in $programs; do
    [ -n "$(slots "$p")" ] || continue
    line="| \`$p\` |"
    for expression in '1e6 * $8 / $7' '$10' '$11'; do
        for v in half base1 double; do line="$line $(over "$p" "$v" "$expression") |"; done
    done
    note "$line"
    for v in 'half 1' 'base1 2' 'double 4'; do
        printf '%s\t%s\t%s\t%s\n' "$p" "${v#* }" "$(over "$p" "${v% *}" '$10')" "$(over "$p" "${v% *}" '$11')"
    done >> "$out/shelf-4.curves"
    printf '%s\t%s\t%s\t%s\t%s\n' "$p" "$(over "$p" half '1e6 * $8 / $7')" "$(over "$p" double '1e6 * $8 / $7')" \
        "$(over "$p" half '$10')" "$(over "$p" double '$10')"
done > "$out/shelf-4.dat"
panels shelf-4 "$out/shelf-4.curves" 'cycles in handlers' "'half' 1, 'shipped' 2, 'twice' 4"
fewer=$(awk -F '\t' '$2 >= $3 { n++ } END { print n + 0, NR }' "$out/shelf-4.dat")
claim 'larger arrays interrupt less often' 'all' "${fewer% *} of ${fewer#* } programs" \
    "${fewer#* } > 0 && ${fewer% *} == ${fewer#* }"
lower=$(awk -F '\t' '$4 >= $5 { n++ } END { print n + 0, NR }' "$out/shelf-4.dat")
claim 'the overhead falls with the size' 'most' "${lower% *} of ${lower#* } programs" "${lower% *} > ${lower#* } / 2"
