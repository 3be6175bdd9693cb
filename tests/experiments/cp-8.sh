#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A co-processor clocked at 1, 1/2, 1/4 and 1/8 of the core (section 5.3 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

ratios='1 2 4 8'
clocked() { variant "$1.paper" clock "$2" 1; }
for w in $cp_sized; do
    cp_want "$w" none
    cp_variants "$w" paper clock cop_clock_divide 1 $ratios
done
make_runs
for w in $cp_sized; do
    echo "$w $(for d in $ratios; do error_of "$(clocked "$w" "$d")"; done | xargs) $(for d in $ratios; do overhead "$(clocked "$w" "$d")" "$w"; done | xargs)"
done > "$out/cp-8.dat"
plot cp-8 << END
set style data histogram
set style fill solid 0.6
set ylabel "weighted RMS error of the invariance, %"
set yrange [0:*]
set xtics rotate by -30
plot "$out/cp-8.dat" using 2:xtic(1) title "clock 1", "" using 3 title "1/2", "" using 4 title "1/4", "" using 5 title "1/8"
END
set -- $(awk '{ for (i = 2; i <= 5; i++) s[i] += $i; for (i = 6; i <= 9; i++) o[i] += $i; if ($5 > 1.5 * $2 + 0.5) worse = worse " " $1 }
    END { printf "%.2f %.2f %.2f %.2f %.3f %.3f\n%s\n", s[2] / NR, s[3] / NR, s[4] / NR, s[5] / NR, o[6] / NR, o[9] / NR, worse }' "$out/cp-8.dat")
mean="$1, $2, $3, $4" o1=$5 o8=$6 e1=$1 e8=$4
shift 6
claim 'the final error does not depend on the clock' 'same final error' "mean $mean %${1:+; more than 1.5 times at 1/8:} $*" "$e8 < 1.25 * $e1 && $e1 < 1.25 * $e8"
claim 'nor does the overhead' 'same overhead' "mean $o1 % at 1, $o8 % at 1/8" "$o8 < 1.25 * $o1 && $o1 < 1.6 * $o8"
note "Run on $(echo $cp_sized | sed 's/ /, /g; s/, \([a-z0-9]*\)$/ and \1/')."
