#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks that every header is self-contained: it compiles alone. One that is the first that a source file includes is
# checked where that is compiled.
# usage: check_headers.sh "COMPILER FLAGS"
set -eu
first=$(mktemp)
trap 'rm -f "$first"' EXIT
find base contract isa asm emu host core-model tools -name '*.c' -exec awk 'FNR == 1 { found = 0 }
    /^#include/ && !found++ && /"/ { gsub(/"/, "", $2); print $2 }' {} + | sort -u > "$first"
for h in $(find base contract isa asm emu host core-model tools -name '*.h' | sort | comm -23 - "$first"); do
    printf '#include "%s"\nextern int check_headers;\n' "$h" | $1 -fsyntax-only -x c - ||
        { echo "$h: does not stand alone" >&2; exit 1; }
done
