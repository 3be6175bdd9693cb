# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # of check_share.sh
# Editors' files: they have all words of the assembly language, and every shipped program consists of known tokens.
bad=0
say() { echo "$@" >&2; bad=1; }
vscode=$root/share/pcemu/editors/vscode vim=$root/share/pcemu/editors/vim
for file in "$vscode"/*.json; do jq -e . "$file" > /dev/null || say "$file: no JSON"; done
jq -r '.contributes.grammars[].path, .contributes.languages[].configuration' "$vscode/package.json" |
    while read -r path; do [ -f "$vscode/$path" ] || echo "$path"; done > "$tmp/missing"
[ ! -s "$tmp/missing" ] || say "package.json: names $(cat "$tmp/missing"), which is not there"

# Reads the tables independently of the generator.
{
    sed -nE 's/^(ALU|IDX|DATA|CAM)\([A-Z0-9]+, +[0-9]+, +"([a-z0-9]+)".*/\2/p' isa/isa.def
    sed -nE 's/^COND\([A-Z]+, +[0-9]+, +"([a-z]+)", +"([a-z]+)".*/\1\n\2/p' isa/isa.def
    sed -nE 's/^OPCLASS\([A-Z]+, +"([a-z]+)".*/\1/p' contract/opclass.def
    grep -oE '\{"\.[a-z]+", TOK_' asm/lexer.l | sed 's/.*\.\([a-z]*\).*/\1/'
} > "$tmp/rows"
[ "$(wc -l < "$tmp/rows")" -gt 80 ] || say "editors.sh: the tables are not where they were"
for file in "$vscode/pasm.tmLanguage.json" "$vim/syntax/pasm.vim"; do
    grep -oE '[a-z0-9]+' "$file" | sort -u > "$tmp/has"
    sort -u "$tmp/rows" | comm -23 - "$tmp/has" > "$tmp/missing"
    [ ! -s "$tmp/missing" ] || say "$file: has no $(cat "$tmp/missing")"
done

# Words that the assembler's code compares names with are among the words without a table.
grep -ohE 'strcmp\([^"()]*(\([^()]*\))?[^"()]*, "[a-z][a-z0-9]*"\)' asm/branch.c asm/declare.c asm/expr.c asm/names.c \
    asm/slot.c asm/words.c | sed 's/.*"\(.*\)")/\1/' | sort -u > "$tmp/compared"
cut -f 2 "$build/gen/tables/pasm" | sort -u > "$tmp/known"
comm -23 "$tmp/compared" "$tmp/known" | grep . >&2 && say "tools/manuals/pasm_words.c: no such words"

python3 tests/checks/share/textmate.py "$vscode/pasm.tmLanguage.json" "$build/gen/tables/pasm" programs/*.pasm || bad=1
if command -v vim > /dev/null && vim --version | grep -q '+syntax'; then
    sh tests/checks/share/vim.sh "$vim" programs/*.pasm || bad=1
else
    echo "editors.sh: no vim here: its syntax file is not checked"
fi
exit $bad
