#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints docs/results/screens.md: each shipped program's report and each profiler's, as a terminal of 80 and of 120
# columns shows it. No line of any report may be longer, with details and legend too. usage: screens.sh BUILD
set -eu
build=$(cd "$1" && pwd) programs=$(pwd)/programs
tmp=$(mktemp -d /tmp/screens.XXXXXXXX) # not in TMPDIR: the guest's path must not have another length
trap 'rm -rf "$tmp"' EXIT
export PATH="$build/bin:$PATH" LC_ALL=C
cp "$build/tests/screens/demo" "$tmp/demo"
cd "$tmp"

# fits WIDTH FILE WHAT
fits() {
    awk -v width="$1" -v what="$3" '
        length($0) > width { print what ": " length($0) " columns: " $0; bad = 1 }
        END { exit bad }' "$2" >&2
}

# widths WHAT: that of report.json with all that the text form can have
widths() {
    for width in 120 80 40; do
        pcprof show --verbose --legend --top 0 --width $width report.json > full
        fits $width full "$1, --width $width"
    done
}

# screen HEADING PCEMU-ARGUMENT...
screen() {
    heading=$1
    shift
    for core in inorder ooo; do # the report of the latter is shown
        pcemu --core $core "$@" --format json -o report.json ./demo > out 2>&1 || { cat out >&2; exit 1; }
        widths "pcemu --core $core $*"
    done
    printf '\n## %s\n\n```text\npcemu --top 5%s ./demo\n```\n\nAt 80 columns:\n' "$heading" \
        "$(printf ' %s' "$@" | sed 's/ --profile /&\\\n    /')"
    for width in 80 120; do
        [ $width = 80 ] || printf '\nAt %s columns:\n' $width
        printf '\n```text\n'
        pcprof show --top 5 --width $width report.json
        printf '```\n'
    done
}

cat << 'P'
# Screens

Report of each shipped program and of each profiler on a terminal of 80 and of 120 columns. The guest is
[demo.S](../../tests/checks/screens/demo.S). `make docs-screens` writes this page, and `make check-screens` compares it
with the tools' output; both fail if a line of a report is too long. [Reports](../reports.md) explains the formats,
[columns](../columns.md) the columns.
P
for source in "$programs"/*.pasm; do
    name=$(basename "$source" .pasm)
    pcasm -o "$name.pc" "$source" > out 2>&1 || { cat out >&2; exit 1; }
    case $name in
    paired) screen "Program $name" --program "$name.pc" --param period=211 --param window=64 ;;
    pics | tip) screen "Program $name" --program "$name.pc" --param period=211 ;;
    *) screen "Program $name" --program "$name.pc" ;;
    esac
done
screen "Profiles of time" --no-program --profile oracle,tip:period=101,tip-ilp:period=101,nci:period=101,lci:period=101
screen "Profilers that tag instructions" --no-program --profile \
    oracle,nci+ilp:period=101,dispatch:period=101,software:period=101,retire-delay:period=101
screen "Seeds" --no-program --profile oracle,tip:period=101:random:seed=1,tip:period=101:random:seed=2
screen "Event counters" --no-program --profile \
    counts,counter:event=dcache-miss:period=31:skid,counter:event=mispredicted:period=11
screen "ProfileMe" --no-program --profile counts,profileme:period=101
screen "ProfileMe with pairs" --no-program --profile counts:slots,profileme:period=101:pair
screen "Windows of IPC" --no-program --profile ipc
screen "Cycle stacks by event" --no-program --profile tea-oracle,tea:period=101
screen "Paths" --no-program --profile paths:period=101:length=4
