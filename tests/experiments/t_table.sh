# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the TIP paper's experiments. Sourced, with REAL (yes or no: are Debian's programs to be had?), SCALE and sources in the environment.
#
# t_real are programs of tests/debian/programs, regions of 100 M instructions. t_table has our workloads: name (a variant of one behind a dot), the
# sampling period in cycles that takes about 50,000 samples, the arguments at SCALE 1: those marked with * grow with the scale, those marked with ^ are
# logarithms.
t_real='gcc perl bzip2 gap parser mcf crafty gzip'
t_real_period=1499
t_table='compiler 1499 60*
interp 1499 43*
compress 599 512*
bitboard 599 116*
coremix 997 400*
chase 1499 1*
stencil 599 15*
dense 599 320
pixels 1499 400000*
pixels.plain 599 400000* plain
hashjoin 1999 20^
sort 1999 20^
ilp 599 150000*
branchy 1999 7*
stores 1499 8*
invariant 397 400*
phases 397 150*
spmv 1499 12*
triad 1499 6*
transpose 1999 4*
interval 1499 3000000*
search 1499 3000000*
roots 1499 120000*'

t_own=$(echo "$t_table" | cut -d' ' -f1)
if [ "${REAL:-no}" = yes ]; then t_programs="$t_real $t_own"; else t_programs=$t_own; fi

# t_arguments PROGRAM: the words behind the workload's name, at this scale
t_arguments() {
    echo "$t_table" | awk -v name="$1" -v scale="$SCALE" '$1 == name {
        for (i = 3; i <= NF; i++) {
            n = $i + 0
            if ($i ~ /\*$/) n = int(n * scale) < 1 ? 1 : int(n * scale)
            if ($i ~ /\^$/) n += int(log(scale) / log(2))
            printf " %s", $i ~ /^[0-9]/ ? n : $i } }'
}

# t_period PROGRAM FACTOR: its period at this scale times FACTOR, made prime: at least 101 cycles
t_period() {
    { echo "$t_table"; for w in $t_real; do echo "$w $t_real_period"; done; } | awk -v name="$1" -v scale="$SCALE" -v factor="$2" '
        function prime(n,    d) { for (d = 2; d * d <= n; d++) if (n % d == 0) return 0; return 1 }
        $1 == name { p = $2 * scale; if (p < 101) p = 101; p = int(p * factor); while (!prime(p)) p++; print p; exit }'
}

# For the page.
paper_name() { echo "${1%%.*}"; }
page_programs=$t_programs page_run=time
