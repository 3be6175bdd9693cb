# SPDX-License-Identifier: GPL-3.0-or-later
# Sums of coverage by file. Input: file, line, count, and the counts of the line's branches separated by commas, a line
# each, sorted by file. Output, a line for each file: its name, lines, lines executed, branches, branches taken, and the
# numbers of the lines that miss something (12: not executed; 12b3: three branches not taken).
#
# Not counted, because no test can execute it: statements that end the tools for an internal fault, which are BUG(), and
# out_of_memory(), which ends them if memory is exhausted. The branches that lead to such a statement are not counted
# either unless they were taken: those of the condition before it, and one for each label or loop before it.
# Nor are failures of REQUIRE(), which are internal faults, and the branches of uthash's macros (HASH_...), which are
# those of that library.
#
# The branches of a row of a table (.def) are those of the macro that the row calls. They count once for all rows with
# as many branches, and are taken if they are for one of those rows. A row of run_pairs.def makes eight handlers of its
# pair, whose branches are those of one. A switch whose cases are the rows of a table, or are generated from them
# (.inc), has one branch.
BEGIN {
    FS = OFS = "\t"
    copies["core-model/riscv/run_pairs.def"] = 8
}

function indent(s) { match(s, /^ */); return RLENGTH }

# The nearest line before line n with this indentation that begins a statement.
function opening(n, column, start) {
    while (--n > 0)
        if (indent(text[n]) == column && text[n] ~ start)
            return n
    return 0
}

# The first line of the condition that ends in line n.
function condition(n) {
    while (n > 0 && text[n] !~ /^ *(} )?(else )?(if|for|while) \(|^ *(} )?else/)
        n--
    return n
}

# Marks the branches that lead to the statement in line n.
function spare(n, column, line, before) {
    column = indent(text[n])
    if (text[n] ~ /^ *(if|for|while) \(/)
        spared[n] = ALL
    if (text[n] ~ /^ *(if|for|while|default:)/)
        before = n
    else
        before = n - 1
    if (text[before] ~ /^ *(default:|case .*:)/)
        for (; text[before] ~ /^ *(default:|case .*:)/; before--)
            spared[opening(before, indent(text[before]), "^ *switch \\(")]++
    else if (text[before] ~ /^ *}$/ && indent(text[before]) == column)
        spared[opening(before, column, "^ *(switch|for|while) \\(")]++
    else if (before < n && indent(text[before]) < column)
        for (line = condition(before); line <= before; line++)
            spared[line] = ALL
}

# Whether the cases of the switch in line n are rows of a table.
function has_rows(n, from) {
    for (from = n; n < from + 12 && text[n] !~ /^ *}$/; n++)
        if (text[n] ~ /^#include ".*\.(def|inc)"/)
            return 1
    return 0
}

function read_source(name, n, at, line) {
    split("", text)
    split("", of_rows)
    split("", excluded)
    split("", spared)
    for (n = 0; (getline line < name) > 0;)
        text[++n] = line
    close(name)
    for (at = 1; at <= n; at++) {
        if (text[at] ~ /^ *switch \(/ && has_rows(at))
            of_rows[at] = 1
        if (text[at] ~ /^ *REQUIRE\(/)
            spared[at] = ALL
        if (text[at] ~ /(^|[^a-z_])(BUG|out_of_memory)\(/ && text[at] !~ /^(#|_Noreturn|void)|^ ?\*/) {
            spare(at)
            if (text[at] !~ /^ *(if|for|while) \(/)
                excluded[at] = 1
            while (text[at] !~ /; *(\/[*].*)?$/ && at < n)
                excluded[++at] = 1
        }
    }
}

# A branch of a macro, of those that rows with n branches have.
function merge(n, i, is_taken) {
    if (!((n, i) in merged))
        branches++
    if (is_taken && !merged[n, i])
        taken++
    merged[n, i] = merged[n, i] || is_taken
}

function finish() {
    if (file != "")
        print file, lines + 0, executed + 0, branches + 0, taken + 0, missing
    lines = executed = branches = taken = 0
    missing = ""
    split("", merged)
}

BEGIN { ALL = 1000000 }

$1 != file {
    finish()
    file = $1
    read_source(file)
}

!($2 in excluded) {
    n = $4 == "" || text[$2] ~ /HASH_[A-Z_]+ ?\(/ ? 0 : split($4, count, ",")
    untaken = 0
    for (i = 1; i <= n; i++)
        untaken += count[i] == 0
    if ($2 in of_rows && n > 0) {
        untaken = untaken == n
        n = 1
    }
    if ($2 in spared && $3 > 0) {
        less = spared[$2] < untaken ? spared[$2] : untaken
        untaken -= less
        n -= less
    }
    lines++
    executed += $3 > 0
    if (file ~ /\.def$/) {
        part = file in copies && n % copies[file] == 0 ? n / copies[file] : n
        for (i = 1; i <= n; i++)
            merge(n, (i - 1) % part, count[i] > 0)
        n = untaken = 0
    }
    branches += n
    taken += n - untaken
    if ($3 == 0 || untaken > 0)
        missing = missing (missing == "" ? "" : " ") $2 ($3 == 0 ? "" : "b" untaken)
}

END { finish() }
