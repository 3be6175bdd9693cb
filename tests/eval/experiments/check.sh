#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs all experiments on the beginnings of the project's workloads. Each must produce a verdict for each claim, its
# section of the page, and both pictures if it has any; claims that do not depend on the length must hold. A second
# execution must repeat only runs whose command has changed.
#   check.sh BUILD
set -eu
here=$(cd "${0%/*}" && pwd)
build=$(cd "$1" && pwd)
export REAL=no SCALE=0.01 LEAST=100000 SEEDS=2 OUT="$build/experiments-short" SHELF_PROGRAMS='edge value' \
    SHELF_WORKLOADS='interp sort' OWN_WORKLOADS='compiler spmv'
rm -rf "$OUT"
fail() { echo "check.sh: $1" >&2; exit 1; }

# in_short FAMILY: runs all experiments of the family. It shares the runs of earlier families with the same name.
in_short() {
    log=$OUT/$1.log page=$OUT/$1.page.md
    "$here/run.sh" "$build" "$1" > "$page" 2> "$log" || { cat "$log" >&2; fail 'run.sh failed'; }
    made=$(grep -c '  run ' "$log")
    grep -q "^$made runs to be made, of " "$log" || fail "$1: made $made runs"
    grep -q ": $made of $made, about 0 min left" "$log" || fail "$1: the last run does not say that it was"
    ! grep -E 'awk|jq: error|gnuplot' "$log" || fail "$1: a figure could not be had"
    for script in "$here/$1"-*.sh; do
        id=$(basename "$script" .sh)
        if grep -qE '^(\} \| )?plot' "$script"; then
            head -c 200 "$OUT/$id.svg" | grep -q '<svg' || fail "$id.svg is no picture"
            head -c 8 "$OUT/$id.png" | grep -q PNG || fail "$id.png is no picture"
        fi
        [ -s "$OUT/$id.verdicts" ] || fail "$id: no verdict"
        ! awk -F '\t' 'NF != 8 || $4 == "" || $5 !~ /(holds?|open)$/ || $7 !~ /^-$|(holds?|open)$/' "$OUT/$id.verdicts" | grep . ||
            fail "$id: a claim is not complete"
        grep -q "^## $(echo "$id" | tr '[:lower:]' '[:upper:]'): " "$page" || fail "$id is not on the page"
    done
    bad=$(cat "$OUT/$1"-*.verdicts | awk -F '\t' '$5 != "holds"' | wc -l)
    listed=$(grep -c '^- \*' "$OUT/$1.page.md") in_head=$(grep -c '^- \*' "$here/$1.md" || true)
    [ "$listed" = $((bad + in_head)) ] || fail "$1: expected a cause for each of $bad claims"
}
mkdir -p "$OUT"
# No load is masked earlier, and one figure of the co-processor's paper shows when loads are.
CUT=400000 in_short cp
export CUT=200000
for family in t pm d shelf estimates; do in_short "$family"; done
grep -q '	holds	' "$OUT/t-11.verdicts" || fail 't-11: a worked example fails'
echo changed > "$OUT/runs/compiler.none.command"
"$here/run.sh" "$build" cp-12 2> "$OUT/again.log" > /dev/null
grep -q '^1 runs to be made, of 3' "$OUT/again.log" || fail 'expected one run to be made again'
"$here/run.sh" "$build" cp-99 2> "$OUT/again.log" > /dev/null && fail 'cp-99 is no experiment'
grep -q "no experiment 'cp-99'" "$OUT/again.log" || fail 'expected a message on cp-99'
# The quick version, over recorded samples: a program's run takes longer by the time of the handlers.
OUT=$OUT/samples OVER=samples SCALE=0.05 CUT=3000000 "$here/run.sh" "$build" cp-1 > "$OUT/samples.md" \
    2> "$OUT/samples.log" || { cat "$OUT/samples.log" >&2; fail 'run.sh failed over recorded samples'; }
(cd "$OUT/samples/runs" && jq -e --argjson without "$(cat compiler.none.cycles)" \
    '.handler_cycles > 0 and .cycles - .handler_cycles == $without' compiler.simple512.brief > /dev/null) ||
    fail 'expected the time of the handlers as the slowdown over recorded samples'
OUT=$OUT/longer CUT=3000000 "$here/run.sh" "$build" cp-12 > "$OUT/longer.md" 2> "$OUT/longer.log" ||
    { cat "$OUT/longer.log" >&2; fail 'run.sh failed'; }
awk -F '\t' '$2 ~ /^thrashing leads to splitting/ { print $5 }' "$OUT/longer/cp-12.verdicts" | grep -qx holds ||
    fail 'cp-12: the program was not split'
echo 'experiments: ok'
