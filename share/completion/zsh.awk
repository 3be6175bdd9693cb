# SPDX-License-Identifier: GPL-3.0-or-later
# zsh completion of a tool, from what the tool says of its command line (TOOL --describe, see base/options.h).
# The tables of a tool's commands stand behind the tool's own. A table becomes a function that calls _arguments.

BEGIN { FS = "\t" }

function quote(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}
# In a specification of _arguments.
function escape(text) {
    gsub(/[\[\]:\\]/, "\\\\&", text)
    return text
}

# Completion of an argument.
function action(    list) {
    if (words == "") return properties ~ /files/ ? "_files" : properties ~ /folders/ ? "_files -/" : " "
    list = "compadd -S '' -" words
    gsub(/:/, "\\:", list) # a colon would end the specification
    if (properties ~ /items/) return "{ compset -P '*,'; " list " }"
    return properties ~ /files/ ? "{ " list "; _files }" : "{ " list " }"
}
function add(spec) { specs = specs "        " quote(spec) " \\\n" }
# Ends the option or argument whose words have been read.
function finish() {
    if (long != "" && argument == "-") {
        add(exclude long help)
        if (short != "-") add(exclude "-" short help)
    } else if (long != "") {
        optional = properties ~ /optional/
        add("*" long (optional ? "=-" : "=") help (optional ? "::" : ":") escape(argument) ":" action())
        if (short != "-") add("*-" short "+" help ":" escape(argument) ":" action())
    } else if (argument != "") {
        add("1:" escape(argument) ":" action())
        if (properties ~ /rest/) add("*::" (commands ? "argument:->command" : "argument: _files"))
    }
    long = argument = words = ""
}
function end_table() {
    finish()
    if (specs == "") return
    body[tables++] = "{\n    local state\n    _arguments -C -S -s" (in_order ? " -A '-*'" : "") " \\\n" \
        substr(specs, 1, length(specs) - 3)
    specs = ""
}

$1 == "tool" {
    end_table()
    split($2, part, " ")
    if (tool == "") tool = part[1]
    if (version == "") version = $3
    command[tables] = part[2]
}
$1 == "usage" { in_order = $2 ~ /\[ARG\.\.\.\]/; commands = $2 ~ /COMMAND/ }
$1 == "option" { finish(); long = "--" $2; short = $3; argument = $4; properties = $5; help = "[" escape($6) "]" }
$1 == "option" { exclude = short != "-" ? "(-" short " " long ")" : "" }
$1 == "argument" { finish(); argument = $2; properties = $3 }
$1 == "word" && $2 !~ /:[a-z-]+=./ { sub(/FILE$/, "", $2); words = words " " $2 }
END {
    end_table()
    printf "#compdef %s\n# Made from the table of options of %s %s.\n", tool, tool, version
    for (i = tables - 1; i >= 0; i--) {
        printf "\n_%s%s()\n%s\n", tool, command[i] != "" ? "_" command[i] : "", body[i]
        if (i == 0 && tables > 1)
            printf "    [[ $state == command ]] && (( $+functions[_%s_$words[1]] )) && _%s_$words[1]\n", tool, tool
        print "}"
    }
    printf "\n_%s \"$@\"\n", tool
}
