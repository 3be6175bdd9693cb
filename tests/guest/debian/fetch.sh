#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches Debian 13 riscv64 packages by name, with what they depend on, into a separate apt root and unpacks them. The
# package source is that of this machine, with another suite. Only DIRECTORY is modified.
# usage: fetch.sh DIRECTORY PACKAGE...
set -eu
[ $# -ge 2 ] || { echo "usage: fetch.sh DIRECTORY PACKAGE..." >&2; exit 2; }
mkdir -p "$1"
dir=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
shift

uri=$("$here/archive.sh")
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/apt/parts" "$dir/root"
: > "$dir/apt/status"
private_apt() {
    apt-get -q -o Dir::Etc::SourceList="$dir/apt/sources.list" -o Dir::Etc::SourceParts="$dir/apt/parts" \
        -o Dir::State="$dir/apt" \
        -o Dir::State::Lists="$dir/apt/lists" -o Dir::State::status="$dir/apt/status" -o Dir::Cache="$dir/apt/cache" \
        -o APT::Architecture=riscv64 -o APT::Architectures=riscv64 -o APT::Sandbox::User=root "$@"
}
# update SUITE: reads the suite's index. apt succeeds only if index and signed release file agree.
update() {
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $1 main" > "$dir/apt/sources.list"
    private_apt update
}
# A mirror that is being updated can have the suite's other name, while it has one, in a consistent state.
update trixie || {
    update stable
    grep -qx 'Codename: trixie' "$dir"/apt/lists/*_dists_stable_InRelease
}
private_apt install --download-only --assume-yes --no-install-recommends "$@"
# As in base-files: /bin, /lib and /sbin are links into /usr.
for folder in bin lib sbin; do
    mkdir -p "$dir/root/usr/$folder"
    [ -e "$dir/root/$folder" ] || ln -s "usr/$folder" "$dir/root/$folder"
done
for deb in "$dir"/apt/cache/archives/*.deb; do
    dpkg-deb -x "$deb" "$dir/root"
done
echo "unpacked into $dir/root"
