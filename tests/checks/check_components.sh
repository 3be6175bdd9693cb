#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the dependencies between components: the headers that each component's files include, and the undefined
# symbols of its objects. Only tools/ joins components. No more than 8 files use each other in a circle.
# usage: check_components.sh [BUILD]     without BUILD: only the includes
set -eu
build=${1:-}
bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# Columns: a component or a part of one; the components and parts that it may use, the lowest first. A file belongs to
# the entry with the longest matching path prefix. Dependencies are acyclic, but for core-model/ itself, which has the
# interface of the cores (core.h) that its parts implement, and joins them (core.c).
cat > "$tmp/components" << 'TABLE'
base
contract                base
isa                     base contract
asm                     base contract isa
emu                     base contract isa
emu/debug               base contract isa emu
host/profile            base
host/symbols            base host/profile
host/analysis           base contract host/profile
host/report             base contract isa host/symbols
host/collect            base contract
host/driver             base contract isa host/symbols host/report
host/family             base contract isa host/symbols host/report host/analysis
host/run                base contract isa host/symbols host/profile host/collect
host/store              base contract host/profile
host/study              base host/report
host/export             base contract host/profile host/report
host/region             base
core-model/config       base contract isa
core-model/riscv        base contract isa
core-model/checkpoint   base
core-model/linux        base contract isa core-model/riscv core-model/checkpoint
core-model/mem          base contract isa core-model/config core-model/riscv core-model/checkpoint
core-model/bpred        base contract isa core-model/config core-model/riscv core-model/checkpoint
core-model/plugin       base contract isa core-model/config core-model/riscv core-model/mem core-model/bpred
core-model/probe        base contract isa core-model core-model/riscv
core-model/front        base contract isa core-model core-model/config core-model/probe core-model/mem
core-model/front        core-model/bpred core-model/riscv core-model/linux
core-model/pipe         base contract isa core-model core-model/config core-model/probe core-model/front
core-model/pipe         core-model/mem core-model/bpred core-model/riscv core-model/linux
core-model/inorder      base contract isa core-model core-model/config core-model/probe core-model/front
core-model/inorder      core-model/mem core-model/bpred core-model/riscv core-model/linux
core-model/gdb          base contract isa core-model/riscv core-model/linux
core-model              base contract isa core-model/config core-model/probe core-model/front core-model/pipe
core-model              core-model/inorder core-model/mem core-model/bpred core-model/riscv core-model/linux
core-model              core-model/checkpoint
core-model/schedule     base contract isa core-model core-model/config core-model/inorder core-model/riscv
core-model/record       base contract isa core-model core-model/config core-model/probe core-model/front
core-model/record       core-model/riscv core-model/linux
core-model/prof         base contract isa core-model core-model/config core-model/probe core-model/record
core-model/prof         core-model/front core-model/riscv core-model/linux core-model/plugin
tools                   *
tests                   *
TABLE

# Returns the longest entry of the table that is a prefix of the path.
cat > "$tmp/component.awk" << 'AWK'
function component(path,    c, best) {
    best = ""
    for (c in allowed)
        if (index(path, c "/") == 1 && length(c) > length(best))
            best = c
    return best
}
function may_use(user, used) {
    return user == used || used == "" || allowed[user] ~ /\*/ || index(" " allowed[user] " ", " " used " ") > 0
}
FILENAME == table { user = $1; $1 = ""; sub(/^ +/, ""); allowed[user] = allowed[user] " " $0; next }
AWK

# ---- headers ----
find base contract isa asm emu host core-model -name '*.[chly]' -o -name '*.def' -o -name '*.inc' | sort |
    xargs grep -nE '^#include "' /dev/null > "$tmp/includes"
