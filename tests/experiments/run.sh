#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The experiments: data, pictures (SVG and PNG) and a verdict for each claim, into BUILD/experiments; the page of all verdicts on standard output.
#   run.sh BUILD [EXPERIMENT...]         default: all; SCALE=0.05 makes the regions shorter
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
title() { sed -n '3s/^# *//p' "$here/$1.sh"; }

for ID; do
    export ID
    [ -f "$here/$ID.sh" ] || { echo "run.sh: no experiment '$ID'; there are: $(cd "$here" && echo *-*.sh | sed 's/\.sh//g')" >&2; exit 2; }
    echo "$ID: $(title "$ID")" >&2
    "$here/$ID.sh"
done

cat "$here/page.md"
echo '| stands for | workload | instructions |'
echo '|---|---|---|'
for command in "$out"/runs/*.none.command; do
    run=$(basename "$command" .command)
    echo "| $(. "$here/cp_table.sh"; paper_name "${run%.none}") | \`$(sed 's/.* -- //' "$command")\` | $(jq '.core.retired / 1e6 | round' "$out/runs/$run.stats") M |"
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
