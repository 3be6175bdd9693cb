#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Size and speed of recordings: bytes per committed instruction, and processor time in seconds of the core alone, with
# profilers, while recording, and of the replay; minimum of ROUNDS (3) runs.
# usage: record.sh BUILD [WORKLOAD...]
set -eu
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- compress interp hashjoin
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
profile=oracle,tip,nci,dispatch

# seconds COMMAND...: prints the minimum time of several runs
seconds() {
    for _ in $(seq "${ROUNDS:-3}"); do
        /usr/bin/time -o "$tmp/time" -f '%U' "$@" > /dev/null 2>&1 || true
        tail -n 1 "$tmp/time"
    done | sort -n | head -n 1
}

echo '| workload | instructions | bytes per instruction | core alone | core with profilers | recording | replay |'
echo '|---|---|---|---|---|---|---|'
for workload; do
    run="$build/bin/pcemu --no-program --max-insts ${INSTS:-20M}"
    elf=$build/workloads/$workload
    # shellcheck disable=SC2086 # a command, meant to be split
    alone=$(seconds $run "$elf")
    # shellcheck disable=SC2086 # a command, meant to be split
    live=$(seconds $run --profile $profile -o "$tmp/live" "$elf")
    # shellcheck disable=SC2086 # a command, meant to be split
    recording=$(seconds $run --record "$tmp/rec" "$elf")
    replay=$(seconds "$build/bin/pcemu" --core "replay:$tmp/rec" --profile $profile -o "$tmp/again")
    cmp "$tmp/live" "$tmp/again"
    "$build/bin/pcemu" --core "replay:$tmp/rec" --format json --stats "$tmp/stats"
    count=$(jq .core.retired "$tmp/stats")
    bytes=$(wc -c < "$tmp/rec")
    printf '| `%s` | %s | %s | %s | %s | %s | %s |\n' "$workload" "$count" \
        "$(awk "BEGIN { printf \"%.2f\", $bytes / $count }")" \
        "$alone" "$live" "$recording" "$replay"
done
