#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs make targets on another release of Debian: in a chroot, on a copy of the sources without their builds, as a user.
#   chroot.sh VERSION DIRECTORY GUESTS TARGET...
# VERSION is 12 or 13. GUESTS is a build here, whose guests are used: the outputs that tests expect of guests are those
# of Debian 12's compiler. The root is made below DIRECTORY once, from the archive that this machine's apt sources name;
# ./bootstrap installs there what the targets need. Must be run by root, who alone can chroot and mount.
set -eu
[ $# -ge 4 ] || { echo "usage: chroot.sh VERSION DIRECTORY GUESTS TARGET..." >&2; exit 2; }
case $1 in
12) suite=bookworm ;;
13) suite=trixie ;;
*) echo "chroot.sh: expected version 12 or 13, found '$1'" >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || { echo "chroot.sh: chroot needs root: run it with sudo" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
dir=$(cd "$2" && pwd)
root=$dir/root user=builder home=/home/builder guests=$3
shift 3

if [ ! -e "$dir/made" ]; then
    rm -rf "$root"
    uri=$("$here/archive.sh")
    mmdebstrap --mode=root --variant=minbase --customize-hook="chroot \"\$1\" useradd --create-home $user" "$suite" \
        "$root" \
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
    touch "$dir/made"
fi

# What git has, as it is in the working tree.
rm -rf "$root$home/sources" "$root$home/guests"
mkdir "$root$home/sources"
mkdir "$root$home/guests"
(cd "$guests" && tar --create workloads cases tests/checks/screens/demo) |
    tar --extract --no-same-owner --directory="$root$home/guests"
(cd "$here/../../.." && git ls-files -z | tar --create --null --files-from=-) |
    tar --extract --no-same-owner --directory="$root$home/sources"
chroot "$root" chown -R "$user:$user" "$home"

# Mounts and processes end with the namespaces. Root installs the packages and does not run make.
# shellcheck disable=SC2016 # expanded inside
unshare --mount --pid --fork sh -euc '
    root=$1 user=$2 home=$3
    shift 3
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    MAKE=true chroot "$root" "$home/sources/bootstrap" "$@" > "$root/../bootstrap.log" ||
        { tail "$root/../bootstrap.log"; exit 1; }
    exec chroot "$root" su - "$user" -c "exec $home/sources/bootstrap $*"
' sh "$root" "$user" "$home" WERROR=yes GUESTS=$home/guests "$@"
