#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Gives exported profiles to BOLT and to AutoFDO's tools, and compares what they make of them with the run's report. A
# program that BOLT has laid out anew is run: it is right, and not slower. Tools that are not installed are named, and
# their comparisons left out.
# usage: check_export_layout.sh BUILD
set -eu
# shellcheck source=export/lib.sh
. "$(dirname "$0")/export/lib.sh"
cd "$tmp"

# run GUEST STORE: the report in report.json
run() { pcemu --no-program --profile counts,paths --collect "$2" --top 0 --format json -o report.json "./$1" 12 > out; }
# executions of the first instruction of a function
entries() {
    jq --arg at "0x$(riscv64-linux-gnu-nm "$1" | awk -v name="$2" '$3 == name { sub("^0*", "", $1); print $1 }')" \
        '[.counts.instructions[] | select(.pc == $at) | .profiles[0].counts.retired // 0] | add' report.json
}

# BOLT reads RISC-V from version 17 on; perf2bolt is a name of it.
bolt=$(find /usr/lib/llvm-*/bin -name perf2bolt 2> /dev/null | sort -V | tail -n 1)
if [ -n "$bolt" ]; then
    bolt=${bolt%/*}
    riscv64-linux-gnu-gcc -O2 -g -static -Wl,--emit-relocs -o sort "$root/tests/eval/workloads/sort.c"
    run sort bolt.db
    pcprof export bolt.db --to bolt -o sort.preagg
    "$bolt/perf2bolt" --pa -p sort.preagg -o sort.fdata sort > bolt.out 2>&1
    grep -q 'traces mismatching disassembled function contents: 0 (0.0%)' bolt.out || fails 'perf2bolt: traces that do not match'
    # Calls of quicksort; how often its first branch was executed, in both directions together.
    same 'perf2bolt, quicksort' "$(entries sort quicksort)" \
        "$(awk '$5 ~ /^quicksort(\/|$)/ && $6 == "0" { sum += $8 } END { print sum }' sort.fdata)"
    "$bolt/llvm-bolt" sort -o sort.bolt --data sort.fdata --reorder-blocks=ext-tsp --reorder-functions=hfsort \
        > bolt.out 2>&1
    grep -q 'basic block reordering modified layout of [1-9]' bolt.out || fails 'llvm-bolt: no function is laid out anew'
    before=$(jq .cycles report.json) instructions=$(jq .instructions report.json)
    run sort.bolt after.db
    grep -q ' 0 wrong: ok' out || fails 'llvm-bolt: the program is wrong'
    after=$(jq .cycles report.json)
    [ "$after" -le "$before" ] || fails "llvm-bolt: $after cycles instead of $before, of $instructions instructions"
else
    echo 'check_export_layout.sh: perf2bolt is not installed: what it is for is not compared'
fi
# Debian's tools of AutoFDO read DWARF up to version 4.
if command -v create_llvm_prof > /dev/null; then
    riscv64-linux-gnu-gcc -O2 -gdwarf-4 -static -o sort "$root/tests/eval/workloads/sort.c"
    run sort autofdo.db
    pcprof export autofdo.db --to autofdo-text -o sort.txt
    create_llvm_prof --binary=sort --profile=sort.txt --profiler=text --format=text --out=sort.prof
    same 'create_llvm_prof, head of quicksort' "$(entries sort quicksort)" \
        "$(awk -F : '$1 == "quicksort" { print $3 }' sort.prof)"
    # Lines of quicksort itself: each count is one of those of the sample profile that pcprof writes.
    pcprof export autofdo.db --to autofdo-clang -o own.prof
    for profile in sort.prof own.prof; do
        awk -F : '/^[^ ]/ { inside = $1 == "quicksort" } inside && /^ [0-9]+: [0-9]/ { print }' $profile |
            sed 's/ quicksort:.*//' | sort > $profile.lines
    done
    equal=$(comm -12 sort.prof.lines own.prof.lines | grep -c .)
    [ "$equal" -ge 10 ] || fails "create_llvm_prof: expected 10 lines with the same counts or more, found $equal"
else
    echo 'check_export_layout.sh: create_llvm_prof is not installed: what it is for is not compared'
fi
exit $bad
