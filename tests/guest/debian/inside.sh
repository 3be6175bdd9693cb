# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Commands in the root of another release of Debian (root.sh). Sourced.

# inside ROOT COMMAND: runs it by root there, with no more of the environment than PATH; mounts and processes end with
# the namespaces
inside() {
    unshare --mount --pid --fork sh -euc '
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        exec env -i PATH="$PATH" chroot "$1" sh -euc "$2"
    ' sh "$1" "$2" < /dev/null
}

# installed ROOT: prints the number of packages, and their size in kilobytes
installed() { chroot "$1" dpkg-query -W -f '${Installed-Size}\n' | awk '{ s += $1 } END { print NR, s }'; }
