# SPDX-License-Identifier: GPL-3.0-or-later
# Text as a picture of a terminal: SVG with colours for light and dark backgrounds. Lines that begin with "$ " are
# commands.

function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

{ line[NR] = $0; if (length($0) > columns) columns = length($0) }

END {
    if (!NR) exit 1
    width = int(columns * 7.83) + 32    # a character of 13 pixels is at most 7.83 wide in the fonts below
    height = NR * 18 + 26
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" " \
        "aria-label=\"the report of the demo\">\n", width, height, width, height
    print "<style>"
    print "rect { fill: #f6f8fa; stroke: #d0d7de }"
    print "text { fill: #1f2328; font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', " \
        "monospace; white-space: pre }"
    print ".command { font-weight: bold }"
    print "@media (prefers-color-scheme: dark) {"
    print "rect { fill: #0d1117; stroke: #30363d }"
    print "text { fill: #e6edf3 }"
    print "}"
    print "</style>"
    printf "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", width - 1, height - 1
    for (i = 1; i <= NR; i++)
        if (line[i] != "")
            printf "<text x=\"16\" y=\"%d\" xml:space=\"preserve\"%s>%s</text>\n", i * 18 + 10,
                line[i] ~ /^\$ / ? " class=\"command\"" : "", escape(line[i])
    print "</svg>"
}
