#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the page of the named experiments of one family from their results in BUILD/experiments. Started by run.sh.
# Input: FAMILY.md, FAMILY-yes.md and FAMILY-no.md (with and without Debian's programs), and FAMILY_table.sh, which
# names the programs (page_programs) and the run of each that gives its number of instructions (page_run).
set -eu
here=$(cd "${0%/*}" && pwd)
out=${OUT:-$BUILD/experiments}
family=${1%%-*}
# shellcheck disable=SC1090 # one for each family
. "$here/${family}_table.sh"
title() { sed -n '3s/^# *//p' "$here/$1.sh"; }

# Prints a line of the table of programs: PROGRAM
line_of() {
    millions=$(jq '.core.retired / 1e6 | round' "$out/runs/$1.$page_run.stats")
    program=$here/../../guest/debian/programs/$1.sh
    if [ "$REAL" = yes ] && [ -f "$program" ]; then
        percent=$(sed -n 's/.* debian\/[^ ]*@//p' "$out/runs/$1.$page_run.command")
        package=$(sed -n 's/^# packages: \([^ ]*\).*/\1/p' "$program")
        echo "| $1 | $(sed -n "2s/^# $1: //p" "$program") | $package $(awk -v name="$package" '$1 == name {
            print $2 }' "$BUILD/debian/versions") |" \
            "$millions M from $(awk -v percent="${percent:-50}" '{
                printf "%.0f", $1 * percent / 1e8 }' "$BUILD/debian/programs/$1/instructions") M |"
    else
        echo "| $(paper_name "$1") | \`$(sed 's/.* -- //' "$out/runs/$1.$page_run.command")\` | ours | $millions M |"
    fi
}

# The number of runs and their scale.
effort() {
    awk -v scale="$SCALE" -v over="$OVER" 'END {
        if (scale != 1) printf "This page was made with `SCALE=%s`, which shortens the runs.\n", scale
        if (over == "samples") print "All are of recorded samples, with fewer seeds; an overhead is the time of the handlers."
        printf "The command makes %d runs, as many in parallel as there are processors, and prints the remaining time.\n\n", NR }' "$out/wanted"
}

sed '/^EFFORT$/,$d' "$here/$family.md"
effort
sed '1,/^EFFORT$/d' "$here/$family.md"
cat "$here/$family-$REAL.md"
echo '| stands for | program | package | instructions |'
echo '|---|---|---|---|'
for name in $page_programs; do
    [ ! -f "$out/runs/$name.$page_run.stats" ] || line_of "$name"
done
echo
for ID; do cat "$out/$ID.verdicts"; done | awk -F '\t' '{ holds += $5 == "holds"; open += $5 == "open"; if ($7 != "-") { run++;
    shipped += $7 == "holds" } }
    END {
        printf "%d of %d claims hold.", holds, NR
        if (open) printf " %d are open.", open
        if (run) printf " For the program as shipped %d of %d hold.", shipped, run
        print "" }'
for ID; do
    printf '\n## %s: %s\n\n' "$(echo "$ID" | tr '[:lower:]' '[:upper:]')" "$(title "$ID")"
    [ ! -f "$out/$ID.svg" ] || printf '![%s](figures/%s.svg)\n\n' "$ID" "$ID"
    [ ! -s "$out/$ID.first" ] || { sed '/./,$!d' "$out/$ID.first"; echo; }
    if [ "$family" = cp ]; then
        echo '| claim | paper | condition | here, as in the paper | | as shipped | |'
        echo '|---|---|---|---|---|---|---|'
    else
        echo '| claim | paper | here | |'
        echo '|---|---|---|---|'
    fi
    awk -F '\t' -v family="$family" '
        family == "cp" { gsub(/&&/, "and", $8)
            printf "| %s | %s | `%s` | %s | %s | %s | %s |\n", $2, $3, $8, $4, $5, $6, $7; next }
        { printf "| %s | %s | %s | %s |\n", $2, $3, $4, $5 }' \
        "$out/$ID.verdicts"
    awk -F '\t' 'FILENAME == ARGV[1] { cause[$1] = $2; kind[$1] = $3; next }
        $5 != "holds" { k = kind[$2] == "shown"; text[k] = text[k] sprintf("- *%s*: %s\n", $2,
            $2 in cause ? cause[$2] : "the cause is not established.") }
        END {
            if (text[1] != "") printf "\nCauses, shown by runs without them:\n\n%s", text[1]
            if (text[0] != "") printf "\nLikely causes, not examined by runs of their own:\n\n%s", text[0] }' \
        "$out/$ID.causes" "$out/$ID.verdicts" | while IFS= read -r line; do echo "$line" | fold -s -w 116 |
            sed 's/ *$//; 2,$s/^/  /'; done
    [ ! -s "$out/$ID.notes" ] || { echo; sed '/./,$!d' "$out/$ID.notes"; }
done
