# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the TIP paper's experiments. Sourced, with REAL (yes or no: Debian's programs are available), SCALE
# and sources in the environment.
#
# t_real: programs of tests/guest/debian/programs, with regions of 100 M instructions. t_table: the project's workloads:
# name (with a variant after a dot), the sampling period in cycles for about 250,000 samples, and the arguments at
# SCALE 1: those marked with * are proportional to the scale, those marked with ^ are logarithms. OWN_WORKLOADS selects
# a subset of the project's workloads.
t_real='gcc perl bzip2 gap parser mcf crafty gzip'
t_real_period=373
t_table='compiler 373 60*
interp 373 43*
compress 149 512*
bitboard 149 116*
coremix 251 400*
chase 373 1*
stencil 149 15*
dense 149 320
pixels 373 400000*
pixels.plain 149 400000* plain
hashjoin 499 20^
sort 499 20^
ilp 149 150000*
branchy 499 7*
stores 373 8*
invariant 101 400*
phases 101 150*
spmv 373 12*
triad 373 6*
transpose 499 4*
interval 373 4500000*
search 373 520000*
roots 373 120000*'

t_own=${OWN_WORKLOADS:-$(echo "$t_table" | cut -d' ' -f1)}
if [ "${REAL:-no}" = yes ]; then t_programs="$t_real $t_own"; else t_programs=$t_own; fi

# t_arguments PROGRAM: prints the workload's arguments at this scale
t_arguments() {
    echo "$t_table" | awk -v name="$1" -v scale="$SCALE" '$1 == name {
        for (i = 3; i <= NF; i++) {
            n = $i + 0
            if ($i ~ /\*$/) n = int(n * scale) < 1 ? 1 : int(n * scale)
            if ($i ~ /\^$/) n += int(log(scale) / log(2))
            printf " %s", $i ~ /^[0-9]/ ? n : $i } }'
}

# t_period PROGRAM FACTOR: prints the next prime to its period at this scale times FACTOR, at least 101 cycles
t_period() {
    { echo "$t_table"; for w in $t_real; do echo "$w $t_real_period"; done; } |
        awk -v name="$1" -v scale="$SCALE" -v factor="$2" '
        function prime(n,    d) { for (d = 2; d * d <= n; d++) if (n % d == 0) return 0; return 1 }
        $1 == name { p = $2 * scale; if (p < 101) p = 101; p = int(p * factor); while (!prime(p)) p++; print p; exit }'
}

# For the page.
paper_name() { echo "${1%%.*}"; }
page_programs=$t_programs page_run=time
