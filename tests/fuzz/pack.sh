#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs the inputs of a fuzz harness:
#   pack.sh FOLDER > tests/fuzz/corpus/TARGET.tar
# The archive holds the files of FOLDER, sorted, without owners and times, so the same inputs give the same bytes.
# An input is added to the harness TARGET by
#   make check-fuzz-corpus                            unpacks the archives into build/tests/fuzz/corpus
#   cp FILE build/tests/fuzz/corpus/TARGET/NAME
#   tests/fuzz/pack.sh build/tests/fuzz/corpus/TARGET > tests/fuzz/corpus/TARGET.tar
set -eu
cd "$1"
find . -type f -printf '%P\n' | LC_ALL=C sort | tar -c --format=ustar --owner=0 --group=0 --numeric-owner --mode=644 \
    --mtime='2000-01-01 00:00:00 UTC' --hard-dereference --no-recursion --verbatim-files-from -T -
