#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the picture of the README as SVG: the command of the demo and the main parts of its report.
# usage: picture.sh BUILD
set -eu
tests/checks/demo.sh "$1" > "$1/demo.txt" 2>&1
# Omitted paragraphs become one line with an ellipsis.
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
' "$1/demo.txt" | awk -f tests/checks/picture.awk
