#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Host instructions for each instruction of the guest, counted by callgrind: skipped, skipped with --warm, and on the
# detailed core. Runs of two lengths are subtracted, which removes loading and the report.
#   phases.sh [BUILD [WORKLOAD...]]     default: build/callgrind (make CALLGRIND=1), sort interp coremix dense;
#                                       workloads of mixes.sh
# INSTS: number of instructions measured (100000 on the core, ten times as many skipped); OPTIONS: further pcemu options
# All cycles are simulated (--memo 0), and all that is skipped is interpreted (--translate 0).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build/callgrind}" && pwd)
workloads=$(cd "${WORKLOADS:-build/workloads}" && pwd)
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- sort interp coremix dense
INSTS=${INSTS:-100000}
. "$here/mixes.sh"
. "$here/count.sh"
need_callgrind
OPTIONS="--memo 0 --translate 0 ${OPTIONS:-}"

skipped=$((10 * INSTS))
printf '| workload | skipped | with --warm | on the core |\n|---|---|---|---|\n'
for workload; do
    skip=$(echo "$mixes" | awk -v w="$workload" '$3 == w { print $2 }')
    short="--skip-insts $skip --max-insts 1000"
    # shellcheck disable=SC2086 # options are words
    {
        begun=$(count "$workload" $short) warm=$(count "$workload" --warm $short)
        further=$(count "$workload" --skip-insts $((skip + skipped)) --max-insts 1000)
        warmed=$(count "$workload" --warm --skip-insts $((skip + skipped)) --max-insts 1000)
        cored=$(count "$workload" --skip-insts "$skip" --max-insts $((1000 + INSTS)))
    }
    printf '| %s | %s | %s | %s |\n' "$workload" "$(per_insn "$further" "$begun" $skipped)" \
        "$(per_insn "$warmed" "$warm" $skipped)" "$(per_insn "$cored" "$begun" "$INSTS")"
done
