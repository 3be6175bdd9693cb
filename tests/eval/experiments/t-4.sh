#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Error over the sampling rate (Figure 11a of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
# shellcheck disable=SC2086 # names
t_want $t_programs
with_runs
t_errors
# The paper's rates are 100 Hz to 20 kHz around 4 kHz; here they are multiples of the base rate.
for f in 8 4 1 0.5 0.25; do
    suffix=.$f
    [ "$f" != 1 ] || suffix=
    echo "$(awk -v f="$f" 'BEGIN { print 1 / f }') $(for p in tip tip-ilp nci; do mean "$p$suffix" 4; echo; done |
        xargs)"
done > "$out/t-4.dat"
plot t-4 << END
set logscale x 2
set xlabel 'samples, multiple of the base rate'
set ylabel 'mean error, instructions, %'
set yrange [0:*]
plot "$out/t-4.dat" using 1:2 with linespoints title "TIP", "" using 1:3 with linespoints title "TIP-ILP", "" using 1:4 with linespoints title "NCI"
END
all() { echo "$(mean "$1.8" 4), $(mean "$1" 4), $(mean "$1.0.25" 4) % at an eighth, the base rate and four times it"; }
falls() { echo "$(mean "$1.8" 4) > $(mean "$1" 4) && $(mean "$1" 4) >= $(mean "$1.0.25" 4)"; }
claim 'the error of TIP falls with the rate' 'gcc: 5.0 % at 4 kHz, 2.6 % at 20 kHz' "$(all tip)" "$(falls tip)"
claim 'the error of TIP-ILP falls with the rate' 'figure' "$(all tip-ilp)" "$(falls tip-ilp)"
claim 'the error of NCI falls with the rate' 'figure' "$(all nci)" "$(falls nci)"
# share PROFILER: which part of its error remains at four times the base rate
share() { awk -v a="$(mean "$1" 4)" -v b="$(mean "$1.0.25" 4)" 'BEGIN { printf "%.2f", (a > 0 ? b / a : 0) }'; }
claim 'beyond the base rate TIP goes on improving, the others flatten: the part of the error that remains at four times the rate' 'figure' \
    "TIP $(share tip), TIP-ILP $(share tip-ilp), NCI $(share nci)" "$(share tip) < 0.75 && $(share tip-ilp) > $(share \
        tip) && $(share nci) > 0.9"