cat "$tmp/component.awk" - > "$tmp/includes.awk" << 'AWK'
{
    split($0, part, ":")
    match($0, /"[^"]*"/)
    header = substr($0, RSTART + 1, RLENGTH - 2)
    user = component(part[1])
    if (header !~ /\// || may_use(user, component(header)))
        next
    print part[1] ":" part[2] ": " user "/ includes " header "; it may use: " \
        (allowed[user] != "" ? allowed[user] : "nothing else")
    found = 1
}
END { exit found }
AWK
awk -v table="$tmp/components" -f "$tmp/includes.awk" "$tmp/components" "$tmp/includes" >&2 || bad=1

# ---- symbols ----
if [ -n "$build" ]; then
    (cd "$build/obj" && find base contract isa asm emu host core-model gen -name '*.o' | sort | xargs nm -A) |
        sed 's|^gen/||' > "$tmp/symbols"
    cat "$tmp/component.awk" - > "$tmp/symbols.awk" << 'AWK'
{
    file = $1
    sub(/:.*/, "", file)
    name = $NF
    kind = $(NF - 1)
    if (kind ~ /^[TDBRC]$/)
        owner[name] = file
    else if (kind == "U")
        need[file " " name] = 1
}
END {
    for (n in need) {
        split(n, part, " ")
        user = component(part[1])
        if (!(part[2] in owner) || may_use(user, component(owner[part[2]])))
            continue
        print part[1] ": " user "/ uses " part[2] " of " owner[part[2]] "; it may use: " \
            (allowed[user] != "" ? allowed[user] : "nothing else")
        found = 1
    }
    exit found
}
AWK
    awk -v table="$tmp/components" -f "$tmp/symbols.awk" "$tmp/components" "$tmp/symbols" >&2 || bad=1

    # ---- circles ----
    # Files that use each other, directly or through others, are read and tested only together: at most 8 of them.
    # Exceptions: a folder whose files may be in one larger circle, and the reason.
    cat > "$tmp/circles" << 'TABLE'
core-model/pipe         stages squash and wake each other; the memoised cycle calls and replays all of them
TABLE
    (cd "$build/obj" && find tools -name '*.o' | sort | xargs nm -A) >> "$tmp/symbols"
    cat > "$tmp/circles.awk" << 'AWK'
FILENAME == table { excepted[$1 "/"]; next }
# An object whose source has been removed stays in the build.
function has_source(object,    path, line) {
    if (object in known)
        return known[object]
    path = object
    sub(/\.o$/, ".c", path)
    known[object] = (getline line < path) > 0 || (getline line < (gen "/" path)) > 0
    close(path)
    close(gen "/" path)
    return known[object]
}
{
    file = name = kind = $0
    sub(/:.*/, "", file)
    sub(/.* /, "", name)
    sub(/ [^ ]*$/, "", kind)
    sub(/.* /, "", kind)
    if (!has_source(file))
        next
    if (kind ~ /^[TDBRC]$/ && owner[name] != file)
        owner[name] = name in owner && owner[name] != "" ? "-" : file
    else if (kind == "U")
        need[file " " name]
}
# Tarjan: the files that can reach each other have one root.
function visit(v,    i, n, to, w) {
    order[v] = low[v] = ++visited
    stack[++depth] = v
    n = split(uses[v], to, " ")
    for (i = 1; i <= n; i++) {
        w = to[i]
        if (!(w in order))
            visit(w)
        if (!(w in done) && low[w] < low[v])
            low[v] = low[w]
    }
    if (low[v] != order[v])
        return
    circle = ""
    size = 0
    do {
        w = stack[depth--]
        done[w]
        circle = circle "\n  " w
        size++
    } while (w != v)
    if (size > most && !is_excepted(circle)) {
        print "a circle of " size " files by symbols, expected at most " most \
            "; move what closes it to a file that uses none of these:" circle
        found = 1
    }
}
function is_excepted(circle,    files, i, n, folder, all) {
    n = split(circle, files, "\n  ")
    for (folder in excepted) {
        all = 1
        for (i = 2; i <= n; i++)
            all = all && index(files[i], folder) == 1
        if (all)
            return 1
    }
    return 0
}
END {
    for (n in need) {
        split(n, part, " ")
        to = owner[part[2]]
        if (to != "" && to != "-" && to != part[1] && !((part[1], to) in edge)) {
            edge[part[1], to]
            uses[part[1]] = uses[part[1]] " " to
        }
    }
    for (v in uses)
        if (!(v in order))
            visit(v)
    exit found
}
AWK
    awk -v table="$tmp/circles" -v gen="$build/gen" -v most=8 -f "$tmp/circles.awk" \
        "$tmp/circles" "$tmp/symbols" >&2 || bad=1
fi

# below FILE NAMES: checks that a file of the debugger calls no file of a higher layer.
below() {
    if grep -nE "\\b($2)_[a-z_]+\\(" "emu/debug/$1" /dev/null; then
        echo "  ^ emu/debug/$1 is below these (debugger.h's list)" >&2
        bad=1
    fi
}
below key.c 'machine|stops|show|past|travel|command|debug'
below machine.c 'stops|show|past|travel|command|debug'
below text.c 'stops|past|travel|command|debug'
below arguments.c 'stops|show|past|travel|command|debug'
below stops.c 'breakpoints|past|travel|command|debug'
below show.c 'past|travel|command|debug'
below past.c 'show|travel|command|debug'
below travel.c 'command|debug'
below script.c 'session|command|debug'
below session.c 'command|debug'

# Every file has a licence line.
{
    printf '%s\n' Makefile bootstrap
    find base contract isa asm emu host core-model tools programs share tests \
        -name '*.[chly]' -o -name '*.def' -o -name '*.conf' -o \
        -name '*.js' -o -name '*.css' -o -name '*.sh' -o -name '*.mk' -o -path 'share/*.awk' -o \
        -path 'tests/eval/experiments/*.awk' -o -path 'programs/*.pasm' | sort
} | xargs awk '
    function check() {
        if (file == "" || found)
            return
        print file ": no licence line"
        bad = 1
    }
    FNR == 1 { check(); file = FILENAME; found = 0 }
    FNR <= 3 && /SPDX-License-Identifier: GPL-3.0-or-later/ { found = 1 }
    END { check(); exit bad }' >&2 || bad=1

# A name of a function, a structure or an enumeration stands for one thing in the whole tree, static ones too. Sources
# are formatted: a definition begins in the first column, and its `{` is on that line or alone on a line.
find base contract isa asm emu host core-model tools -name '*.[ch]' -o -name '*.inc' | sort | xargs awk '
    function define(kind, name) {
        if (name == "main")
            return
        name = kind name
        if (name in first && first[name] != FILENAME) {
            print FILENAME ":" FNR ": " name " is defined in " first[name] " too"
            found = 1
        }
        first[name] = FILENAME
    }
    FNR == 1 { name = "" }
    { gsub(/__attribute__\(\([a-z_(), 0-9"]*\)\) ?/, "") }
    match($0, /^(struct|union|enum) [a-z_0-9]+ \{/) { define($1 " ", $2); name = ""; next }
    /^[a-z].*[ *][a-z_0-9]+\(/ && !/^(typedef|extern) / {
        name = $0
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
    }
    name == "" { next }
    /^\{/ || (/^[a-z].*\{/ && !/;$/) { define("", name); name = ""; next }
    /;$/ || /^$/ { name = "" }
    END { exit found }' >&2 || bad=1
exit $bad
