#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The debugger, reports and messages at a real terminal. usage: run.sh BUILD
set -eu
# shellcheck disable=SC2034 # root: for common.sh
build=$(cd "$1" && pwd) root=$(pwd) programs=$(pwd)/programs here=$(pwd)/tests/golden/debug steps=$(pwd)/tests/terminal
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PATH="$build/bin:$PATH" HOME="$tmp/home" INPUTRC=/dev/null TERM=vt100 LC_ALL=C PAGER=cat
unset NO_COLOR PCEMU_HISTORY COLUMNS PCPROF_PAGER 2>/dev/null || true
drive=$build/tests/terminal/drive
mkdir "$HOME" "$tmp/cwd"
cd "$tmp/cwd"
# shellcheck source=tests/golden/debug/common.sh
. "$here"/common.sh
echo 'echo from the script' > script.x
fail() { echo "tests/terminal/run.sh: $1" >&2; exit 1; }

"$drive" first.log pcemu -i --core samples:samples -o report < "$steps/first.steps" || fail "first session"
echo 'echo from the rc file' > "$HOME/.pcemurc"
"$drive" second.log pcemu -i --core samples:samples -o report < "$steps/second.steps" || fail "second session"
rm "$HOME/.pcemurc"

# The same session as a script and at a dumb terminal: the text must be the same.
printf 'expect (pcemu) \n' > again.steps
sed 's/\\/\\\\/g; s/.*/send &\\n\nexpect (pcemu/' session >> again.steps
printf 'send quit\\n\nend\n' >> again.steps
TERM=dumb "$drive" again.log pcemu -i --core samples:samples -o report < again.steps || fail "the same session"
{ cat session; echo quit; } > session.x
pcemu -x session.x --core samples:samples -o report > script.log 2>&1
tr -d '\r' < again.log | diff - script.log || fail "a script says other things than the terminal"

# A report, and the messages around it, have lines of the terminal's width, or of that in COLUMNS; as with --width.
printf 'end\n' > end.steps
cp "$programs/value.pasm" . && pcasm value.pasm 2> /dev/null
for i in 1 2 3 4 5 6 7 8; do printf 'load pc=0x1%d00 result=0x7000000%d x20\n' $i $i; done > loads
printf 'store pc=0x1000\n' > other
pcemu --core samples:loads --format json -o report.json
wide() { tr -d '\r' < "$1" | awk -v width="$2" 'length($0) > most { most = length($0) } END { exit most > width }'; }
for columns in 72 110; do
    pcprof show --legend --width $columns report.json > expected
    "$drive" report.log sh -c "stty cols $columns && exec pcemu --legend --core samples:loads" < end.steps ||
        fail "a report of $columns columns"
    tr -d '\r' < report.log | diff expected - || fail "a report on $columns columns is not that of --width $columns"
    "$drive" report.log sh -c "stty cols 50 && COLUMNS=$columns exec pcprof show --legend report.json" < end.steps ||
        fail "a report with COLUMNS=$columns"
    tr -d '\r' < report.log | diff expected - || fail "a report with COLUMNS=$columns is not that of --width $columns"
    "$drive" other.log sh -c "stty cols $columns && exec pcemu --core samples:other" < end.steps ||
        fail "messages on $columns columns"
    wide other.log $columns || fail "a line has more than $columns columns"
    grep -q 'there are no samples' other.log || fail "there is no message"
done
pcemu --core samples:loads > /dev/null 2> file.log
COLUMNS=40 pcemu --core samples:loads 2>&1 > /dev/null | diff file.log - || fail "a report in a file depends on COLUMNS"
"$drive" report.log pcemu --width 0 --core samples:loads < end.steps || fail "a report without limit"
tr -d '\r' < report.log | diff file.log - || fail "--width 0 is not the form without limit"

# Shares have colours at a terminal, in pcemu and pcprof; not with NO_COLOR, at a dumb terminal, with --color=never, and
# in files. Without the colours the text is the same.
pcemu --no-program --core ooo --max-insts 30000 --profile oracle,topdown --format json -o heat.json \
    "$build/workloads/invariant" > /dev/null 2>&1
pcprof show --width 110 heat.json > expected
red=$(printf '\033[1;31m')
shown() { "$drive" report.log env "$@" < end.steps || fail "$*"; tr -d '\r' < report.log > shown; }
shown COLUMNS=110 pcprof show heat.json
grep -qF "$red" shown || fail "there are no colours at a terminal"
sed 's/\x1b\[[0-9;]*m//g' shown | diff expected - || fail "colours change the text"
shown COLUMNS=110 pcemu --no-program --max-insts 30000 --profile oracle,topdown "$build/workloads/invariant"
grep -qF "$red" shown || fail "there are no colours in the report of pcemu"
for plain in NO_COLOR=1 TERM=dumb TERM=; do
    shown COLUMNS=110 $plain pcprof show heat.json
    diff expected shown || fail "$plain has colours"
done
shown COLUMNS=110 pcprof show --color=never heat.json
diff expected shown || fail "--color=never has colours"
shown NO_COLOR= COLUMNS=110 pcprof show heat.json
grep -qF "$red" shown || fail "an empty NO_COLOR has no colours"
pcprof show --color=always --width 110 heat.json | grep -qF "$red" || fail "--color=always has no colours in a pipe"
pcprof show --color=always --format csv heat.json | grep -qF "$red" && fail "CSV has colours"

