#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints C with a part of pcprof's pages, and its hash in the form of a Content-Security-Policy: the files, joined in the
# order given, as the array NAME.
# usage: parts.sh NAME FILE...
set -eu
export LC_ALL=C
name=$1
shift
echo '#include "tools/pcprof/page.h"'
echo "const unsigned char $name[] = {"
cat "$@" | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
echo '};'
echo "const size_t ${name}_bytes = sizeof $name;"
hash=$(cat "$@" | sha256sum | cut -c 1-64 | tr a-f A-F | basenc -d --base16 | basenc --base64)
echo "const char ${name}_hash[] = \"sha256-$hash\";"
