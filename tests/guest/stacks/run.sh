#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the call stacks of pcemu --stacks with those that instrumented guests count themselves: how often each
# function was entered in each calling context. In the profile that is the exact number of retired instructions at its
# first instruction. Functions that are not instrumented, as those of the libraries, are left out of the stacks.
#   run.sh [BUILD [GUEST...]]
set -eu

build=${1:-build}
[ $# -eq 0 ] || shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
bad=0

complain() {
    echo "run.sh: $*" >&2
    bad=1
}

# in_profile STORE FUNCTIONS: the contexts of the store, as the guests print them; FUNCTIONS is a list of starts
in_profile() {
    sqlite3 -separator ' ' "$1" "
        CREATE TEMP TABLE known (start INTEGER PRIMARY KEY);
        INSERT INTO known VALUES $2;
        CREATE TEMP TABLE path AS WITH RECURSIVE walk (id, text) AS (
            SELECT 0, ''
            UNION ALL
            SELECT frame.id, text || CASE WHEN known.start IS NULL THEN '' ELSE printf('%x;', known.start) END
            FROM walk JOIN frame ON frame.parent = walk.id
            LEFT JOIN known ON known.start =
                (SELECT max(start) FROM symbol WHERE symbol.image = frame.image AND start <= frame.address)
        ) SELECT id, text FROM walk;
        SELECT path.text || printf('%x', known.start), CAST(sum(stack.value) AS INTEGER)
        FROM event JOIN series ON series.event = event.id JOIN stack ON stack.series = series.id
        JOIN path ON path.id = stack.frame JOIN known ON known.start = stack.address
        WHERE event.name = 'retired' AND event.source = 'exact' GROUP BY 1" | LC_ALL=C sort
}

# fold < CONTEXTS: those of --stack-recursion 1: a call of a function that is in the context leads back to its last one
# if the context before that has all functions that were called since
fold() {
    awk '{
        calls = split($1, call, ";")
        depth = 0
        for (c = 1; c <= calls; c++) {
            for (last = depth; last > 0 && at[last] != call[c]; last--)
                ;
            folded = last > 0
            for (d = last + 1; d <= depth; d++) {
                for (before = last; before > 0 && at[before] != at[d]; before--)
                    ;
                folded = folded && before > 0
            }
            depth = folded ? last : depth + 1
            at[depth] = call[c]
        }
        path = at[1]
        for (d = 2; d <= depth; d++)
            path = path ";" at[d]
        sum[path] += $2
    }
    END { for (path in sum) print path, sum[path] }'
}

# compare RECURSION GUEST OPTION...; RECURSION: of --stack-recursion, 0 or 1
compare() {
    recursion=$1 guest=$2
    shift 2
    rm -f "$tmp/store"
    "$build/bin/pcemu" --no-program --profile counts,oracle --stacks --stack-recursion "$recursion" \
        --collect "$tmp/store" -o "$tmp/report" "$@" "$build/stacks/$guest" > "$tmp/out" ||
        complain "$guest $*: exit status $?"
    if [ "$recursion" = 0 ]; then cat "$tmp/out"; else fold < "$tmp/out"; fi | LC_ALL=C sort > "$tmp/truth"
    functions=$(cut -d ' ' -f 1 "$tmp/truth" | tr ';' '\n' | LC_ALL=C sort -u | sed 's/.*/(0x&)/' | paste -sd , -)
    in_profile "$tmp/store" "$functions" > "$tmp/profile"
    [ -s "$tmp/truth" ] || complain "$guest: counted nothing"
    diff "$tmp/truth" "$tmp/profile" > "$tmp/difference" ||
        complain "$guest $*: $(wc -l < "$tmp/truth") contexts, of the difference: $(head -n 6 "$tmp/difference")"
    sums "$guest $*"
}

# roots GUEST: behind a part that was skipped, the calls of the stacks still begin where the program does
roots() {
    rm -f "$tmp/store"
    "$build/bin/pcemu" --no-program --profile oracle --skip-insts 20000 --stacks --collect "$tmp/store" \
        -o "$tmp/report" "$build/stacks/$1" > "$tmp/out" || complain "$1: exit status $?"
    found=$(sqlite3 "$tmp/store" "SELECT DISTINCT (SELECT name FROM symbol WHERE symbol.image = frame.image AND
        start <= frame.address ORDER BY start DESC LIMIT 1) FROM frame WHERE parent = 0")
    [ "$found" = _start ] || complain "$1: stacks begin in $(echo "$found" | tr '\n' ' ')"
    sums "$1 --skip-insts"
}

# methods GUEST OPTION...: what other methods know of the stacks is what unwind.awk finds in the trace
methods() {
    guest=$1
    shift
    "$build/bin/pcemu" --no-program --profile unwind --format json -o "$tmp/report.json" --trace retire \
        --trace-file "$tmp/trace" "$@" "$build/stacks/$guest" > "$tmp/out" || complain "$guest $*: exit status $?"
    jq -r '.unwind.methods[] | [.records // 0, (.complete, .caller, .calls) * 100] | @tsv' "$tmp/report.json" |
        awk '{ printf "%d %.4f %.4f %.4f\n", $1, $2, $3, $4 }' | LC_ALL=C sort > "$tmp/found"
    awk -v cycles="$(jq .unwind.cycles "$tmp/report.json")" -f tests/guest/stacks/unwind.awk "$tmp/trace" \
        "$tmp/trace" | LC_ALL=C sort > "$tmp/expected"
    [ "$(wc -l < "$tmp/expected")" = 6 ] || complain "$guest: the trace has no stacks"
    diff "$tmp/expected" "$tmp/found" > "$tmp/difference" ||
        complain "$guest $*: --profile unwind: $(head -n 6 "$tmp/difference")"
}

# sums WHAT: the time of the stacks is that of the run
sums() {
    found=$(sqlite3 "$tmp/store" "SELECT CAST(round(sum(stack.value)) AS INTEGER) = max(CAST(round(series.total) AS
        INTEGER)) FROM event JOIN series ON series.event = event.id JOIN stack ON stack.series = series.id
        WHERE event.name = 'cycles' AND event.by = 'oracle'")
    [ "$found" = 1 ] || complain "$1: the stacks' cycles are not those of the run"
}

[ $# -ne 0 ] || set -- recursion frames jumps signals threads coroutines exceptions
for guest in "$@"; do
    compare 0 "$guest"
    compare 1 "$guest"
    compare 0 "$guest" --core inorder --config ev5
    [ "$guest" != recursion ] || roots "$guest"
    case $guest in recursion | frames) methods "$guest" && methods "$guest" --core inorder --config ev5 ;; esac
    [ "$guest" != threads ] || compare 0 "$guest" --harts 2
done
exit $bad
