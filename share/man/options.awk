# SPDX-License-Identifier: GPL-3.0-or-later
# Description of a tool's command line (TOOL --describe, see base/options.h) as parts of a manual page, for
# md2man.awk: lines behind the byte 1 are groff.
# variable: part, one of: synopsis, description, options, words, exit

BEGIN { FS = "\t" }

function groff(text) { print "\001" text }
function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    gsub(/[.|]/, "&\\:", text)
    return text
}
function put(text) { groff((text ~ /^[.']/ ? "\\\\&" : "") escape_text(text)) }
# Text: options in it are code, hyphens of words are not.
function escape_text(text,    out) {
    gsub(/\\/, "\\e", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    out = ""
    while (match(text, /(^|[ (,])--?[a-z][a-z-]*/)) {
        out = out substr(text, 1, RSTART - 1) escape(substr(text, RSTART, RLENGTH))
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

$1 == "tool" { tool = $2 }

# The words of the usage line that are capitals are replaced by what the user means.
part == "synopsis" && $1 == "usage" {
    groff(".PP")
    groff("\\fB" escape(tool) "\\fP [\\fIoption\\fP...] " emphasis($2))
}
function emphasis(text,    out) {
    out = ""
    while (match(text, /[A-Z][A-Za-z.]*[A-Za-z]/)) {
        out = out substr(text, 1, RSTART - 1) "\\fI" substr(text, RSTART, RLENGTH) "\\fP"
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

# Examples are in a section of their own.
part == "description" && ($1 == "summary" || ($1 == "notes" && $2 !~ /^Example/)) { groff(".PP"); put($2) }
part == "exit" && $1 == "exit" { groff(".PP"); put(toupper(substr($2, 1, 1)) substr($2, 2)) }

part == "options" && $1 == "group" { groff(".SS \"" $2 "\"") }
part == "options" && $1 == "option" {
    argument = $4 != "-" ? "\\fI" escape($4) "\\fP" : ""
    tag = $3 != "-" ? "\\fB\\-" $3 "\\fP" : ""
    if ($2 != "") {
        tag = tag (tag != "" ? ", " : "") "\\fB\\-\\-" escape($2) "\\fP"
        if (argument != "") tag = tag ($5 ~ /optional/ ? "[=" argument "]" : "=" argument)
    }
    groff(".TP")
    groff(tag)
    put($6)
}

# The words that an argument may be, where they have meanings.
part == "words" && $1 == "option" { title = "Values of \\-\\-" escape($2) }
part == "words" && $1 == "argument" { title = "Values of " $2 }
part == "words" && $1 == "word" && ($3 != "" || $2 ~ /:[a-z-]+=./) {
    # The choices of an option of an item stand behind each other.
    if ($2 ~ /:[a-z-]+=./) {
        choice = $2
        sub(/.*=/, "", choice)
        groff((choices++ == 0 ? ".br\n\001" : ", ") escape(choice) "\\c")
        next
    }
    end_choices()
    if (title != "") groff(".SS \"" title "\"")
    title = ""
    groff(".TP")
    groff("\\fB" escape($2) "\\fP")
    put($3)
}
function end_choices() {
    if (choices > 0) groff("")
    choices = 0
}
END { end_choices() }
