#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Provides the packages that cases/ and programs/ need in DIRECTORY/root: those listed here and those of the lines
# "# packages:" there. They are fetched once, and again when the list changes. DIRECTORY/packages is the list,
# DIRECTORY/versions the versions fetched.
#   get.sh DIRECTORY
# Exit status 1, with a message, if they are not available.
set -eu
mkdir -p "$1"
dir=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

# The packages that several cases need.
cases='
bash bc busybox-static bzip2 coreutils dash dc debianutils diffutils ed file findutils gawk grep gzip jq lua5.4 m4
make mawk openssl
patch perl-base python3.13-minimal sed sqlite3 tar tcl8.6 xz-utils zstd
libacl1 libattr1 libbz2-1.0 libc6 libcap2 libcrypt1 libexpat1 libffi8 libgcc-s1 libgfortran5 libgmp10 libjq1
liblua5.4-0 liblz4-1
liblzma5 libmagic-mgc libmagic1t64 libmd0 libmpfr6 libncursesw6 libonig5 libpcre2-8-0 libpython3.13-minimal
libpython3.13-stdlib
libreadline8t64 libselinux1 libsigsegv2 libsqlite3-0 libssl3t64 libstdc++6 libtcl8.6 libtinfo6 libuuid1 libxxhash0
libzstd1 zlib1g
'
packages=$({ echo "$cases"; sed -n 's/^# packages[^:]*: //p' "$here"/cases/*.sh "$here"/programs/*.sh; } |
    tr ' ' '\n' | sed '/^$/d' | sort -u)

exec 8> "$dir/lock"
flock 8
# The accounts, which are made when a system is installed: guests find files with absolute names in this folder alone.
accounts()
{
    mkdir -p "$dir/root/etc"
    { echo root:x:0:0:root:/:/bin/sh; [ "$(id -u)" = 0 ] || echo "user:x:$(id -u):$(id -g)::/:/bin/sh"; } > "$dir/root/etc/passwd"
}
[ "$(cat "$dir/packages" 2> /dev/null)" != "$packages" ] || { accounts; exit 0; }
echo 'fetching Debian 13 riscv64 packages' >&2
# shellcheck disable=SC2086 # a list of names, meant to be split
"$here/fetch.sh" "$dir" $packages > "$dir/fetch.log" 2>&1 ||
    { tail -n 5 "$dir/fetch.log" >&2; echo \
        'get.sh: the Debian packages could not be fetched: is there a network, and an archive among the apt sources?' \
        >&2; exit 1; }
for deb in "$dir"/apt/cache/archives/*.deb; do
    dpkg-deb -f "$deb" Package Version | awk '{ printf "%s%s", $2, NR == 1 ? " " : "\n" }'
done > "$dir/versions"
echo "$packages" > "$dir/packages"
accounts
