# SPDX-License-Identifier: GPL-3.0-or-later
# A page of Markdown as a manual page (groff's man macros): the subset of Markdown that docs/ uses. Headings,
# paragraphs, lists, tables, code, bold, italics, links. A row of a table is a tagged paragraph: its tag is the first
# cell with code in it, and the other cells follow with their columns' titles. Lines that begin with the byte 1 are
# groff already.
# variable: page, the page itself as NAME(SECTION), for links to it

BEGIN {
    # Pages of docs/ that are manual pages.
    manual["assembler.md"] = manual["isa.md"] = "pasm(5)"
    manual["json.md"] = manual["report.schema.json"] = "pcemu-json(5)"
    manual["core-reference.md"] = "pcemu-config(5)"
    manual["tutorial.md"] = "pcemu-tutorial(7)"
}

# Characters that groff takes for something else. In code they must stay what they are in ASCII, to be copied.
function escape(text, code,    i, c, out) {
    out = ""
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "\\") out = out "\\e"
        else if (code && c == "-") out = out "\\-"
        else if (code && c == "'") out = out "\\(aq"
        else if (c == "`") out = out "\\(ga"
        else if (c == "^") out = out "\\(ha"
        else if (c == "~") out = out "\\(ti"
        else out = out c
    }
    return out
}

# Long code can be broken behind a dot or a bar.
function breakable(text) {
    gsub(/[.|]/, "&\\:", text)
    return text
}

# "NAME(5)" in bold and roman.
function reference(name,    at) {
    at = index(name, "(")
    return "\\fB" escape(substr(name, 1, at - 1), 1) "\\fP" substr(name, at)
}

# [text](target): the text, and the manual page or the file that the target is.
function link(text, target,    file, name, shown) {
    shown = inline(text)
    sub(/#.*/, "", target)
    if (target == "") return shown
    if (target ~ /^https?:/) return shown " (" escape(target, 1) ")"
    file = target
    sub(/.*\//, "", file)
    name = (file in manual) ? manual[file] : ""
    if (name == "" && !sub(/^(\.\.\/)+/, "", target)) target = "docs/" target
    if (name == page) return shown
    if (tolower(text) ".md" == file) return name != "" ? reference(name) : "\\fI" escape(target, 1) "\\fP"
    return shown " (" (name != "" ? reference(name) : "\\fI" escape(target, 1) "\\fP") ")"
}

# Code, emphasis and links.
function inline(text,    out, c, end, middle) {
    out = ""
    while (text != "") {
        c = substr(text, 1, 1)
        if (c == "`" && (end = index(substr(text, 2), "`")) > 0) {
            out = out "\\fB" breakable(escape(substr(text, 2, end - 1), 1)) "\\fP"
            text = substr(text, end + 2)
        } else if (substr(text, 1, 2) == "**" && (end = index(substr(text, 3), "**")) > 0) {
            out = out "\\fB" escape(substr(text, 3, end - 1), 0) "\\fP"
            text = substr(text, end + 4)
        } else if (match(text, /^\*[^* ][^*]*\*/) || match(text, /^_[^_ ][^_]*_/)) {
            out = out "\\fI" escape(substr(text, 2, RLENGTH - 2), 0) "\\fP"
            text = substr(text, RLENGTH + 1)
        } else if (match(text, /^\[[^]]*\]\([^)]*\)/)) {
            middle = index(text, "](")
            end = RLENGTH
            out = out link(substr(text, 2, middle - 2), substr(text, middle + 2, end - middle - 2))
            text = substr(text, end + 1)
        } else if (match(text, /^[a-z.-]+\([157]\)/)) {
            end = RLENGTH
            out = out reference(substr(text, 1, end))
            text = substr(text, end + 1)
        } else if (match(text, /^[A-Za-z0-9]+/)) {
            out = out substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
        } else {
            out = out escape(c, 0)
            text = substr(text, 2)
        }
    }
    return out
}

