#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The main use case: a profile, what it means, and the gain of the change that it suggests. All numbers are measured.
# usage: demo.sh BUILD
set -eu
build=$(cd "$1" && pwd) root=$(pwd)
scratch=$(mktemp -d /tmp/demo.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
source=$root/tests/eval/workloads/compress.c
cp "$root/programs/value.pasm" "$build"/cases/compress.* "$scratch"
cd "$scratch"
mv compress.before compress
PATH="$build/bin:$PATH"

echo '$ pcasm value.pasm && pcemu --top 2 ./compress 16'
pcasm value.pasm
# The guest's output is a file: on a terminal it would make other system calls.
pcemu --top 2 -o report ./compress 16 > output
cat output
sed -n '/^core /p; /^samples processed/p; /^  cycles in handlers/p; /^Loads by/,/^$/p' report
# The first row of the table: samples, executions, value, estimate, interval, truth, flags, place.
row=$(sed -n '/^samples  executions/{n;p;}' report)
line=${row##*compress.c:}
# shellcheck disable=SC2086 # columns
set -- $row
code=$(sed -n "$line{s/^ *//p;}" "$source")
case $3:$code in
0x0:*'weight[n]'*) ;;
*) echo "demo.sh: expected a load of weight[n] that returns 0 in the first row, found '$row'" >&2; exit 1 ;;
esac
cat << END
The first load is in this line, the search for the rarest node of a Huffman tree:
    $code
It returned $3 in $6 % of $2 executions; the profile of $1 samples estimated $4 %. A weight of 0 marks
a node that is in the tree already. A list of the other nodes saves these loads, and gains (AFTER in compress.c):

END
# cycles PROGRAM: simulates it without a profile, prints its cycles; its output is in PROGRAM.out
cycles() {
    pcemu --no-program --stats stats "./$1" 16 > "$1.out"
    awk '$1 == "cycles" { print $2 }' stats
}
before=$(cycles compress)
after=$(cycles compress.after)
cmp compress.out compress.after.out
echo '$ for p in compress compress.after; do pcemu --no-program --stats - ./$p 16 | grep "^cycles"; done'
awk -v before="$before" -v after="$after" 'BEGIN {
    printf "%d cycles before, %d after: %.1f %% fewer, with the same output\n", before, after,
        100 * (before - after) / before
}'
echo 'What now: docs/tutorial.md explains this report, README.md has a first command for each kind of user.'
