#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the root of another release of Debian, as it is at first, with a user "builder" who has a copy of the sources,
# without their builds.
#   root.sh VERSION DIRECTORY
# VERSION is 12 or 13. The root is DIRECTORY/root, from the archive that this machine's apt sources name;
# DIRECTORY/root.tar keeps it. Must be run by root, who alone can chroot and mount.
set -eu
[ $# = 2 ] || { echo "usage: root.sh VERSION DIRECTORY" >&2; exit 2; }
case $1 in
12) suite=bookworm ;;
13) suite=trixie ;;
*) echo "root.sh: expected version 12 or 13, found '$1'" >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "root.sh: chroot needs root: run it with sudo" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
dir=$2 root=$2/root
if [ ! -e "$dir/root.tar" ]; then
    uri=$("$here/archive.sh")
    mmdebstrap --mode=root --variant=minbase --customize-hook="chroot \"\$1\" useradd --create-home builder" "$suite" \
        "$dir/root.new.tar" \
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
    mv "$dir/root.new.tar" "$dir/root.tar"
fi
rm -rf "$root" "$root.new"
mkdir "$root.new"
tar --extract --file="$dir/root.tar" --directory="$root.new" --exclude='./dev/*'
mv "$root.new" "$root"
"$here/sources.sh" "$root"
