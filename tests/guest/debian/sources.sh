#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Copies the sources into the home of a root's user "builder": what git has, as it is in the working tree.
# usage: sources.sh ROOT
set -eu
home=$1/home/builder
rm -rf "$home/sources"
mkdir "$home/sources"
(cd "$(dirname "$0")/../../.." && share/sources.sh | tar --create --null --files-from=-) |
    tar --extract --no-same-owner --directory="$home/sources"
chroot "$1" chown -R builder:builder /home/builder
