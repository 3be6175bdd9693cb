#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The experiments: data, pictures (SVG and PNG) and a verdict for each claim, into BUILD/experiments; the page of all verdicts on standard output.
#   run.sh BUILD [EXPERIMENT...]         default: all; SCALE=0.05 makes the regions shorter; REAL=no: our own workloads alone
# The programs are real ones, of Debian's, where its packages are in BUILD/debian or can be fetched into it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "$1" && pwd)
shift
# shellcheck disable=SC2046 # names
[ $# -gt 0 ] || set -- $(cd "$here" && ls -- *-*.sh | sed 's/\.sh$//' | sort -t- -k1,1 -k2,2n)
for tool in gnuplot jq; do
    command -v "$tool" > /dev/null || { echo "run.sh: no $tool; ./bootstrap installs it" >&2; exit 1; }
done
export BUILD SCALE="${SCALE:-1}"
out=${OUT:-$BUILD/experiments}
mkdir -p "$out"
if [ "${REAL:=yes}" = yes ] && ! "$here/../debian/get.sh" "$BUILD/debian" 1>&2; then
    echo 'run.sh: going on with our own workloads alone' >&2
    REAL=no
fi
export REAL
title() { sed -n '3s/^# *//p' "$here/$1.sh"; }

for ID; do
    export ID
    [ -f "$here/$ID.sh" ] || { echo "run.sh: no experiment '$ID'; there are: $(cd "$here" && echo *-*.sh | sed 's/\.sh//g')" >&2; exit 2; }
    echo "$ID: $(title "$ID")" >&2
    "$here/$ID.sh"
done

. "$here/cp_table.sh"
# A line of the page's table: PROGRAM
line_of() {
    millions=$(jq '.core.retired / 1e6 | round' "$out/runs/$1.none.stats")
    program=$here/../debian/programs/$1.sh
    if [ "$REAL" = yes ] && [ -f "$program" ]; then
        package=$(sed -n 's/^# packages: \([^ ]*\).*/\1/p' "$program")
        echo "| $1 | $(sed -n "2s/^# $1: //p" "$program") | $package $(awk -v name="$package" '$1 == name { print $2 }' "$BUILD/debian/versions") |" \
            "$millions M from $(awk '{ printf "%.0f", $1 / 2e6 }' "$BUILD/debian/programs/$1/instructions") M |"
    else
        echo "| $(paper_name "$1") | \`$(sed 's/.* -- //' "$out/runs/$1.none.command")\` | ours | $millions M |"
    fi
}
cat "$here/page.md" "$here/page-$REAL.md"
echo '| stands for | program | package | instructions |'
echo '|---|---|---|---|'
for name in $cp_names $cp_isolated; do
    [ ! -f "$out/runs/$name.none.stats" ] || line_of "$name"
done
for ID; do
    printf '\n## %s: %s\n\n' "$(echo "$ID" | tr '[:lower:]' '[:upper:]')" "$(title "$ID")"
    printf '![%s](figures/%s.svg)\n\n' "$ID" "$ID"
    echo '| claim | paper | here | |'
    echo '|---|---|---|---|'
    awk -F '\t' '{ printf "| %s | %s | %s | %s |\n", $2, $3, $4, $5 }' "$out/$ID.verdicts"
    [ ! -s "$out/$ID.notes" ] || { echo; cat "$out/$ID.notes"; }
done
for ID; do cat "$out/$ID.verdicts"; done | awk -F '\t' '$5 != "holds" { bad++; printf "  %s: does not hold: %s: %s\n", $1, $2, $4 }
    END { printf "%d claims, %d hold, %d do not\n", NR, NR - bad, bad }' >&2
