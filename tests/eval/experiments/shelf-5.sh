#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error, drops and overhead by workload
. "${0%/*}/lib.sh"
. "$here/shelf.sh"
assemble_all
shelf_want base1 base2 base3 base4
with_runs
shelf_figures
# matrix FIELD-EXPRESSION: a table of programs and workloads: means over the seeds, with the 95 % interval
matrix() {
    note ''
    note "| program | $(echo "$shelf_workloads" | sed 's/ / | /g') |"
    note "|---|$(for w in $shelf_workloads; do printf -- '---|'; done)"
    for p in $programs; do
        note "| \`$p\` |$(for w in $shelf_workloads; do
            awk -F '\t' -v p="$p" -v w="$w" \
                "\$1 == p && \$2 == w && \$3 ~ /^base/ { x = $1; if (x != \"-\") print x }" "$out/shelf.dat" |
                with_interval 1 | sed 's/^/ /; s/$/ |/' | tr -d '\n'
        done)"
    done
}
note ''
note 'Events misplaced, in percent:'
matrix '$11'
note ''
note 'Samples dropped, in percent:'
matrix "$dropped"
note ''
note 'Cycles of handlers, in percent:'
matrix '$10'
cause=$(awk -F '\t' '$3 == "base1" && $11 != "-" && $11 > 10 { n++; bad += $5 > 0.05 * $4 || $10 > 5 } END {
    print bad + 0, n + 0 }' "$out/shelf.dat")
claim 'large errors have a cause in the machine: of the runs with an error above 10 %, those that drop more than 5 % of the samples or spend more than 5 % in handlers' 'most' \
    "${cause% *} of ${cause#* }" "${cause#* } == 0 || ${cause% *} > ${cause#* } / 2"
