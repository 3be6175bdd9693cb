#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches programs that read exported profiles and that Debian has no packages of, from npm's registry: the Firefox
# Profiler's command line and speedscope, to BUILD/readers/NAME. npm compares a package with the registry's hash, and
# this script a file of it with its own.
# usage: fetch_readers.sh BUILD
set -eu
mkdir -p "$1/readers"
cd "$1/readers"
# fetch NAME PACKAGE VERSION FILE HASH
fetch() {
    is_right() { [ -f "$1/$4" ] && [ "$(sha256sum < "$1/$4" | cut -c 1-64)" = "$5" ]; }
    ! is_right "$@" || return 0
    rm -rf "$1"
    mkdir "$1"
    archive=$(npm pack --silent --ignore-scripts "$2@$3")
    tar -xzf "$archive" -C "$1" --strip-components=1
    rm "$archive"
    is_right "$@" && return
    echo "fetch_readers.sh: $4 of $2 $3: expected the SHA-256 $5, found $(sha256sum "$1/$4")" >&2
    exit 1
}
fetch profiler-cli @firefox-devtools/profiler-cli 0.10.0 dist/profiler-cli.js \
    42bc638107e9f38d7b0d68d0b83d92ef24a5c781945c0d30ac2d80080d501e48
fetch speedscope speedscope 1.25.0 dist/release/speedscope-Y2522XSH.js \
    12b7fcfa95b1f07633886569903e0117043d810c83951ac9084e34c689ef1044
