#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Two experiments on short regions of our own workloads, twice: they leave data, both pictures and a verdict for each claim; the second time no run is made again; and
# the claim that does not depend on the length holds.
#   check.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
export REAL=no SCALE=0.05 OUT="$build/experiments-short"
rm -rf "$OUT"
fail() { echo "check.sh: $1" >&2; exit 1; }

"$here/run.sh" "$build" cp-3 cp-12 > "$OUT.md" 2> "$OUT.log" || { cat "$OUT.log" >&2; fail 'run.sh failed'; }
[ "$(grep -c '  run ' "$OUT.log")" -ge 3 ] || fail 'expected three runs or more'
for id in cp-3 cp-12; do
    head -c 200 "$OUT/$id.svg" | grep -q '<svg' || fail "$id.svg is no picture"
    head -c 8 "$OUT/$id.png" | grep -q PNG || fail "$id.png is no picture"
    claims=$(grep -c '^claim' "$here/$id.sh")
    [ "$(wc -l < "$OUT/$id.verdicts")" = "$claims" ] || fail "$id: expected $claims verdicts"
    grep -q "^## $(echo $id | tr '[:lower:]' '[:upper:]'): " "$OUT.md" || fail "$id is not on the page"
done
grep 'thrashing leads to splitting' "$OUT/cp-12.verdicts" | grep -q 'holds$' || fail 'cp-12: the program was not split'
"$here/run.sh" "$build" cp-12 2> "$OUT.log" > /dev/null
! grep -q '  run ' "$OUT.log" || fail 'a run was made again'
"$here/run.sh" "$build" cp-99 2> "$OUT.log" > /dev/null && fail 'cp-99 is no experiment'
grep -q "no experiment 'cp-99'" "$OUT.log" || fail 'expected a message on cp-99'
echo 'experiments: ok'
