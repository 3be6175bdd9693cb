#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Command-line tests: each NAME.cmd is a shell script, run in an empty folder with the tools on PATH and with $programs,
# $workloads, $here and $build set. Its standard output and error and its exit status must equal NAME.out. Scripts that
# run guests (of $workloads, or compiled here) are only run, and not compared, if tests/checks/expected_guest.sh rejects these.
# A script that has not ended after half an hour is ended, with status 124.
# usage: run_cli.sh BUILD FOLDER [NAME...]     without names: all
set -eu
build=$(cd "$1" && pwd) here=$(pwd)/tests/golden/$2 root=$(pwd) bad=0
shift 2
# not in TMPDIR, which may be below /var: with -L a guest finds files with absolute names there only below its folder
tmp=$(mktemp -d /tmp/cli.XXXXXXXX)
trap 'rm -rf "$tmp"' EXIT
umask 022
export PATH="$build/bin:$PATH" programs="$root/programs" workloads="$build/workloads" here build LC_ALL=C
# shellcheck disable=SC2046 # names, meant to be split
[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.cmd | sed 's|^\./||; s|\.cmd$||')
others='' foreign=
tests/checks/expected_guest.sh "$workloads/invariant" || others='-e \$workloads'
tests/checks/expected_guest.sh "$build/tests/terminal/forever" || others="$others -e RVCC -e terminal/forever"
for name; do
    cmd=$here/$name.cmd
    mkdir "$tmp/cwd"
    status=0
    (cd "$tmp/cwd" && timeout --foreground -k 10 1800 sh "$cmd") > "$tmp/out" 2>&1 < /dev/null || status=$?
    echo "exit status $status" >> "$tmp/out"
    sed -i "s|$root/||g" "$tmp/out"
    # shellcheck disable=SC2086 # options, meant to be split
    if [ -n "$others" ] && grep -q $others "$cmd"; then
        foreign="$foreign $name"
    elif [ -n "${BLESS:-}" ]; then
        cp "$tmp/out" "$here/$name.out"
    elif ! diff -u "$here/$name.out" "$tmp/out"; then
        echo "$cmd: the output differs" >&2
        bad=1
    fi
    rm -rf "$tmp/cwd"
done
[ -z "$foreign" ] || echo "$here: not compared, as the guests are not of Debian 12's compiler:$foreign"
exit $bad
