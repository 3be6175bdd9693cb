#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the installed files: manual pages, completions, editor files, the pkg-config file, `make help`, versions. Each
# part is a script in tests/checks/share.
# usage: check_share.sh BUILD
set -eu
build=$(cd "$1" && pwd)
export build LC_ALL=C.UTF-8
unset MAKEFLAGS MFLAGS MAKELEVEL # what make exports
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export tmp
make -s BUILD="$1" DESTDIR="$tmp/root" PREFIX=/opt/lab install
export root="$tmp/root/opt/lab"
bad=0
for part in manual completion install editors; do
    sh -eu "tests/checks/share/$part.sh" || { echo "tests/checks/share/$part.sh: fails" >&2; bad=1; }
done
exit $bad
