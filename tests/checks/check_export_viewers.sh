#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens exported profiles with viewers that tests/checks/export/fetch_readers.sh has fetched, and compares what they
# show with the run's report. A viewer that is missing is named, and its comparison left out.
# usage: check_export_viewers.sh BUILD
set -eu
# shellcheck source=export/lib.sh
. "$(dirname "$0")/export/lib.sh"
cd "$tmp"

# near WHAT A B: they differ by 3 at most, because numbers are rounded
near() { [ $((($2 - ${3:-0}) / 4)) = 0 ] || fails "$1: expected $2, found $3"; }
# has NAME FILE: whether a fetched file, and node, are there
has() {
    [ -f "$build/readers/$2" ] && command -v node > /dev/null && return
    echo "check_export_viewers.sh: $1 or node is missing: ./bootstrap check-export fetches it"
    return 1
}

cp "$build/workloads/sort" .
pcasm -o value.pc "$root/programs/value.pasm"
pcemu --program value.pc --profile oracle,tip,counts,paths --stacks --collect runs.db --top 0 --format json \
    -o report.json ./sort 12 > out
cycles=$(jq .cycles report.json)
pcprof export runs.db --to folded -o stacks.folded
# the time of a function with its callees: of the folded stacks that contain it
inclusive() { sed 's/^/;/; s/ \([0-9]*\)$/; \1/' stacks.folded | grep -F ";$1;" | awk '{ sum += $NF } END { print sum }'; }

if has 'the command line of the Firefox Profiler' profiler-cli/dist/profiler-cli.js; then
    export PROFILER_CLI_SESSION_DIR="$tmp/pq"
    cli=$build/readers/profiler-cli/dist/profiler-cli.js
    profiler() { node "$cli" "$@"; }
    pcprof export runs.db --to firefox -o firefox.json
    # What its command `load` starts, which gives up soon. A command that finds no server takes a while.
    node "$cli" --daemon firefox.json --session test > daemon.txt 2>&1 &
    daemon=$! tries=0
    trap 'kill $daemon 2> /dev/null || :; wait $daemon || :; rm -rf "$tmp"' EXIT
    until profiler session use test > loaded.txt 2>&1 && profiler thread list > loaded.txt 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 200 ] || { fails "the Firefox Profiler did not load the file: $(cat loaded.txt daemon.txt)"; break; }
    done
    profiler thread samples --include-idle --json > samples.json
    same 'Firefox Profiler, first thread' 'cycles (oracle)' "$(jq -r .friendlyThreadName samples.json)"
    same 'Firefox Profiler, total' "$cycles" "$(jq .categoryBreakdown.totalSamples samples.json)"
    same 'Firefox Profiler, categories' \
        "$(jq -c '[.time.stack[] | select(.cycles > 0) | [.category, .cycles]] | sort' report.json)" \
        "$(jq -c '[.categoryBreakdown.categories[] | [.name, .samples]] | sort' samples.json)"
    for function in main quicksort '[handler]'; do
        near "Firefox Profiler, $function with callees" "$(inclusive "$function")" "$(jq --arg name "$function" \
            '.topFunctionsByTotal[] | select(.name | split("!")[-1] == $name) | .totalSamples' samples.json)"
    done
    thread=$(profiler thread list --json | jq -r '.threads[] | select(.name == "retired") | .threadHandle')
    same 'Firefox Profiler, retired' "$(jq .instructions report.json)" \
        "$(profiler thread samples --include-idle --json --thread "$thread" | jq .categoryBreakdown.totalSamples)"
fi
if has speedscope speedscope/dist/release/index.html && command -v chromium > /dev/null; then
    pcprof export runs.db --to speedscope -o speedscope.json
    printf 'speedscope.loadFileFromBase64("speedscope.json", "%s")\n' "$(base64 -w 0 speedscope.json)" > speedscope.js
    sandbox=
    [ "$(id -u)" != 0 ] || sandbox=--no-sandbox
    # shellcheck disable=SC2086 # one option or none
    timeout 120 chromium --headless $sandbox --disable-gpu --enable-unsafe-swiftshader --allow-file-access-from-files \
        --user-data-dir="$tmp/browser" --virtual-time-budget=60000 --dump-dom \
        "file://$build/readers/speedscope/dist/release/index.html#localProfilePath=$tmp/speedscope.js&view=sandwich" \
        2> browser.log | sed 's/<[^>]*>/\n/g' | tr -d , | grep . > page.txt
    # after HEADING LINES: the line behind a text of the page, from the beginning or the table of functions on
    total() { grep -x -A 1 "$1" page.txt | sed -n 2p; }
    same 'speedscope, cycles' "$cycles" "$(total 'cycles (oracle)')"
    same 'speedscope, retired' "$(jq .instructions report.json)" "$(total retired)"
    # a row of the table: total, self, function
    for function in main quicksort; do
        near "speedscope, $function with callees" "$(inclusive "$function")" \
            "$(grep -x -B 2 "$function" page.txt | sed -n 's/ (.*//; 1p')"
    done
fi
exit $bad
