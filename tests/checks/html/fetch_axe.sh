#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches axe-core, whose rules of accessibility check_html.sh checks, from npm's registry, as Debian has no package of
# it: BUILD/axe/axe.min.js. npm compares the package with the registry's hash, and this script the file with its own.
# usage: fetch_axe.sh BUILD
set -eu
version=4.14.1 hash=29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c
mkdir -p "$1/axe"
cd "$1/axe"
is_right() { [ -f axe.min.js ] && [ "$(sha256sum < axe.min.js | cut -c 1-64)" = "$hash" ]; }
! is_right || exit 0
npm pack --silent --ignore-scripts "axe-core@$version" > /dev/null
tar -xzf "axe-core-$version.tgz" --strip-components=1 package/axe.min.js
rm "axe-core-$version.tgz"
is_right || { echo "fetch_axe.sh: axe.min.js of axe-core $version: expected the SHA-256 $hash, found $(sha256sum axe.min.js)" >&2; exit 1; }
