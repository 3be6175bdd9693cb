#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The picture of the README: the command of the demo with the main parts of its report, as SVG on standard output.
# usage: picture.sh BUILD
set -eu
tests/demo.sh "$1" > "$1/demo.txt" 2>&1
# Paragraphs that are left out become one line with an ellipsis.
awk '
    function keep(text) { if (shown++) print ""; print text }
    function leave_out() { if (!left) keep("⋮"); left = 1 }
    BEGIN { RS = ""; FS = "\n" }
    /^\$ / || /^Loads by/ { keep($0); left = 0; next }
    /^Against the exact/ {
        leave_out()
        for (i = 1; i <= NF; i++)
            if ($i ~ /^(values scored|RMS error)/ || ($i ~ /^  / && $(i - 1) ~ /^values scored/))
                print $i
        found = 1
        exit
    }
    { leave_out() }
    END { exit !found }
' "$1/demo.txt" | awk -f tests/picture.awk
