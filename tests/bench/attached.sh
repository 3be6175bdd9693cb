#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the co-processor costs a detailed core that it is attached to, relative to the run without it: instructions of
# the host, counted by
# callgrind, or with ROUNDS=N the least processor time of N rounds in which all runs take turns. Once without the exact
# counts, which are no
# hardware (--no-truth): sampler, probe port, filters, buffer, co-processor and driver; once with them. The same of a
# short run is subtracted from
# each: loading, skipping, and most of the report.
# attached.sh [BUILD [WORKLOAD...]]     default: build/callgrind (make CALLGRIND=1), sort coremix dense interp;
# workloads of mixes.sh
# INSTS: instructions measured (300000), PROGRAM: the profiling program (value), OPTIONS: pcemu's further ones, --config
# NAME for example
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
[ -n "${ROUNDS:-}" ] || command -v valgrind > /dev/null || { echo "attached.sh: skipped: no valgrind"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$workloads"

# line INSTS OPTION...: the command that measures so many of $workload's
line() {
    measured=$1
    shift
    echo "'$build/bin/pcemu' --skip-insts $skip --max-insts $measured -o /dev/null ${OPTIONS:-} $* './$workload'"
}

# The runs: each long and short, for the differences.
lines() {
    for options in --no-program "--program '$program' --no-truth" "--program '$program'"; do
        line "$insts" "$options"
        line "$few" "$options"
    done
}

# Instructions of the host of the commands of the input, a line each.
count() {
    while read -r command; do
        sh -c "exec valgrind --tool=callgrind --callgrind-out-file=/dev/null $command" < /dev/null > "$tmp/out" \
            2> "$tmp/err" || true
        sed -n 's/.*Collected : \([0-9]*\)$/\1/p' "$tmp/err" | grep . ||
            { echo "attached.sh: callgrind counts nothing in $workload; it needs a build made with CALLGRIND=1" >&2;
                tail -n 3 "$tmp/err" >&2; exit 1; }
    done
}

# Seconds of theirs.
measure() { sed 's|$| > /dev/null 2>\&1 \|\| true|' | "$build/tests/bench/turns" "$ROUNDS"; }

printf '%-10s %14s %14s %14s\n' workload 'alone, per inst' hardware 'with truth'
for workload; do
    mix=$(echo "$mixes" | grep -m 1 " $workload\$") ||
        { echo "attached.sh: $workload is not a workload of mixes.sh" >&2; exit 2; }
    skip=$(echo "$mix" | cut -d ' ' -f 2)
    program=$build/programs/${PROGRAM:-value}.pc
    lines > "$tmp/lines"
    if [ -n "${ROUNDS:-}" ]; then measure; else count; fi < "$tmp/lines" > "$tmp/figures"
    echo "$workload $insts $few $(tr '\n' ' ' < "$tmp/figures")"
done | awk -v unit="${ROUNDS:+1e-9}" '
    {
        alone = $4 - $5; hardware = ($6 - $7) / alone; truth = ($8 - $9) / alone
        printf "%-10s %14.0f %14.3f %14.3f\n", $1, alone / ($2 - $3) / (unit == "" ? 1 : unit), hardware, truth
        fflush(); hard += log(hardware); all += log(truth); n++
    }
    END { printf "%-10s %14s %14.3f %14.3f\n", "geo. mean", "", exp(hard / n), exp(all / n) }'
