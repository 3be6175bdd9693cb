#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Processor time of functional warming relative to skipping without it, both interpreted, and both by
# translated code, on the programs of this folder, in interleaved runs.
#   warm.sh [BUILD [ROUNDS [PROGRAM...]]]      default: build, 5, all but those of threads
# INSTS: number of instructions that are skipped (500000000); RVCC names the cross compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
rounds=${2:-5}
if [ $# -gt 2 ]; then shift 2; else set -- int_crc int_hash int_sort int_vm fp_matmul fp_nbody fp_single; fi
insts=${INSTS:-500000000}
rvcc=${RVCC:-riscv64-linux-gnu-gcc}
. "$here/turns.sh"
command -v "$rvcc" > /dev/null || { echo "warm.sh: skipped: no $rvcc"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for program; do
    "$rvcc" -O2 -static -DLENGTH=$((insts / 50000000 + 1)) -o "$tmp/$program" "$here/$program.c" -lm
    for options in '--translate 0' '--warm --translate 0' --warm; do
        echo "exec $build/bin/pcemu --no-program -o /dev/null $options --skip-insts $insts --max-insts 1" \
            "$tmp/$program > /dev/null 2>&1"
    done
done > "$tmp/commands"
turns "$rounds" < "$tmp/commands" > "$tmp/times"
paste -d ' ' - - - < "$tmp/times" > "$tmp/seconds"
for program; do
    echo "$program"
done | paste -d ' ' - "$tmp/seconds" | awk '
    BEGIN { print "| program | warming, interpreted | compiled |\n|---|---|---|" }
    { a = $3 / $2; b = $4 / $2; sum_a += log(a); sum_b += log(b); printf "| %s | %.1f | %.1f |\n", $1, a, b }
    END { printf "| geometric mean | %.1f | %.1f |\n", exp(sum_a / NR), exp(sum_b / NR) }'
