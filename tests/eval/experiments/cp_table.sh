# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the co-processor paper's experiments. Sourced, with REAL (yes or no: Debian's programs are
# available) and sources in the environment.
#
# cp_names: the programs that all experiments run. With REAL=yes they are those of tests/guest/debian/programs, under the
# paper's names; otherwise one of the project's workloads for each. cp_isolated: workloads with a single property of a
# program; run only where the paper lists the program as an exception because of that property.
cp_real='gcc perl bzip2 gap parser mcf crafty gzip'

# The programs that are run for each array size and each clock: the paper's two largest, and two of its exceptions.
cp_sized='gcc perl bzip2 parser'

# The project's workloads: name, name in the paper, argument for a region of about 100 M instructions, second
# argument.
cp_table='compiler gcc 60
interp perl 43
compress bzip2 512
glacial gap 760000 19
bitboard crafty 116
sort parser 20
hashjoin mcf 20'

if [ "${REAL:-no}" = yes ]; then
    cp_names=$cp_real
    cp_isolated='glacial compress bitboard'
    stands_for() { echo "$1"; }
else
    cp_names=$(echo "$cp_table" | cut -d' ' -f1 | xargs)
    cp_isolated=
    cp_sized='compiler interp compress sort'
    stands_for() { echo "$cp_table" | while read -r name paper _; do [ "$paper" != "$1" ] || echo "$name"; done; }
fi

# The paper's name of a program or workload.
paper_name() {
    echo "$cp_table" | {
        while read -r name paper _; do
            [ "$name" != "$1" ] || { echo "$paper"; exit; }
        done
        echo "$1"
    }
}

# For the page.
page_programs="$cp_names $cp_isolated" page_run=none
