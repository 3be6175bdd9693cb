#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the inputs of the programs that are too large for the tree, in the current folder: text (500 kB), short (its
# beginning), lines (to be sorted), sound (16 bits, little endian), perlin.c. They are the same on every machine:
# integers alone decide.
set -eu
LC_ALL=C
export LC_ALL
awk 'function random(n) { state = state * 48271 % 2147483647; return state % n }
    function syllable() { return substr("stprtrchndgrplmsshbl", 2 * random(10) + 1, 1 + random(2)) substr("aeiouaeio", random(9) + 1, 1) }
    BEGIN {
        state = 12345
        for (i = 0; i < 4000; i++) {
            word[i] = ""
            for (k = 1 + random(3); k >= 0; k--) word[i] = word[i] syllable()
            if (random(3) == 0) word[i] = word[i] substr("nrstd", random(5) + 1, 1)
        }
        while (bytes < 500000) {
            line = ""
            for (k = 7 + random(8); k > 0; k--) {
                # Frequent words are few.
                n = int(random(4000) * random(4000) / 4000 * random(4000) / 4000)
                line = line word[n] (random(9) == 0 ? (k > 1 ? "," : ".") : "") (k > 1 ? " " : "")
            }
            print line
            bytes += length(line) + 1
        }
    }' > text
head -n 120 text > short
awk 'BEGIN {
        state = 99
        for (i = 0; i < 40000; i++) {
            state = state * 48271 % 2147483647
            printf "%07d name%d %x %d\n", state % 9999991, state % 4001, state, i
        }
    }' > lines
awk 'function wave(t, period) { t %= period; return 2 * t < period ? t / period : 1 - t / period }
    BEGIN {
        for (t = 0; t < 60000; t++) {
            high = int(128 + 100 * wave(t, 73 + int(t / 9000)) - 90 * wave(t, 311) + t * t % 17)
            printf "%c%c", 1 + t * 31 % 255, high < 129 ? high : 1 + high % 128
        }
    }' > sound
printf '#define STB_PERLIN_IMPLEMENTATION\n#include <stb/stb_perlin.h>\n' > perlin.c
