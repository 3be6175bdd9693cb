#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Host time of the simulator by source file: samples of `perf record` or, without perf, instructions counted by
# callgrind (in a build made with CALLGRIND=1). In perf's samples, an inlined function counts for the file of the
# function into which it was inlined.
#   stages.sh [BUILD [WORKLOAD [OPTION...]]]     default: build, sort, --no-program; a workload of mixes.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
workload=${2:-sort}
if [ $# -gt 2 ]; then shift 2; else set -- --no-program; fi
pcemu=$build/bin/pcemu
. "$here/mixes.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$build/workloads"
line=$(echo "$mixes" | grep -m 1 " $workload") || { echo "stages.sh: $workload is not a workload of mixes.sh" >&2;
    exit 2; }
skip=$(echo "$line" | cut -d ' ' -f 2)

# Input: lines FILE COUNT. Prints the files with at least 0.5 % and their shares.
shares() {
    sed -E 's#^[^ ]*/((core-model|emu|host|isa)/)#\1#' | awk '
        { count[$1] += $2; sum += $2 }
        END {
            for (f in count)
                if (count[f] >= sum / 200)
                    printf "%6.1f %%  %s\n", 100 * count[f] / sum, f
        }' | sort -rn
}

# The outermost file of each sampled address, relative to the mapping of the file: the last line of each block of
# addr2line -i.
by_samples() {
    perf script -i "$tmp/data" -F ip --show-mmap-events > "$tmp/script" 2> /dev/null
    map=$(sed -n "s|.*\[0x\([0-9a-f]*\)(0x\([0-9a-f]*\)) @ \(0x\)\{0,1\}\([0-9a-f]*\) .*r-xp $pcemu\$|\1 \2 \4|p" \
        "$tmp/script" | head -n 1)
    start=$((0x${map%% *})) offset=$((0x${map##* })) size=${map#* }
    size=$((0x${size%% *}))
    sed -n 's/^ *\([0-9a-f]\{8,\}\)$/\1/p' "$tmp/script" | while read -r ip; do
        at=$((0x$ip - start))
        if [ "$at" -ge 0 ] && [ "$at" -lt "$size" ]; then
            printf '%x\n' $((at + offset))
        else
            echo outside >> "$tmp/outside"
        fi
    done | addr2line -a -i -e "$pcemu" | awk '
        /^0x/ { if (file != "") print file, 1; next }
        { file = $0; sub(/:.*/, "", file) }
        END { if (file != "") print file, 1 }'
    awk '{ print "(libraries,_kernel)", 1 }' "$tmp/outside" 2> /dev/null || true
}

by_callgrind() {
    callgrind_annotate --threshold=100 --tree=none --auto=no "$tmp/callgrind" |
        sed -n 's/^ *\([0-9,]*\) *([^)]*)  *\([^:]*\):.*/\1 \2/p' | awk '{ gsub(",", "", $1); print $2, $1 }'
}

if command -v perf > /dev/null && perf record -q -F 2000 -o "$tmp/data" sh -c "$(core_command "$skip" \
    "$@") ./$workload" > /dev/null 2>&1; then
    echo "Time of pcemu $* $workload by source file (perf):"
    by_samples | shares
elif command -v valgrind > /dev/null; then
    insts=$((insts / 10))
    pcemu="valgrind -q --tool=callgrind --callgrind-out-file=$tmp/callgrind $pcemu"
    sh -c "$(core_command "$skip" "$@") ./$workload" > "$tmp/out" 2>&1 ||
        { echo "stages.sh: skipped: callgrind fails; it needs a build made with CALLGRIND=1"; exit 0; }
    echo "Instructions of pcemu $* $workload by source file (callgrind):"
    by_callgrind | shares
else
    echo "stages.sh: skipped: neither perf nor valgrind"
fi
