#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The debugger at a pseudo-terminal.
# usage: run.sh BUILD
set -eu
# shellcheck disable=SC2034 # root: for common.sh
build=$(cd "$1" && pwd) root=$(pwd) here=$(pwd)/tests/golden/debug steps=$(pwd)/tests/terminal
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PATH="$build/bin:$PATH" HOME="$tmp/home" INPUTRC=/dev/null TERM=vt100 LC_ALL=C
unset NO_COLOR PCEMU_HISTORY 2>/dev/null || true
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
sed 's/\\/\\\\/g; s/.*/send &\\n\nexpect (pcemu/; /^send source/s/expect/expect from the script\nexpect/' session >> again.steps
printf 'send quit\\n\nend\n' >> again.steps
TERM=dumb "$drive" again.log pcemu -i --core samples:samples -o report < again.steps || fail "the same session"
{ cat session; echo quit; } > session.x
pcemu -x session.x --core samples:samples -o report > script.log 2>&1
tr -d '\r' < again.log | diff - script.log || fail "a script says other things than the terminal"

pcasm -o branches.pc taken.pasm
"$drive" guest.log pcemu -i --program branches.pc -o report "$build/tests/terminal/forever" < "$steps/guest.steps" || fail "session with a guest"
echo "tests/terminal/run.sh: ok"
