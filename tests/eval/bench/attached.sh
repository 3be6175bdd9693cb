#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Simulation cost of an attached co-processor relative to the detailed core alone: host instructions counted by
# callgrind or, with ROUNDS=N, the minimum processor time of N interleaved rounds. Measured without the exact counts
# (--no-truth: only sampler, probe port, filters, buffer, co-processor and driver), and with them. The cost of a short
# run is subtracted from each: loading, skipping, and most of the report.
#   attached.sh [BUILD [WORKLOAD...]]     default: build/callgrind (make CALLGRIND=1), all workloads of mixes.sh
# INSTS: number of instructions measured (300000); PROGRAM: profiling program (value); OPTIONS: further pcemu options,
# for example --config NAME; WORKLOADS: folder with the guests (build/workloads).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build/callgrind}" && pwd)
workloads=$(cd "${WORKLOADS:-build/workloads}" && pwd)
[ $# -eq 0 ] || shift
few=1000
INSTS=${INSTS:-300000}
. "$here/mixes.sh"
. "$here/turns.sh"
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(echo "$mixes" | awk '{ print $3 }')
. "$here/count.sh"
[ -n "${ROUNDS:-}" ] || need_callgrind

# line INSTS OPTION...: prints the command that runs INSTS instructions of $workload
line() {
    measured=$1
    shift
    echo "'$build/bin/pcemu' --skip-insts $skip --max-insts $measured -o /dev/null ${OPTIONS:-} $* './$workload'"
}

# The runs: each with a long and a short version, for the differences.
lines() {
    for options in --no-program "--program '$program' --no-truth" "--program '$program'"; do
        line "$insts" "$options"
        line "$few" "$options"
    done
}

# Prints the host instructions of each command on the input.
count_all() {
    while read -r command; do eval "collected $command"; done
}

# Prints their times in seconds.
measure() { sed 's|$| > /dev/null 2>\&1 \|\| true|' | turns "$ROUNDS"; }

printf '%-10s %14s %14s %14s\n' workload 'alone, per inst' hardware 'with truth'
for workload; do
    mix=$(echo "$mixes" | grep -m 1 " $workload\$") ||
        { echo "attached.sh: $workload is not a workload of mixes.sh" >&2; exit 2; }
    skip=$(echo "$mix" | cut -d ' ' -f 2)
    program=$build/programs/${PROGRAM:-value}.pc
    lines > "$tmp/lines"
    if [ -n "${ROUNDS:-}" ]; then measure; else count_all; fi < "$tmp/lines" > "$tmp/figures"
    echo "$workload $insts $few $(tr '\n' ' ' < "$tmp/figures")"
done | awk -v unit="${ROUNDS:+1e-9}" -v workloads=$# '
    {
        alone = $4 - $5; hardware = ($6 - $7) / alone; truth = ($8 - $9) / alone
        printf "%-10s %14.0f %14.3f %14.3f\n", $1, alone / ($2 - $3) / (unit == "" ? 1 : unit), hardware, truth
        fflush(); hard += log(hardware); all += log(truth); n++
    }
    END {
        if (n != workloads) # a count failed, with a message
            exit 1
        printf "%-10s %14s %14.3f %14.3f\n", "geo. mean", "", exp(hard / n), exp(all / n)
    }'
