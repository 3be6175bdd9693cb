#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The archive of `make dist` has all sources, and is the same bytes if it is made again: from the unpacked archive, in
# another folder, later, in another time zone, and with other rights of new files.
# usage: check_dist.sh, in the folder of the sources
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL # what make exports
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export XZ_OPT=-0 # a tenth of the time
make -s BUILD="$tmp/first" dist
name=$(basename "$tmp"/first/dist/*.tar.xz .tar.xz)
tar --extract --touch --file="$tmp/first/dist/$name.tar.xz" --directory="$tmp"
share/sources.sh | tr '\0' '\n' | sort > "$tmp/expected"
(cd "$tmp/$name" && find . -type f -printf '%P\n') | sort > "$tmp/found"
diff -u "$tmp/expected" "$tmp/found"
(umask 077 && cd "$tmp/$name" && TZ=Asia/Tokyo make -s BUILD="$tmp/second" dist)
cmp "$tmp/first/dist/$name.tar.xz" "$tmp/second/dist/$name.tar.xz"
