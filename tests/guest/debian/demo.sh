#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ./bootstrap demo on a new Debian: what it installs, and how much it prints.
#   demo.sh VERSION DIRECTORY
# First a user without rights calls it, who has to be given the packages to ask for; then root. Fails where more is
# installed or printed than the limits below. Must be run by root.
set -eu
lines_limit=40 megabytes_limit=450
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
dir=$(cd "$2" && pwd)
root=$dir/root bootstrap=/home/builder/sources/bootstrap
"$here/root.sh" "$1" "$dir"

fail() { echo "demo.sh: $*" >&2; exit 1; }
# shellcheck source=tests/guest/debian/inside.sh
. "$here/inside.sh"

# shellcheck disable=SC2046 # two numbers
set -- $(installed "$root")
packages=$1 kilobytes=$2
! inside "$root" "su builder -c '$bootstrap demo'" > "$dir/refused" 2>&1 || fail "a user installed packages"
grep -q 'ask an administrator to run: apt-get install .* libelf-dev' "$dir/refused" ||
    { cat "$dir/refused" >&2; fail "a user is not given the packages to ask for"; }
begin=$(date +%s)
inside "$root" "$bootstrap demo" > "$dir/screen" 2>&1 || { cat "$dir/screen" >&2; fail "the demo failed"; }
seconds=$(($(date +%s) - begin))
grep -q ' cycles before, [0-9]* after: [0-9.]* % fewer' "$dir/screen" ||
    { cat "$dir/screen" >&2; fail "the demo printed no gain"; }
# shellcheck disable=SC2046
set -- $(installed "$root")
packages=$(($1 - packages)) megabytes=$((($2 - kilobytes) * 1024 / 1000000)) lines=$(wc -l < "$dir/screen")
echo "demo: $packages packages, $megabytes MB unpacked, $lines lines, $seconds s"
[ "$lines" -le "$lines_limit" ] || fail "$lines lines on the screen, expected at most $lines_limit: $dir/screen"
[ "$megabytes" -le "$megabytes_limit" ] || fail "$megabytes MB unpacked, expected at most $megabytes_limit"
