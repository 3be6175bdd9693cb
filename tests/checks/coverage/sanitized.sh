#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Chooses the golden command lines that run with sanitizers, and prints tests/golden/cli/sanitized.list.
#   sanitized.sh BUILD [NAME...]
# BUILD was made with COVERAGE=1, and its counters are those of the other tests that run with sanitizers. Each script
# runs alone, with counters of its own. With NAMEs these scripts alone are run, and the results of the others are those
# of the last time.
#
# BUILD/sanitized/NAME.lines has the lines of the tools that a script executes, NAME.seconds its processor seconds,
# others.lines the lines that the other tests execute, and left.lines those that only scripts without sanitizers
# execute.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "${0%/*}" && pwd)
out=$build/sanitized
shift
# These run with sanitizers whatever they execute: bad and damaged input, limits, signals and threads. The others run
# with sanitizers if they add this many lines for each processor second after the first.
always='badinput blocking config debug_sections elf endless gdb hostile image mappings microcode outputs plugin_errors
    printable samples samples_interrupted serve sharing signals signals_end signals_storm unmodelled usage wrong_files'
least=10
export LC_ALL=C GCOV_ERROR_FILE=/dev/null

# executed FOLDER: prints FILE:LINE of each line of the tools that the counters below FOLDER have
executed() {
    (cd "$1" && find obj -name '*.gcda' -size +0 -exec gcov --json-format --stdout '{}' + 2> /dev/null) |
        jq -r '.files[] | .file as $file |
            select($file | test("^(base|contract|isa|asm|emu|core-model|host|tools)/")) |
            .lines[] | select(.count != 0) | "\($file):\(.line_number)"' | sort -u
}

# measure NAME: runs one script
measure() {
    run=$(mktemp -d "$out/run.XXXXXX")
    # Files that exist are also opened by processes that may not create any.
    (cd "$build" && find obj -name '*.gcno' ! -path 'obj/tests/*' -exec cp -l --parents -t "$run" '{}' +)
    find "$run" -name '*.gcno' | sed 's/gcno$/gcda/' > "$run/counters"
    xargs touch < "$run/counters"
    chmod a+rx "$run"
    xargs chmod a+rw < "$run/counters"
    # The output may differ: where counters cannot be written, a process says so.
    (
        GCOV_PREFIX=$run GCOV_PREFIX_STRIP=$(printf '%s' "$build" | tr -cd / | wc -c) \
            tests/golden/run_cli.sh "$build" cli "$1" > "$out/$1.log" 2>&1 || true
        times
    ) | awk -F '[ ms]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' > "$out/$1.seconds"
    executed "$run" > "$out/$1.lines"
    rm -r "$run"
}

# files NAME...: prints the names of their lists of lines
files() { printf "$out/%s.lines\n" "$@"; }

# choose: prints the rows of the list
# shellcheck disable=SC2046,SC2086 # names, meant to be split
choose() {
    awk -v least=$least -f "$here/sanitized.awk" part=covered "$out/others.lines" $(files $always) \
        part=offered $(files $offered)
    printf '%s always\n' $always
}

head_of_list() {
    cat << 'END'
# SPDX-License-Identifier: GPL-3.0-or-later
# Which scripts of this folder run with sanitizers. `make sanitized-list` writes this file, by the lines of the tools
# that each script and the other tests with sanitizers execute (tests/checks/coverage/sanitized.sh).
#   always   runs with sanitizers because of its subject: bad or damaged input, limits, signals, threads
#   run      runs with sanitizers: it executes lines that no other of these tests executes
#   skip     runs without sanitizers only: it executes no such lines, or too few for its time
# A script that is not listed runs with sanitizers.
END
}

# covered NAME...: prints the lines that the other tests and these scripts execute
covered() {
    # shellcheck disable=SC2046 # names, meant to be split
    sort -u "$out/others.lines" $(files "$@")
}
seconds() { for name; do cat "$out/$name.seconds"; done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }

mkdir -p "$out"
all=$(cd tests/golden/cli && printf '%s\n' *.cmd | sed 's/\.cmd$//')
# shellcheck disable=SC2086 # names, meant to be split
offered=$(printf '%s\n' $all | grep -vxF "$(printf '%s\n' $always)")
[ $# -gt 0 ] || executed "$build" > "$out/others.lines"
# shellcheck disable=SC2086 # names, meant to be split
[ $# -gt 0 ] || set -- $all
for name; do
    measure "$name"
done
choose > "$out/chosen"
sort "$out/chosen" > "$out/list"
head_of_list
cat "$out/list"
run=$(sed -n '/ skip$/!s/ .*//p' "$out/list")
# shellcheck disable=SC2086 # names, meant to be split
{
    covered $all > "$out/all"
    covered $run > "$out/run"
    comm -23 "$out/all" "$out/run" > "$out/left.lines"
    echo "all scripts: $(wc -l < "$out/all") lines, $(seconds $all) s"
    echo "with sanitizers: $(wc -l < "$out/run") lines, $(seconds $run) s; others: $out/left.lines"
} >&2
