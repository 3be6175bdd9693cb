#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks that every header is self-contained: it compiles alone.
# usage: check_headers.sh "COMPILER FLAGS"
set -eu
for h in $(find isa asm emu host core-model -name '*.h' | sort); do
    printf '#include "%s"\nextern int check_headers;\n' "$h" | $1 -fsyntax-only -x c - ||
        { echo "$h: does not stand alone" >&2; exit 1; }
done