# A report that is longer than the terminal is shown by a pager, one that fits is not; its exit status is pcprof's.
pcprof show --top 0 --width 100 heat.json > expected
lines=$(wc -l < expected)
paged() { # LINES COMMAND: at a terminal of so many lines and of 100 columns
    "$drive" report.log sh -c "unset PAGER PCPROF_PAGER LESS; export NO_COLOR=1; stty cols 100 rows $1 && { $2; }" \
        < end.steps || fail "$2"
    tr -d '\r' < report.log > shown
}
mkdir bin
printf '#!/bin/sh\necho "less with LESS=$LESS"\nexec cat\n' > bin/less
chmod +x bin/less
{ echo 'less with LESS=FRX'; cat expected; } > paged
{ echo 'less with LESS=M'; cat expected; } > paged.M
sed 's/^/PAGED /' expected > marked
show='pcprof show --top 0 heat.json'
paged 24 "PATH=\$PWD/bin:\$PATH $show"
cmp paged shown || fail "the pager is not less"
paged 24 "export LESS=M PATH=\$PWD/bin:\$PATH; $show"
cmp paged.M shown || fail "LESS of the user is replaced"
paged $((lines + 1)) "PATH=\$PWD/bin:\$PATH $show"
cmp expected shown || fail "a report that fits the terminal is paged"
paged "$lines" "PATH=\$PWD/bin:\$PATH $show"
cmp paged shown || fail "a report that is as long as the terminal is not paged"
paged 24 "PCPROF_PAGER='sed s/^/PAGED\ /' PAGER=false $show"
cmp marked shown || fail "PCPROF_PAGER"
paged 24 "PAGER='sed s/^/PAGED\ /' $show"
cmp marked shown || fail "PAGER"
for plain in 'PAGER=cat' 'PAGER=' 'PAGER=false PCPROF_PAGER=' 'TERM=dumb' 'PATH=/nowhere'; do
    command=$(command -v pcprof)
    paged 24 "$plain $command show --top 0 heat.json"
    cmp expected shown || fail "$plain has a pager"
done
paged 24 "PAGER=false $show --no-pager"
cmp expected shown || fail "--no-pager"
paged 24 "PAGER=false pcprof --no-pager show --top 0 heat.json"
cmp expected shown || fail "pcprof --no-pager"
paged 24 "PAGER=false $show -o paged.out --width 100; PAGER=false $show --width 100 | cat"
cmp expected shown || fail "a pipe has a pager"
cmp expected paged.out || fail "a file has a pager"
# The pager's status does not count, nor does its early end; a pager that does not exist is as none.
for pager in 'cat > /dev/null; exit 3' true; do
    paged 24 "export PAGER='$pager'; $show; echo status \$?"
    [ "$(cat shown)" = 'status 0' ] || fail "PAGER='$pager'"
done
paged 24 "PAGER=no-such-pager $show"
sed 1d shown | cmp expected - || fail "a pager that does not exist"
pcemu --no-program --profile oracle --max-insts 20000 --collect short.db "$build/workloads/invariant" > /dev/null 2>&1
pcemu --no-program --profile oracle --max-insts 30000 --collect short.db "$build/workloads/invariant" > /dev/null 2>&1
paged 10 "export PAGER='cat > /dev/null'; pcprof diff --event cycles --fail-if-slower 1% short.db:1 short.db:2; test \$? = 1"
grep -q 'fail-if-slower: the total' shown || fail "the exit status with a pager"

# A source is not read from a terminal unasked.
"$drive" source.log sh -c 'pcasm; test $? = 2' < end.steps || fail "pcasm at a terminal"
grep -q 'expected FILE.pasm' source.log || fail "pcasm does not ask for a file"

# Files that a terminal does not show are not written to one. The store does not exist, because the output is checked
# first.
refused() {
    "$drive" refused.log sh -c "$2; test \$? = 2" < end.steps || fail "$2 on a terminal"
    grep -q "is not for a terminal: $1 FILE names a file for it" refused.log || fail "$2: written to a terminal"
}
refused -o 'pcprof report none.db'
refused -o 'pcprof export none.db --to perf'
refused -o 'pcprof export none.db --to pprof'
refused -o 'pcasm -o - value.pasm'
refused -o 'pcasm -o /dev/stdout value.pasm'
"$drive" source.log pcasm -o value.pc -l - value.pasm < end.steps || fail "a listing on a terminal"
pcasm -o - value.pasm 2> /dev/null | cmp - value.pc || fail "an image in a pipe"

pcasm -o branches.pc taken.pasm
"$drive" guest.log pcemu -i --program branches.pc -o report "$build/tests/terminal/forever" < "$steps/guest.steps" ||
    fail "session with a guest"

# A signal at the prompt, which readline takes and sends again, ends the session without outputs.
for signal in 1 3 12 13 14 15 32 34; do
    printf 'expect (pcemu) \nsignal %s\nexpect pcemu: ended by SIG\nend %s\n' $signal $signal > signal.steps
    "$drive" signal.log pcemu -i --program branches.pc -o ended "$build/tests/terminal/forever" < signal.steps ||
        fail "signal $signal at the prompt"
    if [ -e ended ] || [ -e .ended.partial ]; then fail "signal $signal at the prompt leaves an output"; fi
done

# Progress does not erase a line that the guest has begun, and is not shown within it.
"$drive" line.log pcemu --core functional "$build/tests/terminal/line" < end.steps || fail "a guest with a long line"
grep -q 'begun at once, ended later' line.log || fail "progress within a line of the guest"
echo "tests/terminal/run.sh: ok"
