# SPDX-License-Identifier: GPL-3.0-or-later
# The co-processor paper's programs and what stands for them here, with the argument that makes a region of about 100 M instructions:
# name, in the paper, argument, second argument. Sourced.
cp_table='compiler gcc 60
interp perl 43
compress bzip2 512
glacial gap 760000 19
bitboard crafty 116
sort parser 20
hashjoin mcf 20'
cp_names=$(echo "$cp_table" | cut -d' ' -f1)

paper_name() { echo "$cp_table" | awk -v name="$1" '$1 == name { print $2 }'; }
