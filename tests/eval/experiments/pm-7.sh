#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Latency and wasted issue slots of three loops (Figure 7 of the ProfileMe paper)
. "${0%/*}/lib.sh"
. "$here/pm.sh"
pm_want ilp
with_runs
jq -r '[.counts.totals[0].retired] as $all | .counts.instructions[] |
    select(.function == "serial" or .function == "mixed" or .function == "wide" or .function == "two" or .function ==
    "divide")
    | .function as $f | .profiles[0] | select(.counts.retired > $all[0] / 200) | [$f, .counts["in-progress"] / 1e6,
        .wasted_slots / 1e6] | @tsv' "$runs/ilp.counts.json" > "$out/pm-7.dat"
plot pm-7 << END
set xlabel 'cycles in progress, M'
set ylabel 'wasted issue slots, M'
set xrange [0:*]
set yrange [0:*]
loops = system("cut -f1 $out/pm-7.dat | sort -u")
plot for [l in loops] "< grep '^".l."	' $out/pm-7.dat" using 2:3 with points pointtype 7 title l
END
slopes=$(cut -f1 "$out/pm-7.dat" | sort -u | while read -r l; do awk -F '\t' -v l="$l" '$1 == l { a += $2;
    b += $3 } END { printf "%s %.2f\n", l, b / a }' "$out/pm-7.dat"; done)
claim 'three loops, three slopes: wasted slots for each cycle in progress' 'three clouds' "$(echo "$slopes" | awk '{
    printf "%s%s %s", s, $1, $2; s = ", " }')" \
    "$(echo "$slopes" | sort -k2,2g | awk '{ v[NR] = $2 } END { print (NR >= 3 && v[2] > 1.15 * v[1] &&
        v[3] > 1.15 * v[2]) }')"
most=$(sort -t '	' -k2,2gr "$out/pm-7.dat" | head -n 1)
beaten=$(echo "$most" | cat - "$out/pm-7.dat" | awk -F '\t' 'NR == 1 { l = $2; w = $3; next } $2 < l && $3 > w {
    n++ } END { print n + 0 }')
claim 'the instruction of the highest latency wastes fewer slots than others of lower latency' 'so' "$(echo "$most" |
    cut -f1): $beaten others waste more" "$beaten > 0"
linear=$(cut -f1 "$out/pm-7.dat" | sort -u | while read -r l; do
    awk -F '\t' -v l="$l" '$1 == l { n++; x += $2; y += $3; xx += $2 * $2; yy += $3 * $3; xy += $2 * $3 }
        END { d = sqrt((n * xx - x * x) * (n * yy - y * y));
            if (n > 3) printf "%.3f\n", d ? (n * xy - x * y) / d : 1 }' "$out/pm-7.dat"; done | sort -g | head -n 1)
claim 'within a loop the two are nearly proportional: least correlation' 'nearly linear' "${linear:-0}" \
    "${linear:-0} > 0.9"
