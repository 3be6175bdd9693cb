# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests of the packages share: a folder with the guest. Sourced, in the folder of the sources.
sources=$(pwd)
cd "$AUTOPKGTEST_TMP" || exit
riscv64-linux-gnu-as -o guest.o "$sources/debian/tests/guest.S"
riscv64-linux-gnu-ld -o guest guest.o

# expect FILE PATTERN: a line of the file matches the pattern
expect() {
    grep -qE -- "$2" "$1" || { echo "$1: expected a line like '$2', found:" >&2; cat "$1" >&2; exit 1; }
}
