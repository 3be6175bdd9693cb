#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The command lines of pcasm and pcdis: cli.sh BUILD_BIN_DIR, run by run_asm.sh in the folder of the fixtures.
# What is written where, exit statuses, and that nothing is left behind where writing fails.
set -u
bin=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failures=0

# expect STATUS WORDS COMMAND...: the command ends so, and its error output has the words
expect() {
    wanted=$1 words=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err" </dev/null
    found=$?
    if [ $found -ne "$wanted" ]; then
        echo "cli.sh: exit status $found, expected $wanted: $*" >&2
        cat "$work/err" >&2
        failures=$((failures + 1))
    elif [ -n "$words" ] && ! grep -q -e "$words" "$work/err"; then
        echo "cli.sh: no '$words' from: $*" >&2
        cat "$work/err" >&2
        failures=$((failures + 1))
    fi
}

check() {
    "$@" || { echo "cli.sh: not so: $*" >&2; failures=$((failures + 1)); }
}

mkdir "$work/empty"
expect 0 "" "$bin/pcasm" --help
check grep -q Usage: "$work/out"
expect 0 "" "$bin/pcasm" --version
expect 0 "" "$bin/pcdis" --help
expect 0 "" "$bin/pcdis" --version
expect 2 "" "$bin/pcasm" --nonsense
expect 2 "second" "$bin/pcasm" a.pasm b.pasm
expect 2 "-W: expected error, found 'all'" "$bin/pcasm" -W all program/everything.pasm
expect 2 "-D takes" "$bin/pcasm" -D 9x program/everything.pasm
expect 2 "-D takes" "$bin/pcasm" -D =1 program/everything.pasm
expect 2 "-D takes" "$bin/pcasm" -D a-b program/everything.pasm
expect 2 "-D takes" "$bin/pcasm" -D "A=1
B" program/everything.pasm
expect 2 "--cost: expected text or json, found 'xml'" "$bin/pcasm" --cost=xml program/everything.pasm
expect 2 "image cannot go there too" "$bin/pcasm" --cost -o - program/everything.pasm
expect 2 "listing cannot go there too" "$bin/pcasm" --cost -l - -o "$work/x" program/everything.pasm
expect 2 "second" "$bin/pcdis" a b
expect 2 "No such file" "$bin/pcasm" -o "$work/x" none.pasm
expect 2 "Is a directory" "$bin/pcasm" -o "$work/x" include/inc
expect 2 "no words" "$bin/pcasm" -o "$work/x"
expect 2 "cannot write" "$bin/pcasm" -o "$work/none/x" program/everything.pasm
check test ! -e "$work/x"

# --cost writes the image too.
expect 0 "" "$bin/pcasm" --cost -o "$work/x" program/everything.pasm
check grep -q "^loops without a known bound" "$work/out"
check test -s "$work/x"
expect 0 "" "$bin/pcasm" --cost -l "$work/l" -o "$work/x" program/everything.pasm
check grep -q "^words  " "$work/l"
expect 2 "cannot write: No such file" "$bin/pcdis" -o "$work/none/y" "$work/x"
rm -f "$work/x"

# The default output, standard input and output.
here=$(pwd)
cd "$work/empty" || exit 2
expect 0 "" "$bin/pcasm" "$here/program/everything.pasm"
check test -s pc.out
expect 0 "" "$bin/pcdis"
check grep -q ".program everything" "$work/out"
"$bin/pcasm" -o - <"$here/program/everything.pasm" >"$work/by-stdin" 2>"$work/err" || failures=$((failures + 1))
"$bin/pcasm" -o "$work/by-dash" - <"$here/program/everything.pasm" 2>"$work/err" || failures=$((failures + 1))
check cmp "$work/by-stdin" "$work/by-dash"
"$bin/pcasm" -l "$work/l" -o "$work/by-dash" - <"$here/program/everything.pasm" 2>"$work/err" || failures=$((failures + 1))
check grep -q "^words  " "$work/l"
"$bin/pcdis" - <pc.out >"$work/one" && "$bin/pcdis" -o "$work/two" pc.out
check cmp "$work/one" "$work/two"

# An error leaves the last image as it was. The source is never written over.
cp pc.out "$work/before"
expect 2 "no '.entry'" "$bin/pcasm" -W error "$here/program/entry_none.pasm"
check cmp pc.out "$work/before"
printf 'done\n' >source.pasm
expect 2 "-o source.pasm would replace the source" "$bin/pcasm" -o source.pasm source.pasm
expect 2 "-l ./source.pasm would replace the source" "$bin/pcasm" -l ./source.pasm source.pasm
expect 2 "-o and -l both write to pc.out" "$bin/pcasm" -l pc.out source.pasm
check test "$(cat source.pasm)" = "done"
# The image that pcdis reads is not written over either, also if it is pc.out by default.
expect 2 "-o ./pc.out would replace the image" "$bin/pcdis" -o ./pc.out pc.out
expect 2 "-o pc.out would replace the image" "$bin/pcdis" -o pc.out
check cmp pc.out "$work/before"

# A full disk.
if [ -c /dev/full ]; then
    rm -f pc.out
    expect 2 "No space left" "$bin/pcasm" -o /dev/full "$here/program/everything.pasm"
    "$bin/pcasm" --cost -o "$work/x" "$here/program/everything.pasm" >/dev/full 2>"$work/err" && failures=$((failures + 1))
    check grep -q "standard output: cannot write: No space left" "$work/err"
    expect 2 "No space left" "$bin/pcasm" -l /dev/full "$here/program/everything.pasm"
    check test ! -e pc.out
    expect 2 "No space left" "$bin/pcdis" -o /dev/full "$work/before"
    "$bin/pasm-words" >/dev/full && failures=$((failures + 1))
fi
check test "$(find . -type f | wc -l)" -le 2

# What is no image.
expect 2 "expected a program image" "$bin/pcdis" source.pasm
expect 2 "No such file" "$bin/pcdis" none
head -c 100 "$work/before" >short
expect 2 "expected .* bytes" "$bin/pcdis" short
[ $failures -eq 0 ]
