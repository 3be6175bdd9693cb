#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the co-processor costs a detailed core that it is attached to: instructions of the host, counted by callgrind, relative to the run
# without it. Once without the exact counts, which are no hardware (--no-truth): sampler, probe port, filters, buffer, co-processor and
# driver; once with them. The same of a short run is subtracted from each: loading, skipping, and most of the report.
#   attached.sh [BUILD [WORKLOAD...]]     default: build/callgrind (make CALLGRIND=1), sort coremix dense interp; workloads of mixes.sh
# INSTS: instructions measured (300000), PROGRAM: the profiling program (value), OPTIONS: pcemu's further ones, --config NAME for example
# WORKLOADS: the folder with the guests (build/workloads)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build/callgrind}" && pwd)
workloads=$(cd "${WORKLOADS:-build/workloads}" && pwd)
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- sort coremix dense interp
few=1000
INSTS=${INSTS:-300000}
. "$here/mixes.sh"
command -v valgrind > /dev/null || { echo "attached.sh: skipped: no valgrind"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$workloads"

# count INSTS OPTION...: instructions of the host for so many of $workload's
count() {
    measured=$1
    shift
    # shellcheck disable=SC2086 # options
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/bin/pcemu" --skip-insts "$skip" --max-insts "$measured" -o /dev/null \
        ${OPTIONS:-} "$@" "./$workload" > "$tmp/out" 2> "$tmp/err" || true
    sed -n 's/.*Collected : \([0-9]*\)$/\1/p' "$tmp/err" | grep . ||
        { echo "attached.sh: callgrind counts nothing in $workload; it needs a build made with CALLGRIND=1" >&2; tail -n 3 "$tmp/err" >&2; exit 1; }
}

cost() { echo $(($(count "$insts" "$@") - $(count "$few" "$@"))); }

printf '%-10s %14s %14s %14s\n' workload 'alone, per inst' hardware 'with truth'
for workload; do
    line=$(echo "$mixes" | grep -m 1 " $workload\$") || { echo "attached.sh: $workload is not a workload of mixes.sh" >&2; exit 2; }
    skip=$(echo "$line" | cut -d ' ' -f 2)
    program=$build/programs/${PROGRAM:-value}.pc
    echo "$workload $insts $few $(cost --no-program) $(cost --program "$program" --no-truth) $(cost --program "$program")"
done | awk '
    { printf "%-10s %14.0f %14.3f %14.3f\n", $1, $4 / ($2 - $3), $5 / $4, $6 / $4; fflush(); hard += log($5 / $4); all += log($6 / $4); n++ }
    END { printf "%-10s %14s %14.3f %14.3f\n", "geo. mean", "", exp(hard / n), exp(all / n) }'
