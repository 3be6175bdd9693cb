#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The architecture as a test: which component may use which, by the headers that its files include and by the symbols
# that its objects need. Only pcemu's and pcprof's main files join components.
# usage: check_components.sh [BUILD]; without BUILD includes alone are checked.
set -eu
build=${1:-}
bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# A component or a part of one, and what it may use beside itself. A file belongs to the longest name that its path
# begins with. Components (the first part of a path) never use each other in a circle; a component's own first level and
# its parts may.
cat > "$tmp/components" << 'TABLE'
isa/support
isa/contract            isa isa/support
isa                     isa/support isa/contract
asm                     isa isa/support isa/contract
emu/pcemu               *
emu/debug               emu isa isa/support isa/contract
emu                     isa isa/support isa/contract
host                    isa isa/support isa/contract
core-model/riscv        isa isa/support isa/contract
core-model/linux        core-model/riscv isa isa/support isa/contract
core-model/mem          core-model core-model/riscv isa isa/support isa/contract
core-model/bpred        core-model core-model/riscv isa isa/support isa/contract
core-model/front        core-model core-model/mem core-model/bpred core-model/riscv core-model/linux isa isa/support isa/contract
core-model/pipe         core-model core-model/front core-model/mem core-model/bpred core-model/riscv core-model/linux isa isa/support isa/contract
core-model/inorder      core-model core-model/front core-model/mem core-model/bpred core-model/riscv core-model/linux isa isa/support isa/contract
core-model/record       core-model core-model/front core-model/riscv core-model/linux isa isa/support isa/contract
core-model/prof         core-model core-model/record core-model/front core-model/riscv core-model/linux isa isa/support isa/contract
core-model              core-model/pipe core-model/inorder core-model/front core-model/mem core-model/bpred core-model/riscv core-model/linux isa isa/support isa/contract
tests                   *
TABLE

# The longest name of the table that a path begins with.
cat > "$tmp/component.awk" << 'AWK'
function component(path,    c, best) {
    best = ""
    for (c in allowed)
        if (index(path, c "/") == 1 && length(c) > length(best))
            best = c
    return best
}
function may_use(user, used) { return user == used || used == "" || allowed[user] ~ /\*/ || index(" " allowed[user] " ", " " used " ") > 0 }
FILENAME == table { user = $1; $1 = ""; sub(/^ +/, ""); allowed[user] = $0; next }
AWK

# ---- headers ----
find isa asm emu host core-model -name '*.[chly]' -o -name '*.def' -o -name '*.inc' | sort | xargs grep -nE '^#include "' /dev/null > "$tmp/includes"
cat "$tmp/component.awk" - > "$tmp/includes.awk" << 'AWK'
{
    split($0, part, ":")
    match($0, /"[^"]*"/)
    header = substr($0, RSTART + 1, RLENGTH - 2)
    user = component(part[1])
    if (header !~ /\// || may_use(user, component(header)))
        next
    print part[1] ":" part[2] ": " user "/ includes " header "; it may use: " (allowed[user] != "" ? allowed[user] : "nothing else")
    found = 1
}
END { exit found }
AWK
awk -v table="$tmp/components" -f "$tmp/includes.awk" "$tmp/components" "$tmp/includes" >&2 || bad=1

# ---- symbols ----
if [ -n "$build" ]; then
    (cd "$build/obj" && find isa asm emu host core-model gen -name '*.o' ! -name '*main.o' | sort | xargs nm -A) |
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
        print part[1] ": " user "/ uses " part[2] " of " owner[part[2]] "; it may use: " (allowed[user] != "" ? allowed[user] : "nothing else")
        found = 1
    }
    exit found
}
AWK
    awk -v table="$tmp/components" -f "$tmp/symbols.awk" "$tmp/components" "$tmp/symbols" >&2 || bad=1
fi

# below FILE NAMES: a file of the debugger calls none of those that build on it.
below() {
    if grep -nE "\\b($2)_[a-z_]+\\(" "emu/debug/$1" /dev/null; then
        echo "  ^ emu/debug/$1 is below these (debugger.h's list)" >&2
        bad=1
    fi
}
below key.c 'machine|stops|show|past|travel|command|debug'
below machine.c 'stops|show|past|travel|command|debug'
below stops.c 'breakpoints|past|travel|command|debug'
below show.c 'past|travel|command|debug'
below past.c 'show|travel|command|debug'
below travel.c 'command|debug'

# Every file says its licence.
for f in Makefile bootstrap $(find isa asm emu host core-model programs share tests -name '*.[chly]' -o -name '*.def' -o -name '*.conf' \
    -o -name '*.sh' -o -name '*.mk' -o -path 'share/*.awk' -o -path 'programs/*.pasm' | sort); do
    head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || { echo "$f: no licence line" >&2; bad=1; }
done

# Two structures of one name in two components are two names.
for c in isa asm emu host core-model; do
    find "$c" -name '*.[chly]' -exec grep -hoE '^struct [a-z_0-9]+ \{' {} + | sort -u | sed "s|\$| $c|"
done | awk '{ in_[$2] = in_[$2] " " $4; n[$2]++ } END { for (s in n) if (n[s] > 1) { print "struct " s " is defined in" in_[s]; found = 1 } exit found }' >&2 || bad=1
exit $bad
