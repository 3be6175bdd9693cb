#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reconstruction of paths (Figure 6 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
for w in $pm_programs; do other_want "$w.paths" ev6 paths:period=20011 "$w"; done
with_runs
for w in $pm_programs; do
    query "$w.paths" \
        '.paths.success[] | [.scope, .length, (.share | .counts, .history, .pair, .distance, .likely, .likely_pair, .records | 100 * .)] | @tsv' | sed "s/^/$w	/"
done > "$out/pm-9.dat"
# success SCOPE LENGTH SCHEME-NUMBER: the mean of the programs, in percent
success() { awk -F '\t' -v s="$1" -v l="$2" -v f="$3" '$2 == s && $3 == l { n++; t += $(3 + f) } END {
    printf "%.1f", n ? t / n : 0 }' "$out/pm-9.dat"; }
for scope in intraprocedural interprocedural; do
    for l in 1 2 3 4 5 6 7 8 9 10 11 12; do
        printf '%s' "$l"
        for f in 1 2 3 4 5 6 7; do printf ' %s' "$(success $scope $l $f)"; done
        echo
    done > "$out/pm-9.$scope.dat"
done
plot pm-9 << END
set multiplot layout 1,2
set yrange [0:100]
set xlabel 'branches'
set ylabel 'paths found, %'
do for [scope in "intraprocedural interprocedural"] {
    set title scope
    f = "$out/pm-9.".scope.".dat"
    plot f using 1:2 with linespoints title "execution counts", f using 1:3 with linespoints title "history", f using 1:4 with linespoints title "history + pair", f using 1:5 with linespoints title "history + pair + distance", f using 1:6 with linespoints title "history, likeliest path", f using 1:8 with linespoints title "CTR, 32 records"
}
unset multiplot
END
# holds_at_all SCOPE A B: is scheme A at or below B at every length?
at_all() { awk -v a="$2" -v b="$3" '$(a + 1) > $(b + 1) + 0.05 { bad = 1 } END { print !bad }' "$out/pm-9.$1.dat"; }
falls() { awk -v f="$2" 'NR > 1 && $(f + 1) > last + 1 { bad = 1 } { last = $(f + 1) } END {
    print !bad }' "$out/pm-9.$1.dat"; }
for scope in intraprocedural interprocedural; do
    claim "$scope: execution counts below history bits" 'at every length' "at 4: $(success $scope 4 1) and $(success \
        $scope 4 2) %; at 8: $(success $scope 8 1) and $(success $scope 8 2) %" "$(at_all $scope 1 2)"
    why 'a path counts as found only if it is the only one that agrees with the bits. In a loop the bits of one more
  iteration mostly equal those of entering the loop, so two paths agree; execution counts always give one. Of the
  paths that agree, the most likely one is right more often (below).'
    claim "$scope: the likeliest of the paths that fit the history bits, by execution counts, is right more often than by execution counts alone" '(ours)' \
        "at 4: $(success $scope 4 5) %; at 8: $(success $scope 8 5) %" "$(at_all $scope 1 5)"
    claim "$scope: history bits below history with pairs" 'at every length' "at 4: $(success $scope 4 2) and $(success \
        $scope 4 3) %; at 8: $(success $scope 8 2) and $(success $scope 8 3) %" "$(at_all $scope 2 3)"
    claim "$scope: all three fall with the length" 'so' "history: $(success $scope 1 2) % at 1, $(success $scope 12 \
        2) % at 12" "$(falls $scope 1) && $(falls $scope 2) && $(falls $scope 3)"
done
claim 'inter-procedural paths are found less often: history bits at 8 branches' 'considerably' \
    "$(success intraprocedural 8 2) and $(success interprocedural 8 2) %" \
    "$(success interprocedural 8 2) < $(success intraprocedural 8 2)"
