# SPDX-License-Identifier: GPL-3.0-or-later
# The TextMate grammar of .pasm, which VS Code reads, from the words that pasm-words prints. variable: version

BEGIN {
    FS = "\t"
    split("keyword:keyword.control mnemonic:keyword.mnemonic condition:keyword.control.condition " \
        "class:support.type field:variable.language.field operand:constant.language format:storage.modifier " \
        "lane:variable.other.lane", scopes, " ")
    for (i = 1; i in scopes; i++) {
        split(scopes[i], part, ":")
        order[i] = part[1]
        scope[part[1]] = part[2]
    }
}
function add(list, word) { return list (list != "" ? "|" : "") word }
$1 == "directive" { directives = add(directives, substr($2, 2)); next }
$1 == "register" { registers = registers $2; next }
!($1 in scope) { print "textmate.awk: words of the kind '" $1 "' have no scope" > "/dev/stderr"; bad = 1; exit 1 }
{ words[$1] = add(words[$1], $2) }

# The text of a string of JSON. Without sub, whose backslashes differ between awks.
function json(text,    i, c, out) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        out = out (c == "\"" || c == "\\" ? "\\" : "") c
    }
    return out
}
function pattern(name, match_, last) {
    printf "    { \"name\": \"%s.pasm\", \"match\": \"%s\" }%s\n", name, json(match_), last ? "" : ","
}
END {
    if (bad) exit 1
    printf "{\n  \"comment\": \"Made from the tables of pcasm %s.\",\n", version
    print "  \"name\": \"pasm\",\n  \"scopeName\": \"source.pasm\","
    print "  \"fileTypes\": [\"pasm\"],\n  \"patterns\": ["
    pattern("comment.line", ";.*$")
    pattern("string.quoted.double", "\"(?:[^\"\\\\]|\\\\.)*\"")
    pattern("constant.character", "'(?:[^'\\\\]|\\\\.)'")
    pattern("keyword.directive", "^\\s*\\.(?:" directives ")\\b")
    pattern("invalid.illegal", "^\\s*\\.[A-Za-z_]\\w*")
    pattern("entity.name.label", "^\\s*[A-Za-z_]\\w*(?=\\s*:)")
    pattern("constant.numeric", "\\b(?:0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|[0-9]+)\\b")
    pattern("variable.register", "\\b[" registers "][0-9]+\\b")
    for (i = 1; i in order; i++) pattern(scope[order[i]], "\\b(?:" words[order[i]] ")\\b", !((i + 1) in order))
    print "  ]\n}"
}
