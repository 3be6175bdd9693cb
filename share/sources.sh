#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the names of the sources, each ended by a NUL: what git has, or what an unpacked archive has besides builds.
# usage: sources.sh, in the folder of the sources
set -eu
if [ -e .git ]; then
    git ls-files -z
else
    find . -path ./build -prune -o -type f -printf '%P\0'
fi
