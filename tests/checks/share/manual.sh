# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # of check_share.sh
# Checks the manual pages: groff prints no warnings, the pages are complete, and the pages they refer to exist.
bad=0
say() { echo "$@" >&2; bad=1; }
command -v man > /dev/null || { echo "manual.sh: no man; ./bootstrap installs it (man-db)" >&2; exit 1; }

mkdir "$tmp/text"
for page in "$root"/share/man/man*/*; do
    name=$(basename "$page")
    MANWIDTH=80 man --warnings -l -E UTF-8 "$page" > "$tmp/text/$name" 2> "$tmp/warnings" || say "$name: man fails"
    ! grep . "$tmp/warnings" >&2 || say "$name: groff warns"
    lexgrog "$page" > /dev/null || say "$name: NAME has no 'name - what it is'"
    # Pages that it refers to.
    grep -oE '[a-z][a-z.-]*\([157]\)' "$tmp/text/$name" | sort -u | tr '()' '  ' | while read -r other section; do
        [ -f "$root/share/man/man$section/$other.$section" ] || echo "$other($section)"
    done > "$tmp/missing"
    [ ! -s "$tmp/missing" ] || say "$name: refers to $(cat "$tmp/missing")"
    # Markdown syntax that was not converted.
    ! grep -nE '^ *@(include|run|tool|options) |\]\(|\*\*|```|^ *\|.*\|$' "$tmp/text/$name" >&2 ||
        say "$name: Markdown is left"
done

# Every tool has a page with these sections and all options that --help-all lists.
for tool in "$root"/bin/*; do
    name=$(basename "$tool") text=$tmp/text/$(basename "$tool").1
    for section in NAME SYNOPSIS DESCRIPTION OPTIONS 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
        grep -qx "$section" "$text" || say "$name.1: no section $section"
    done
    "$tool" --help-all | grep -oE '^ {2,6}(-., )?--[a-z-]+' | grep -oE '[-][-][a-z-]+' | while read -r option; do
        grep -qE -- "^ +(-., )?$option([=[]| |\$)" "$text" || echo "$option"
    done > "$tmp/missing"
    [ ! -s "$tmp/missing" ] || say "$name.1: no option $(cat "$tmp/missing")"
done
# Each row of the tables is on the tool's page.
words() {
    while read -r word; do
        grep -qE "^ {7}(.* )?$word([ ,;]|\$)" "$tmp/text/$1" || echo "$word"
    done > "$tmp/missing"
    [ ! -s "$tmp/missing" ] || say "$1: nothing of $(cat "$tmp/missing")"
}
"$root/bin/pcemu" --dump-config | sed -n 's/ *=.*//p' > "$tmp/keys"
words pcemu-config.5 < "$tmp/keys"
awk -F '\t' '$1 == "mnemonic" && $2 != "nop" || $1 == "condition" || $1 == "class" || $1 == "field" { print $2 }
    $1 == "directive" { sub(/^\./, "\\.", $2); print $2 }' "$build/gen/tables/pasm" > "$tmp/words"
words pasm.5 < "$tmp/words"
"$root/bin/pcemu" --trace help | cut -d ' ' -f 1 > "$tmp/stages"
words pcemu.1 < "$tmp/stages"
exit $bad
