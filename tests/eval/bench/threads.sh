#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Cost of threads on the functional core: one amount of work (threads.c) done by one thread and by several in turns, in
# interleaved runs. The ratio is that of user time by retired instruction, since threads execute a few more.
#   threads.sh [BUILD [ROUNDS]]      default: build, 5
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
rounds=${2:-5}
rvcc=${RVCC:-riscv64-linux-gnu-gcc}
command -v "$rvcc" > /dev/null || { echo "threads.sh: skipped: no $rvcc"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
counts='1 2 4 8'
. "$here/turns.sh"

"$rvcc" -O2 -static -pthread -o "$tmp/threads" "$here/threads.c"
for n in $counts; do
    echo "$build/bin/pcemu --core functional --no-program --stats $tmp/$n.stats $tmp/threads $n > $tmp/$n.output"
done > "$tmp/commands"
turns "$rounds" < "$tmp/commands" > "$tmp/seconds"

echo "Threads on the functional core: user time by instruction, relative to one thread (least of $rounds)"
printf '%7s %9s %8s %8s %6s\n' threads 'M instr' seconds ns/instr ratio
for n in $counts; do
    cmp "$tmp/1.output" "$tmp/$n.output"
    awk -v n="$n" '$1 == "guest" && $2 == "instructions" { print n, $3 / 1e6 }' "$tmp/$n.stats"
done | paste -d ' ' - "$tmp/seconds" | awk '{
    ns = $3 / $2 * 1000
    if (NR == 1)
        alone = ns
    printf "%7d %9.1f %8.2f %8.2f %6.3f\n", $1, $2, $3, ns, ns / alone
}'
