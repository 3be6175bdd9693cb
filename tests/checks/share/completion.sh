# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # of check_share.sh
# Completion: bash completes these lines, in a folder with these files; zsh, where it is, accepts the files.
mkdir -p "$tmp/files/folder"
: > "$tmp/files/hot.pasm"
cat > "$tmp/lines" << 'LINES'
pcemu --pro => --program= --profile=
pcemu --profile ti => tip tip-ilp
pcemu --profile=oracle,tea- => oracle,tea-oracle
pcemu --profile=oracle,tip: => period= random seed=
pcemu --profile=oracle,tip:period=9:r => random
pcemu --profile counter:event=dcache-m => dcache-miss
pcemu --profile counter:event=dcache-miss+l2 => dcache-miss+l2-miss
pcemu --set core= => ooo inorder
pcemu --set rob_e => rob_entries=
pcemu --config ev => ev5 ev6
pcemu --core=s => samples:
pcemu --core samples:h => hot.pasm
pcemu --format  => text json jsonl csv
pcemu --sampler profileme:opp => opportunity
pcemu --trace fetch,is => fetch,issue
pcemu -L  => folder
pcemu -o h => hot.pasm
pcemu --warm h => hot.pasm
pcemu hot.pasm --pro => 
pcasm --cost= => text json
pcasm --cost h => hot.pasm
pcasm hot.pasm --li => --listing=
pcdis --out => --output=
pcprof s => stats summary show serve
pcprof show --form => --format=
pcprof show --format c => csv
pcprof --format => 
LINES
cat > "$tmp/complete.bash" << 'BASH'
for file in "$root"/share/bash-completion/completions/*; do . "$file"; done
cd "$tmp/files"
while IFS= read -r line; do
    COMP_LINE=${line% =>*}
    COMP_POINT=${#COMP_LINE}
    "_${COMP_LINE%% *}"
    echo "$COMP_LINE => ${COMPREPLY[*]}"
done < "$tmp/lines"
BASH
bash "$tmp/complete.bash" > "$tmp/completed"
diff -u "$tmp/lines" "$tmp/completed"
# Completion offers every option of --help-all.
for tool in pcasm pcdis pcemu pcprof pcsweep; do
    "$root/bin/$tool" --help-all | grep -oE '^ {2,6}(-., )?--[a-z-]+' | grep -oE '[-][-][a-z-]+' | sort > "$tmp/options"
    # shellcheck disable=SC2016 # for bash
    bash -c '. "$root/share/bash-completion/completions/$1"; COMP_LINE="$1 --" COMP_POINT=$((${#1} + 3))
        "_$1"; printf "%s\n" "${COMPREPLY[@]%=}"' bash "$tool" | sort | diff -u "$tmp/options" -
    file=$root/share/zsh/site-functions/_$tool
    head -n 1 "$file" | grep -qx "#compdef $tool"
    while read -r option; do
        grep -qE -- "^ +'(\([^)]*\)|\*)?${option}[=[]" "$file" || { echo "_$tool: no option $option" >&2; exit 1; }
    done < "$tmp/options"
done
if command -v zsh > /dev/null; then
    for file in "$root"/share/zsh/site-functions/*; do zsh -n "$file"; done
else
    echo "completion.sh: no zsh here: its completion files are not checked"
fi
