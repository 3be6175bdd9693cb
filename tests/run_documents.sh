#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs what the documents tell a reader to type: the lines of every block fenced as ```sh, file by file, each file in a folder of its
# own with the tools on PATH; a block fenced as ```pasm NAME is first written to that file. Any failure fails the test.
# usage: run_documents.sh BUILD FILE...
set -eu
build=$(cd "$1" && pwd) root=$(pwd)
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for document; do
    mkdir "$tmp/cwd"
    awk -v dir="$tmp/cwd" '
        /^```/ && inside { inside = 0; if (file != "") close(file); file = ""; next }
        /^```sh$/ { inside = 1; script = 1; next }
        /^```pasm [a-z_]+\.pasm$/ { inside = 1; script = 0; file = dir "/" $2; next }
        /^```/ { inside = 1; script = 0; next }
        inside && script { print $0 (/[^\\]$/ ? " || exit 1" : "") }
        inside && file != "" { print > file }
    ' "$document" > "$tmp/script"
    if [ -s "$tmp/script" ]; then
        (cd "$tmp/cwd" && PATH="$build/bin:$PATH" programs="$root/programs" workloads="$build/workloads" sh -eu "$tmp/script") \
            > "$tmp/out" 2>&1 < /dev/null || { cat "$tmp/out"; echo "$document: a command in it fails" >&2; exit 1; }
    fi
    rm -rf "$tmp/cwd"
done
