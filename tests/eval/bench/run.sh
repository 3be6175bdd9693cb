#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of the functional core relative to qemu-riscv64 on the programs of this folder, in interleaved runs (race.c).
#   run.sh [BUILD [ROUNDS [PREFIX...]]]      PREFIX: int fp (default both, each with its own mean)
# QEMU and RVCC name the emulator and the cross compiler; LENGTH multiplies the programs' length (1).
set -eu

build=${1:-build}
rounds=${2:-5}
if [ $# -gt 2 ]; then shift 2; else set -- int fp; fi
qemu=${QEMU:-qemu-riscv64}
rvcc=${RVCC:-riscv64-linux-gnu-gcc}
here=$(dirname "$0")

for tool in "$qemu" "$rvcc"; do
    command -v "$tool" >/dev/null || { echo "run.sh: skipped: no $tool"; exit 0; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

${CC:-gcc} -std=c17 -D_GNU_SOURCE -I"$here/../../.." -O2 -Wall -Wextra -Werror -o "$work/race" "$here/race.c" \
    "$build/lib/libcore-model.a" "$build/lib/libisa.a" -lelf -lm
for prefix; do
    mkdir -p "$work/$prefix"
    for source in "$here/${prefix}_"*.c; do
        "$rvcc" -O2 -static -DLENGTH="${LENGTH:-1}" -o "$work/$prefix/$(basename "$source" .c)" "$source" -lm
    done
    "$work/race" "$qemu" "$rounds" "$work/$prefix"/*
done
