# SPDX-License-Identifier: GPL-3.0-or-later
# Vim's syntax file of .pasm, from the words that pasm-words prints. variable: version

BEGIN { FS = "\t"; bar = "\\|" }
$1 == "directive" { directives = directives (directives != "" ? bar : "") substr($2, 2); next }
$1 == "register" { registers = registers $2; next }
{ if (!($1 in words)) order[n++] = $1; words[$1] = words[$1] " " $2 }

function group(kind) { return "pasm" toupper(substr(kind, 1, 1)) substr(kind, 2) }
END {
    split("keyword:Keyword mnemonic:Statement condition:Conditional class:Type field:Identifier operand:Special " \
        "format:StorageClass lane:Identifier directive:PreProc register:Identifier label:Label comment:Comment " \
        "string:String number:Number unknown:Error", links, " ")
    print "\" Vim syntax file: .pasm, assembly language of the profiling co-processor"
    printf "\" Made from the tables of pcasm %s.\n\n", version
    print "if exists(\"b:current_syntax\")\n  finish\nendif\n"
    for (i = 0; i < n; i++) printf "syn keyword %s%s\n", group(order[i]), words[order[i]]
    # A later item wins where two begin at the same place.
    printf "syn match pasmRegister \"\\<[%s]\\d\\+\\>\"\n", registers
    print "syn match pasmNumber \"\\<\\%(0x\\x\\+\\|0o\\o\\+\\|0b[01]\\+\\|\\d\\+\\)\\>\""
    print "syn match pasmNumber \"'\\%([^'\\\\]\\|\\\\.\\)'\""
    # A label is a name that begins a line, and a colon. Members of a slot have the form of one.
    print "syn match pasmLabel \"^\\s*\\zs\\h\\w*\\ze\\s*:\""
    print "syn match pasmUnknown \"^\\s*\\zs\\.\\h\\w*\""
    printf "syn match pasmDirective \"^\\s*\\zs\\.\\%%(%s\\)\\>\"\n", directives
    print "syn region pasmString start=+\"+ skip=+\\\\.+ end=+\"+ oneline"
    print "syn match pasmComment \";.*$\"\n"
    for (i = 1; i in links; i++) {
        split(links[i], link, ":")
        printf "hi def link %s %s\n", group(link[1]), link[2]
    }
    print "\nlet b:current_syntax = \"pasm\""
}
