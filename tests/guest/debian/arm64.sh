#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The packages of arm64: they are cross-built in a root of Debian 13, and their tools run golden tests under the
# qemu-aarch64 of that root. The expected output is that of amd64.
#   arm64.sh DIRECTORY BUILD NAME...
# BUILD has the guests and the programs' images; each NAME is a script of tests/golden/cli. Those that run a command by
# another user are left out. The tools start each other by an instance of binfmt_misc that ends with its user namespace,
# which Linux has from 6.7 on. The qemu-aarch64 of Debian 12 takes seconds to reserve the address space of a guest. Must
# be run by root.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
build=$(cd "$2" && pwd) root=$dir/root tools=$dir/tools home=/home/builder
shift 2
fail() { echo "arm64.sh: $*" >&2; exit 1; }

"$here/root.sh" 13 "$dir"
# shellcheck source=tests/guest/debian/inside.sh
. "$here/inside.sh"
inside "$root" "
    export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
    dpkg --add-architecture arm64
    apt-get update
    apt-get install -y --no-install-recommends crossbuild-essential-arm64
    cd $home/sources
    apt-get build-dep -y --no-install-recommends --host-architecture arm64 --build-profiles cross,nocheck ./
    su builder -c 'dpkg-buildpackage --host-arch=arm64 --build-profiles=cross,nocheck --no-sign --build=any'
" > "$dir/log" 2>&1 || { tail -n 20 "$dir/log" >&2; fail "no packages; the output is in $dir/log"; }

# A build of which the tools are those of the package, and what tests take besides is the other build's.
rm -rf "$tools" "$dir/tested"
mkdir -p "$tools" "$dir/tested/bin"
dpkg-deb --extract "$root$home"/pcemu_*_arm64.deb "$tools"
for file in "$build"/* "$build"/bin/*; do
    name=${file#"$build"/}
    [ "$name" = bin ] || ln -s "$file" "$dir/tested/$name"
done
ln -sf "$tools"/usr/bin/* "$dir/tested/bin"

# The loader and the libraries, and no other file that qemu-aarch64 would take from here in place of this system's.
sysroot=$dir/sysroot
rm -rf "$sysroot"
mkdir -p "$sysroot/usr/lib" "$sysroot/lib"
cp "$root/lib/ld-linux-aarch64.so.1" "$sysroot/lib"
ln -s "$root/usr/lib/aarch64-linux-gnu" "$sysroot/usr/lib"
ln -s "$root/usr/lib/aarch64-linux-gnu" "$sysroot/lib"

# The namespace has no user but root.
# shellcheck disable=SC2046 # names
set -- $(for name; do grep -q setpriv "tests/golden/cli/$name.cmd" || echo "$name"; done)

# ELF files of 64 bits, lower end first, programs or shared objects, for machine 183.
rule=':arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
rule=$rule':\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
rule=$rule:$root/usr/bin/qemu-aarch64:PF
export QEMU_LD_PREFIX="$sysroot"
unshare --user --map-root-user --mount sh -euc '
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    printf %s "$1" > /proc/sys/fs/binfmt_misc/register
    build=$2
    shift 2
    tests/golden/run_asm.sh "$build/bin"
    tests/golden/run_programs.sh "$build"
    tests/golden/run_cli.sh "$build" debug
    tests/golden/run_cli.sh "$build" cli "$@"
' sh "$rule" "$dir/tested" "$@"
echo "arm64.sh: the packages are cross-built; $# command lines: the same output as on amd64"
