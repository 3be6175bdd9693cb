#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The experiments: data, pictures and a verdict for each claim, into BUILD/experiments; and all verdicts as one table, results.md.
#   run.sh BUILD [EXPERIMENT...]         default: all; SCALE=0.05 makes the regions shorter
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- $(cd "$here" && ls -- *-*.sh | sed 's/\.sh$//' | sort -t- -k1,1 -k2,2n)
for tool in gnuplot jq; do
    command -v "$tool" > /dev/null || { echo "run.sh: no $tool; ./bootstrap installs it" >&2; exit 1; }
done
export BUILD SCALE="${SCALE:-1}"
mkdir -p "$BUILD/experiments"
for ID; do
    export ID
    [ -f "$here/$ID.sh" ] || { echo "run.sh: no experiment '$ID'; there are: $(cd "$here" && echo *-*.sh | sed 's/\.sh//g')" >&2; exit 2; }
    echo "$ID: $(sed -n '3s/^# *//p' "$here/$ID.sh")" >&2
    "$here/$ID.sh"
done
results=$BUILD/experiments/results.md
{
    echo '| experiment | claim | paper | ours | |'
    echo '|---|---|---|---|---|'
    for ID; do
        awk -F '\t' '{ printf "| %s | %s | %s | %s | %s |\n", toupper($1), $2, $3, $4, $5 }' "$BUILD/experiments/$ID.verdicts"
    done
} > "$results"
awk -F '|' 'NR > 2 { n++; if ($6 ~ /does not/) { bad++; printf "  %s:%s: does not hold:%s\n", $2, $3, $5 } }
    END { printf "%d claims, %d hold, %d do not\n", n, n - bad, bad }' "$results"
