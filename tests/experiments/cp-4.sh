#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Weighted RMS error of the co-processor's profile and of simple sampling, one load in 1024 (Figure 6a of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

for w in $cp_names; do
    cp_want "$w" value
    cp_want "$w" simple1024
done
make_runs
for w in $cp_names; do
    echo "$w $(error_of "$w.value") $(error_of "$w.simple1024") $(query "$w.value" .exact_loads)"
done > "$out/cp-4.dat"
plot_bars cp-4 'weighted RMS error of the invariance, %'

column() { awk -v name="$1" -v n="$2" '$1 == name { print $n }' "$out/cp-4.dat"; }
ratio() { awk -v a="$(column "$1" 3)" -v b="$(column "$1" 2)" 'BEGIN { printf "%.2f", a / b }'; }
gcc=$(ratio compiler) perl=$(ratio interp)
claim 'gcc (compiler): lower error than simple sampling' 'almost 4 times' "$gcc times: $(column compiler 2) against $(column compiler 3) %" "$gcc > 2"
claim 'perl (interp): lower error than simple sampling' 'almost 8 times' "$perl times: $(column interp 2) against $(column interp 3) %" "$perl > 2"
best=$(for w in $cp_names; do echo "$(ratio "$w") $w"; done | sort -rn | head -1)
claim 'the advantage grows with the number of hot static loads' 'gcc and perl have most' "largest for ${best#* } (${best% *} times)" \
    "\"${best#* }\" == \"compiler\" || \"${best#* }\" == \"interp\""
gap=$(ratio glacial)
claim 'gap (glacial): worse than simple sampling' 'worse: glacial values' "$gap times: $(column glacial 2) against $(column glacial 3) %" "$gap < 1"
bzip=$(ratio compress) parser=$(ratio sort)
claim 'bzip2 and parser (compress, sort): worse, for profiling was declared done' 'worse' "$bzip and $parser times" "$bzip < 1 && $parser < 1"
claim 'crafty (bitboard): poor for both' 'poor' "$(column bitboard 2) and $(column bitboard 3) %" "$(column bitboard 2) > 5 && $(column bitboard 3) > 5"
