# SPDX-License-Identifier: GPL-3.0-or-later
# Coverage by component, and the files below the goal with their reasons, from goals.txt and the sums of each file.
#   table.awk -v parts="COMPONENT..." [-v below=1 | -v page=1] goals.txt files.tsv
# below: also the files below the goal. page: as a document, and by folder. With one of them, all tests have been run:
# exit status 1 if a file that is not below the goal has a reason.
BEGIN {
    FS = "\t"
    components = split(parts, component, " ")
    GOAL_LINES = 95
    GOAL_BRANCHES = 90
}

function share(part, whole) { return whole == 0 ? "-" : sprintf("%.1f %%", int(1000 * part / whole) / 10) }

function below_goal(lines, executed, branches, taken, exact) {
    return 100 * executed < GOAL_LINES * lines || 100 * taken < (exact ? 100 : GOAL_BRANCHES) * branches
}

FNR == NR && /^exact / { exact[++exacts] = substr($0, 7) }
FNR == NR && /^reason / {
    match($0, /^reason [^ ]+/)
    name = substr($0, 8, RLENGTH - 7)
    reason[name] = substr($0, RLENGTH + 2)
}
FNR == NR { next }

{
    folder = $1
    sub(/\/[^\/]*$/, "", folder)
    top = $1
    sub(/\/.*/, "", top)
    n = split("all " top " " folder, part, " ")
    for (i = 1; i <= n; i++)
        if (i < 3 || part[i] != part[2])
            for (c = 2; c <= 5; c++)
                sum[part[i], c] += $c
    if (!(folder in seen) && folder != top)
        folders[++many] = folder
    seen[folder]
    is_exact = 0
    for (i = 1; i <= exacts; i++)
        is_exact = is_exact || index($1, exact[i]) == 1
    if (below_goal($2, $3, $4, $5, is_exact)) {
        is_below[$1]
        list[++listed] = sprintf("%08d\t%s\t%d\t%d\t%s\t%s\t%d", $2 - $3 + $4 - $5, $1, $2 - $3, $4 - $5,
            share($3, $2), share($5, $4), is_exact)
    }
}

function row(name, shown) {
    shown = page && name != "all" ? "`" name "`" : name
    printf page ? "| %s | %s | %s | %s | %s |\n" : "%-12s %8s %8s %10s %10s\n", shown, sum[name, 2],
        share(sum[name, 3], sum[name, 2]), sum[name, 4], share(sum[name, 5], sum[name, 4])
}

# The list in the order of what is missing.
function sort_list(i, j, line) {
    for (i = 2; i <= listed; i++) {
        line = list[i]
        for (j = i - 1; j > 0 && list[j] < line; j--)
            list[j + 1] = list[j]
        list[j + 1] = line
    }
}

function print_goal() {
    if (!page) {
        printf "\n%d files below the goal of %d %% and %d %% (loaders, parsers and checkers *: 100 %% of branches)\n",
            listed, GOAL_LINES, GOAL_BRANCHES
        printf "%-44s %6s %8s %8s %8s\n", "file", "lines", "branches", "lines", "branches"
        return
    }
    print "\n## Files below the goal\n"
    print "The goal is " GOAL_LINES " % of the lines and " GOAL_BRANCHES " % of the branches; of loaders, parsers and"
    print "checkers (*), all branches. `tests/checks/coverage/goals.txt` has the list of these and the reasons.\n"
    print "| file | lines not executed | branches not taken | lines | branches | reason |\n|---|---|---|---|---|---|"
}

function print_below(i, f, name) {
    sort_list()
    print_goal()
    for (i = 1; i <= listed; i++) {
        split(list[i], f, "\t")
        name = (page ? "`" f[2] "`" : f[2]) (f[7] ? " *" : "")
        printf page ? "| %s | %s | %s | %s | %s | %s |\n" : "%-44s %6s %8s %8s %8s  %s\n", name, f[3], f[4], f[5], f[6],
            reason[f[2]]
    }
}

function print_head() {
    if (!page) {
        printf "%-12s %8s %8s %10s %10s\n", "component", "lines", "", "branches", ""
        return
    }
    print "# Coverage\n"
    print "`make coverage` writes this page: the lines and branches of the sources that all tests execute, with the"
    print "system calls that guests make.\n\n## By component\n"
    print "| component | lines | executed | branches | taken |\n|---|---|---|---|---|"
}

function print_folders(i) {
    print "\n## By folder\n\n| folder | lines | executed | branches | taken |\n|---|---|---|---|---|"
    for (i = 1; i <= many; i++)
        row(folders[i])
}

function print_rest() {
    print "\n## What is not counted\n"
    print "- `BUG()`, `out_of_memory()` and failures of `REQUIRE()`, which no test can reach, and the branches to them"
    print "- the code that flex, bison and protoc-c generate, and the branches of uthash's macros"
    print "- copies: functions are not inlined; the branches of a table's macro, and those of a switch to the rows of a"
    print "  table, count once for all rows"
    print "- processes that are ended by SIGKILL, or confined by `--confine` and `--read-only`: they cannot write\n"
    print "## System calls\n"
    print "What guests show of each call (`tests/guest/vectors/errors.txt`), compared with Linux or `qemu-riscv64`."
    print "What is not shown depends on the file system, the machine's memory and limits, the rights of other"
    print "users, the network, or the moment.\n"
}

END {
    print_head()
    for (i = 1; i <= components; i++)
        row(component[i])
    row("all")
    if (page)
        print_folders()
    if (page || below)
        print_below()
    if (page)
        print_rest()
    for (name in reason)
        if ((page || below) && name != "" && !(name in is_below)) {
            print "goals.txt: " name ": not below the goal: remove its reason" > "/dev/stderr"
            failed = 1
        }
    exit failed
}
