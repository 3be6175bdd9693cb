#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the picture of the README as SVG: what the demo prints, without its last paragraph.
# usage: picture.sh BUILD
set -eu
tests/checks/demo.sh "$1" > "$1/demo.txt"
sed '/^What now:/d' "$1/demo.txt" | sed '${/^$/d;}' | awk -f tests/checks/picture.awk
