#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Arrays of half and of twice the size (Figures 8 and 9 of the co-processor paper)
. "$(dirname "$0")/lib.sh"
. "$here/cp.sh"

sizes='128 256 512'
sized() { variant "$1.paper" slots "$2" 256; }
for w in $cp_sized; do
    cp_want "$w" none
    cp_want "$w" paper
    for n in 128 512; do
        "$BUILD/bin/pcasm" -D WHOLE=0 -D RESAMPLE=0 -D "SLOTS=$n" -o "$out/paper$n.pc" "$sources/programs/value.pasm"
        want "$w.paper.slots$n" --program "$out/paper$n.pc" --set "cop_cam_entries=$n" --set "cop_data_rows=$n" -- $(cp_command "$w")
    done
done
make_runs
for n in $sizes; do timeline "$(sized "$gcc" "$n")" "$gcc" > "$out/cp-7.$n.dat"; done
plot_timelines cp-7 'slots' 128 256 512
for w in $cp_sized; do
    echo "$w $(for n in $sizes; do error_of "$(sized "$w" "$n")"; done | xargs) $(for n in $sizes; do overhead "$(sized "$w" "$n")" "$w"; done | xargs)"
done > "$out/cp-7.dat"

goal=$(error_of "$(sized "$gcc" 128)" | awk '{ printf "%.2f\n", 1.5 * $1 }')
set -- $(for n in $sizes; do reach "$out/cp-7.$n.dat" "$goal"; done)
claim 'the rate of convergence is almost linear in the size' 'almost linear' "M cycles to an error of $goal %: $1, $2, $3" \
    "$1 / $2 > 1.3 && $2 / $3 > 1.3 && $1 / $3 < 6"
set -- $(awk '{ a += $2; b += $3; c += $4; if ($2 < $3 || $3 < $4) inverted++ } END { printf "%.2f %.2f %.2f %d\n", a / NR, b / NR, c / NR, inverted }' "$out/cp-7.dat")
claim 'accuracy improves sub-linearly with the size' 'sub-linear' "mean error $1, $2, $3 %" "$1 >= $3 && $1 < 4 * $3"
claim 'sometimes smaller arrays profile better' 'in some cases' "in $4 of $(wc -l < "$out/cp-7.dat") programs" "$4 > 0"
set -- $(awk '{ a += $5; b += $6; c += $7 } END { printf "%.3f %.3f %.3f\n", a / NR, b / NR, c / NR }' "$out/cp-7.dat")
claim 'overhead is nearly flat' 'nearly flat' "mean $1, $2, $3 %" "$1 < 2 * $3 && $3 < 2 * $1"
claim 'smaller arrays have slightly lower overhead' 'slightly lower' "mean $1, $2, $3 %" "$1 <= $2 && $2 <= $3"
note "Run on $(echo $cp_sized | sed 's/ /, /g; s/, \([a-z0-9]*\)$/ and \1/')."
