#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# All experiments on the beginnings of our own workloads: each leaves data, both pictures, a verdict for each claim and its section of the page; the claim
# that does not depend on the length holds. The second time no run is made again, and one is made whose command has changed.
#   check.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
export REAL=no SCALE=0.01 CUT=400000 OUT="$build/experiments-short"
rm -rf "$OUT"
fail() { echo "check.sh: $1" >&2; exit 1; }

"$here/run.sh" "$build" > "$OUT.md" 2> "$OUT.log" || { cat "$OUT.log" >&2; fail 'run.sh failed'; }
mv "$OUT.md" "$OUT.log" "$OUT"
made=$(grep -c '  run ' "$OUT/experiments-short.log")
grep -q "^$made runs to be made, of $made" "$OUT/experiments-short.log" || fail "made $made runs"
grep -q ": $made of $made, about 0 min left" "$OUT/experiments-short.log" || fail 'the last run does not say that it was'
! grep -E 'awk|jq: error' "$OUT/experiments-short.log" || fail 'a figure could not be had'
for script in "$here"/cp-*.sh; do
    id=$(basename "$script" .sh)
    head -c 200 "$OUT/$id.svg" | grep -q '<svg' || fail "$id.svg is no picture"
    head -c 8 "$OUT/$id.png" | grep -q PNG || fail "$id.png is no picture"
    [ -s "$OUT/$id.verdicts" ] || fail "$id: no verdict"
    ! awk -F '\t' 'NF != 7 || $4 == "" || $5 !~ /holds?$/ || $7 !~ /^-$|holds?$/' "$OUT/$id.verdicts" | grep . || fail "$id: a claim is not complete"
    grep -q "^## $(echo "$id" | tr '[:lower:]' '[:upper:]'): " "$OUT/experiments-short.md" || fail "$id is not on the page"
done
bad=$(cat "$OUT"/*.verdicts | awk -F '\t' '$5 != "holds"' | wc -l)
[ "$(grep -c '^- \*' "$OUT/experiments-short.md")" = $((bad + 3)) ] || fail "expected a cause for each of $bad claims"
echo changed > "$OUT/runs/compiler.none.command"
"$here/run.sh" "$build" cp-12 2> "$OUT/again.log" > /dev/null
grep -q '^1 runs to be made, of 3' "$OUT/again.log" || fail 'expected one run to be made again'
"$here/run.sh" "$build" cp-99 2> "$OUT/again.log" > /dev/null && fail 'cp-99 is no experiment'
grep -q "no experiment 'cp-99'" "$OUT/again.log" || fail 'expected a message on cp-99'
OUT=$OUT/longer CUT=3000000 "$here/run.sh" "$build" cp-12 > "$OUT/longer.md" 2> "$OUT/longer.log" || { cat "$OUT/longer.log" >&2; fail 'run.sh failed'; }
awk -F '\t' '$2 ~ /^thrashing leads to splitting/ { print $5 }' "$OUT/longer/cp-12.verdicts" | grep -qx holds || fail 'cp-12: the program was not split'
echo 'experiments: ok'
