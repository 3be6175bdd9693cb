#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The case study: ceil and floor that save and restore the floating-point flags (section 6, Figures 12 and 13 of the TIP paper)
. "${0%/*}/lib.sh"
. "$here/t.sh"
t_want pixels pixels.plain
with_runs
t_errors_of() { jq -r --arg f "$2" --arg p "$1" '(.time.profilers[] | select(.profiler |
    startswith($p)).profiler) as $name
    | [.time.functions[] | select(.function | startswith($f)).time[$name]] | add' "$runs/pixels.time.json" |
        head -n 1; }
echo "$(t_errors_of oracle ceil) $(t_errors_of oracle floor)" > "$out/t-10.dat"
# top PROFILER N: the disassembly of the N instructions with most time in the two functions
top() {
    jq -r --arg p "$(if [ "$1" = oracle ]; then echo oracle; else t_label pixels "$1"; fi)" --argjson n "$2" '
        [.time.instructions[] | select(.function // "" | test("ceil|floor"))]
        | sort_by(-.time[$p]) | .[:$n][] | .assembly' "$runs/pixels.time.json"
}
# share PROFILER PATTERN: of the time in the two functions, in percent
share() {
    jq -r --arg p "$(if [ "$1" = oracle ]; then echo oracle; else t_label pixels "$1"; fi)" --arg pattern "$2" '
        [.time.instructions[] | select(.function // "" | test("ceil|floor"))] as $all
        | 100 * ([$all[] | select(.assembly // "" | test($pattern)).time[$p]] | add // 0) / ([$all[].time[$p]] | add)
        | . * 10 | round / 10' "$runs/pixels.time.json"
}
flags='flags|fscsr|frcsr|fcsr'
functions=$(jq -r '.time.profilers[0].time as $all | [.time.functions[] |
    {f: .function, s: (1000 * .time.oracle / $all | round / 10)}] | .[:5]
    | map("\(.f) \(.s) %") | join(", ")' "$runs/pixels.time.json")
flat=$(jq -r '.time.profilers[0].time as $all | [.time.functions[] | select(.function |
    test("ceil|floor")).time.oracle / $all] | map(100 * . | round) | @tsv' "$runs/pixels.time.json")
claim 'by function nothing stands out: ceil and floor take a part each' '22 % each' "$functions" \
    "$(echo "$flat" | awk '{ ok = NF >= 2; for (i = 1; i <= NF; i++) if ($i < 10 || $i > 45) ok = 0; print ok }')"
claim 'within ceil and floor, the CSR instructions that save and restore flags take about half of the time (Oracle)' \
    '50 %' "$(share oracle "$flags") %" \
    "$(share oracle "$flags") > 30"
claim 'TIP finds them' 'as Oracle' "$(share tip "$flags") %" "$(share tip "$flags") > 0.9 * $(share oracle \
    "$flags") && $(share tip "$flags") < 1.1 * $(share oracle "$flags")"
claim 'NCI misses them' 'it names feq.d and ret' "$(share nci "$flags") %; its first three: $(top nci 3 | awk '{
    printf "%s%s", sep, $1; sep = ", " }')" \
    "$(share nci "$flags") < 0.7 * $(share oracle "$flags")"
before=$(cat "$runs/pixels.time.cycles") after=$(cat "$runs/pixels.plain.time.cycles")
speedup=$(awk -v a="$before" -v b="$after" 'BEGIN { printf "%.2f", a / b }')
removed=$(jq -r --arg pattern "$flags" '.time.profilers[0].time as $all
    | [.time.instructions[] | select(.assembly // "" | test($pattern)).time.oracle]
    | add / $all' "$runs/pixels.time.json")
amdahl=$(awk -v r="$removed" 'BEGIN { printf "%.2f", 1 / (1 - r) }')
claim 'without them the program is faster than their share of the time says (Amdahl)' '1.28 expected, 1.93 measured' \
    "$amdahl expected, $speedup measured" "$speedup > $amdahl"
ipc() { query_stats "$1.time" '.core.ipc | . * 100 | round / 100'; }
claim 'IPC' '1.2 to 2.3' "$(ipc pixels) to $(ipc pixels.plain)" "$(ipc pixels.plain) > 1.5 * $(ipc pixels)"
