# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion of a tool, from what the tool says of its command line (TOOL --describe, see base/options.h):
# a function with the properties and words of each option, for the functions of bash.sh, which stand behind it. The
# tables of a tool's commands stand behind the tool's own. Names in it begin with the tool's.
# variable: template, the file bash.sh

BEGIN { FS = "\t" }

function quote(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}
function finish() {
    if (open) printf ")\n        properties=%s ;;\n", quote(properties)
    open = 0
}
function begin(pattern, what) {
    finish()
    printf "    %s)\n        words=(", pattern
    properties = what
    open = 1
}
# Name of an option in the case of a command: "show:--top".
function name(option) { return quote(command ":" option) }

$1 == "tool" {
    split($2, part, " ")
    command = part[2]
    if (tool == "") {
        tool = part[1]
        printf "# bash completion for %s %s\n# Made from its table of options.\n\n", tool, $3
        printf "# _%s_argument COMMAND:OPTION sets words and properties of its argument. ", tool
        print "It fails for what is no option."
        printf "# COMMAND: is a positional argument; COMMAND:options are the options.\n"
        printf "_%s_argument()\n{\n    case $1 in\n", tool
    }
    commands[++n] = command
}
$1 == "option" {
    long = "--" $2
    takes = $4 == "-" ? "flag" : $5
    begin(name(long) ($3 != "-" ? " | " name("-" $3) : ""), takes)
    all[command] = all[command] " " quote(long ($4 == "-" || $5 ~ /optional/ ? "" : "="))
}
$1 == "argument" { begin(name(""), $3) }
$1 == "word" { printf " %s", quote($2) }
END {
    finish()
    for (i = 1; i <= n; i++)
        printf "    '%s:options')\n        words=(%s) ;;\n", commands[i], substr(all[commands[i]], 2)
    print "    *)\n        return 1 ;;\n    esac\n}\n"
    while ((getline line < template) > 0) {
        if (line ~ /^#( SPDX|!| shellcheck)/) continue
        gsub(/_TOOL/, "_" tool, line)
        gsub(/@TOOL@/, tool, line)
        print line
    }
}
