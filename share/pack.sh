#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs files of the working folder as FOLDER/NAME.tar.xz, in which they are in the folder NAME. Standard input has
# their names, each ended by a NUL. The same files are the same bytes: they are sorted, belong to root, have the date
# SOURCE_DATE_EPOCH, and of their rights only those to execute count.
# usage: SOURCE_DATE_EPOCH=SECONDS pack.sh FOLDER/NAME
set -eu
list=$(mktemp)
trap 'rm -f "$list"' EXIT
LC_ALL=C sort -z > "$list"
[ -s "$list" ] || { echo "pack.sh: $1.tar.xz: expected names of files, found none" >&2; exit 1; }
tar --create --use-compress-program='xz --threads=1' --file="$1.tar.xz" --format=gnu --null --no-recursion \
    --transform="s|^|${1##*/}/|" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    --mtime="@$SOURCE_DATE_EPOCH" --files-from="$list"
