#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs make targets on another release of Debian: in a chroot, on a copy of the sources without their builds, as a user.
#   chroot.sh VERSION DIRECTORY GUESTS TARGET...
# VERSION is 12 or 13. GUESTS is a build here, whose guests are used: the outputs that tests expect of guests are those
# of Debian 12's compiler. The root is made below DIRECTORY once (root.sh); ./bootstrap installs there what the targets
# need. Must be run by root.
set -eu
[ $# -ge 4 ] || { echo "usage: chroot.sh VERSION DIRECTORY GUESTS TARGET..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
dir=$(cd "$2" && pwd)
root=$dir/root user=builder home=/home/builder guests=$3
if [ -e "$root" ]; then
    "$here/sources.sh" "$root"
else
    "$here/root.sh" "$1" "$dir"
fi
shift 3

rm -rf "$root$home/guests"
mkdir "$root$home/guests"
(cd "$guests" && tar --create workloads cases tests/checks/screens/demo) |
    tar --extract --no-same-owner --directory="$root$home/guests"
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
