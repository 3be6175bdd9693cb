#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints C with the style and the script of pcprof report's page, and their hashes in the form of a
# Content-Security-Policy. Files of one kind are joined in the order given.
# usage: parts.sh FILE...
set -eu
export LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for file; do
    cat "$file" >> "$tmp/${file##*.}"
done
echo '#include "tools/pcprof/page.h"'
for kind in css js; do
    echo "const unsigned char page_${kind}[] = {"
    od -An -v -tu1 "$tmp/$kind" | sed 's/[0-9][0-9]*/&,/g'
    echo '};'
    echo "const size_t page_${kind}_bytes = sizeof page_${kind};"
    hash=$(sha256sum < "$tmp/$kind" | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | basenc --base64)
    echo "const char page_${kind}_hash[] = \"sha256-$hash\";"
done
