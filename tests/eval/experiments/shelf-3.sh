#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Drops and error over the clock of the co-processor
. "${0%/*}/lib.sh"
. "$here/shelf.sh"
assemble_all
shelf_want base1 clock2 clock4 clock8
with_runs
shelf_figures
for p in $programs; do
    for v in base1 clock2 clock4 clock8; do
        printf '%s\t%s\t%s\t%s\n' "$p" "$(echo "$v" | sed 's/base1/1/; s/clock//')" "$(over "$p" "$v" "$dropped")" \
            "$(over "$p" "$v" '$11')"
    done
done > "$out/shelf-3.dat"
panels shelf-3 "$out/shelf-3.dat" 'dropped samples' "'1' 1, '1/2' 2, '1/4' 4, '1/8' 8"
note ''
note '| program | dropped at 1 | 1/2 | 1/4 | 1/8 | error at 1 | 1/2 | 1/4 | 1/8 |'
note '|---|---|---|---|---|---|---|---|---|'
for p in $programs; do
    note "| \`$p\` |$(awk -F '\t' -v p="$p" '$1 == p { d = d " " $3 " % |";
        e = e " " ($4 == "-" ? "-" : $4 " %") " |" } END { print d e }' "$out/shelf-3.dat")"
done
rising=$(awk -F '\t' '{ if ($1 == last && $3 < drop - 0.01) bad[$1]; last = $1; drop = $3; all[$1] } END { n = 0;
    for (p in all) n += !(p in bad); print n, length(all) }' "$out/shelf-3.dat")
claim 'no program drops less at a slower clock' 'all' "${rising% *} of ${rising#* }" \
    "${rising#* } > 0 && ${rising% *} == ${rising#* }"
sampled='paired pics tip'
few=$(awk -F '\t' -v set=" $sampled " 'index(set, " " $1 " ") && $2 == 8 { n++; if ($3 > d) d = $3 } END {
    printf "%.2f %d", d, n }' "$out/shelf-3.dat")
claim 'programs fed by samplers with a period drop next to nothing even at an eighth of the clock' 'below 1 %' \
    "${few% *} % in ${few#* } programs" "${few#* } > 0 && ${few% *} < 1"