# A line of text, which must not look like a request.
function put(line) { print (line ~ /^[.']/ ? "\\&" : "") line }

function heading(text, macro) {
    flush()
    if (text ~ /`/) gsub(/`/, "", text)
    else if (macro == ".SH") text = toupper(text)
    gsub(/"/, "\\(dq", text)
    print macro " \"" escape_heading(text) "\""
}
function escape_heading(text) {
    gsub(/-/, "\\-", text)
    return text
}

# Block being collected: a paragraph ("p"), an item of a list ("i"), one with a number ("n"), a table ("t"), or
# nothing.
function flush() {
    if (kind == "p") print ".PP"
    if (kind == "i") print ".IP \\(bu 2"
    if (kind == "n") print ".IP " number " 4"
    if (kind == "p" || kind == "i" || kind == "n") put(inline(text))
    kind = text = ""
}

function cells(line, into,    n, i) {
    gsub(/\\\|/, "\002", line)
    sub(/^\|/, "", line)
    sub(/\|[ \t]*$/, "", line)
    n = split(line, into, "|")
    for (i = 1; i <= n; i++) {
        gsub(/^[ \t]+|[ \t]+$/, "", into[i])
        gsub(/\002/, "|", into[i])
    }
    return n
}

function row(line,    n, i, tag, middle, cell) {
    n = cells(line, cell)
    cell[n + 1] = ""
    tag = 0
    for (i = 1; i <= n && tag == 0; i++) if (cell[i] ~ /`/) tag = i
    for (i = 1; i <= n && tag == 0; i++) if (cell[i] != "") tag = i
    if (tag == 0) return
    if (tag == n && n > 1 && cell[1] != "") tag = 1
    # The last cell is the text, unless it is as short as a value.
    if (n > 2 && length(cell[n]) <= 12 && tag != n) n++
    middle = ""
    for (i = 1; i < n; i++)
        if (i != tag && cell[i] != "")
            middle = middle (middle != "" ? "; " : "") \
                (title[i] != "" ? "\\fI" escape(title[i], 0) "\\fP " : "") inline(cell[i])
    print ".TP"
    put(inline(cell[tag]))
    if (middle != "") put(middle)
    if (middle != "" && n != tag && cell[n] != "") print ".br"
    if (n != tag && cell[n] != "") put(inline(cell[n]))
    else if (middle == "") print "\\&"
}

function code_begins() {
    flush()
    print ".PP\n.in +4n\n.EX"
}
function code_line(line) { put(line == "" ? "\\&" : escape(line, 1)) }
function code_ends() { print ".EE\n.in" }

{ sub(/\r$/, "") }
/^\001/ { flush(); print substr($0, 2); next }
fenced && /^```/ { fenced = 0; code_ends(); next }
fenced { code_line($0); next }
/^```/ { fenced = 1; code_begins(); next }
# Four spaces are code, but not in a paragraph.
indented && /^    / { while (blank > 0) { code_line(""); blank-- } code_line(substr($0, 5)); next }
indented && /^$/ { blank++; next }
indented { indented = blank = 0; code_ends() }
kind == "" && /^    / { code_begins(); indented = 1; blank = 0; code_line(substr($0, 5)); next }
/^<!--/ { next }
/^!\[/ { next }
/^# / { flush(); next }
/^## / { heading(substr($0, 4), ".SH"); next }
/^###+ / { sub(/^#+ /, ""); heading($0, ".SS"); next }
/^$/ { flush(); next }
/^\|/ && kind != "t" { flush(); kind = "t"; titles = cells($0, title); next }
/^\|[-:| ]+\|$/ && kind == "t" { next }
/^\|/ { row($0); next }
kind == "t" { flush() }
/^- / { flush(); kind = "i"; text = substr($0, 3); next }
/^[0-9]+\. / && (kind == "" || kind == "n") {
    flush()
    kind = "n"
    number = $1
    text = substr($0, length($1) + 2)
    next
}
kind == "" { kind = "p"; text = $0; next }
{ sub(/^ +/, ""); text = text " " $0 }
END {
    if (indented || fenced) code_ends()
    flush()
}
