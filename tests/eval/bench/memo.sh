#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Host instructions for each instruction of the guest on the out-of-order core, counted by callgrind, with all cycles
# simulated (--memo 0) and with memoised states: alone, and with oracle and tip. Runs of two lengths are subtracted,
# which removes loading and the report.
#   memo.sh [BUILD [WORKLOAD...]]       default: build/callgrind (make CALLGRIND=1); workloads of mixes.sh
# INSTS: number of instructions measured (1000000); OPTIONS: further pcemu options
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build/callgrind}" && pwd)
workloads=$(cd "${WORKLOADS:-build/workloads}" && pwd)
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- interp stencil dense hashjoin sort
INSTS=${INSTS:-1000000}
. "$here/mixes.sh"
. "$here/count.sh"
need_callgrind

printf '| workload | simulated | memoised | ratio | simulated, oracle and tip | memoised | ratio |\n'
printf '|---|---|---|---|---|---|---|\n'
for workload; do
    skip=$(echo "$mixes" | awk -v w="$workload" '$3 == w { print $2 }')
    row=
    for observers in '' '--profile oracle,tip'; do
        for memo in '--memo 0' ''; do
            # shellcheck disable=SC2086 # options are words
            {
                short=$(count "$workload" --skip-insts "$skip" --max-insts 1000 $observers $memo)
                long=$(count "$workload" --skip-insts "$skip" --max-insts $((1000 + INSTS)) $observers $memo)
            }
            row="$row $(per_insn "$long" "$short" "$INSTS")"
        done
    done
    echo "$workload$row" | awk '{ printf "| %s | %s | %s | %.2f | %s | %s | %.2f |\n", $1, $2, $3, $2 / $3, $4, $5, $4 / $5 }'
done
