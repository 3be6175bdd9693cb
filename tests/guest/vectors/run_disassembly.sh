#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the project's disassembly with objdump's: every row of rv.def with corner-case operands, every 16-bit word
# that decodes, and all code of the libraries.
#   run_disassembly.sh [BUILD [ELF...]]
# RVCC and OBJDUMP name the cross tools; libraries of another release may be given instead of the compiler's libc.
# RVGEN_FLAGS is what the program that prints needs besides, such as --coverage for a build with counters.
set -eu
export LC_ALL=C

build=${1:-build}
[ $# -eq 0 ] || shift
rvcc=${RVCC:-riscv64-linux-gnu-gcc}
objdump=${OBJDUMP:-riscv64-linux-gnu-objdump}
here=$(dirname "$0")
march=rv64gc_zba_zbb_zbs

for tool in "$rvcc" "$objdump"; do
    command -v "$tool" >/dev/null || { echo "run_disassembly.sh: skipped: no $tool"; exit 0; }
done
[ $# -gt 0 ] || set -- "$("$rvcc" -print-file-name=libc.so.6)" "$("$rvcc" -print-file-name=libm.so.6)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# shellcheck disable=SC2086 # flags, meant to be split
${CC:-gcc} -std=c17 -D_GNU_SOURCE -I"$here/../../.." -O1 -Wall -Wextra ${RVGEN_FLAGS:-} -o "$work/rvwords" \
    "$here/rvwords.c" \
    "$build/lib/libcore-model.a" "$build/lib/libisa.a"

# "address word text" of a file's code. objdump adds symbols, comments after #, and a 0x before branch targets without
# symbols.
dump() {
    "$objdump" -d -j .text "$1" | sed -nE \
        's/^ *([0-9a-f]+):\t([0-9a-f]+) +\t(.*)$/\1 \2 \3/; T; s/ +#.*$//; s/ <[^>]*>//; s/([,\t])0x([0-9a-f]+)$/\1@\2/; p'
}

failed=0
compare() {
    dump "$1" >"$work/raw"
    # Removes the 0x from targets, which only branches and jumps have; immediates keep it.
    sed -E 's/^([0-9a-f]+ [0-9a-f]+ (b(eq|ne|lt|ge|gt|le)[uz]*|j|jal)\t([^@]*))@/\1/; s/@/0x/' "$work/raw" >"$work/want"
    cut -d ' ' -f 1,2 "$work/want" | "$work/rvwords" print >"$work/got"
    if [ -n "$newer" ]; then
        sed -i -E "$older" "$work/want" "$work/got"
    fi
    n=$(wc -l <"$work/want")
    diff "$work/want" "$work/got" >"$work/diff" || true
    bad=$(grep -c '^<' "$work/diff" || true)
    echo "disassembly: $2: $n instructions compared, $bad differ"
    head -n "${SHOW:-10}" "$work/diff"
    failed=$((failed + bad))
    [ "$n" -gt 0 ] || failed=$((failed + 1))
}

# We print the names of Debian 12's binutils (2.40), which has aliases for instructions with an immediate: `add` where
# that of Debian 13 (2.44) prints `addi`, and `.4byte` where that one prints `.insn`. The newer names are made the older
# ones before the comparison. No older disassembly has an xori.
older='s/ (add|and|or|xor|sll|srl|sra|ror|bclr|bext|binv|bset|csrr?[wsc])i(w?)\t/ \1\2\t/
s/ \.insn\t4, 0x0*/ .4byte\t0x/'
"$work/rvwords" emit >"$work/words.s"
"$rvcc" -march=$march -c -o "$work/words.o" "$work/words.s"
newer=$(dump "$work/words.o" | sed -n 's/.* xori\t.*/yes/p' | head -n 1)
compare "$work/words.o" "every encoding"
for elf; do
    compare "$elf" "$(basename "$elf")"
done
[ "$failed" -eq 0 ]
