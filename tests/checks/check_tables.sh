#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks table rows that the compiler cannot check: each row of a table is used by the code for its kind, and everything
# that needs a row has one.
# usage: check_tables.sh     in the folder of the sources
set -eu
export LC_ALL=C
bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# symbols TABLE MACROS: prints the first argument of each row; MACROS is an extended regular expression
symbols() { sed -nE "s/^($2)\\(\"?([A-Za-z0-9_-]+)\"?[,)].*/\\2/p" "$1"; }

# members TABLE: prints the member of each option row; a kind may have arguments of its own
members() { sed -nE 's/^OPTION\([A-Z]+(\([^)]*\))?, *([a-z_]+),.*/\2/p' "$1"; }

# sources FOLDER...: prints their C files, without those in a folder of a higher layer
sources() { find "$@" -name '*.[ch]' -o -name rv.def -o -name rvc.def | sort; }

# complain BEFORE BEHIND < symbols: one error for each symbol, between two texts
complain() {
    while read -r symbol; do
        echo "$1 $symbol$2" >&2
        bad=1
    done
}

# used TABLE WHAT PATTERN FILE... < symbols: checks that PATTERN, in which @ is the symbol, occurs in a file. No two
# occurrences may overlap.
used() {
    table=$1 what=$2 before=${3%%@*} behind=${3#*@}
    shift 3
    cat > "$tmp/names"
    [ -s "$tmp/names" ] || return 0
    any=$(paste -sd '|' "$tmp/names")
    grep -ohE -- "$before($any)$behind" "$@" | sort -u | sed -E "s/^($before)//; s/($behind)\$//" > "$tmp/used"
    grep -vxFf "$tmp/used" "$tmp/names" > "$tmp/missing" || true
    complain "$table:" " $what" < "$tmp/missing"
}

# rows TABLE MACRO WHAT < symbols: checks that each symbol has a row
rows() {
    cat > "$tmp/names"
    symbols "$1" "$2" > "$tmp/rows"
    grep -vxFf "$tmp/rows" "$tmp/names" > "$tmp/missing" || true
    complain "$1 has no row for" ", $3" < "$tmp/missing"
}

# Statistics, events and parameters of the cores.
cores=$(sources core-model/pipe core-model/inorder core-model/front)
table=core-model/probe/probe.def
# shellcheck disable=SC2086,SC2046 # several files
{
    symbols $table STAGE > "$tmp/s" && used $table "is reached by no core" 'PROBE_@\>' $cores < "$tmp/s"
    symbols $table EVENT > "$tmp/s" && used $table "is set by no core" 'PROBE_@\>' $cores < "$tmp/s"
    symbols $table CAUSE > "$tmp/s" && used $table "is given by no core" 'PROBE_CAUSE_@\>' $cores < "$tmp/s"
    table=contract/topdown.def
    symbols $table TOPDOWN_LEAF > "$tmp/s"
    used $table "is the category of no slot" 'TOPDOWN_@\>' $cores core-model/prof/time/topdown.c < "$tmp/s"
    table=core-model/stats.def
    symbols $table 'STAT|STACK|FETCH|OCCUPANCY' > "$tmp/s"
    used $table "is counted nowhere" '\<@\>' $(sources core-model) < "$tmp/s"
    table=contract/opclass.def
    symbols $table OPCLASS > "$tmp/s"
    used $table "is the class of no instruction" '\<(OPCLASS_)?@\>' $(sources core-model/riscv) < "$tmp/s"
}

# The co-processor and the host.
emu=$(find emu -maxdepth 1 -name '*.[ch]' | sort)
# shellcheck disable=SC2086
{
    table=isa/cop_config.def
    symbols $table COP_PARAM > "$tmp/s" && used $table "is read nowhere in emu/" 'config(\.|->)@\>' $emu < "$tmp/s"
    table=isa/drop.def
    symbols $table DROP > "$tmp/s" && used $table "is the cause of no drop" '\<COP_DROP_@\>' $emu < "$tmp/s"
    table=contract/host_cost.def
    symbols $table HOST_COST > "$tmp/s" && used $table "is charged nowhere" 'cost\.@\>' host/driver/*.c host/driver/value/*.c < "$tmp/s"
    symbols $table HOST_WORK > "$tmp/s" && used $table "is counted nowhere" '\<HOST_@\>' host/driver/*.c host/driver/value/*.c < "$tmp/s"
    table=contract/collect.def
    symbols $table COLLECT > "$tmp/s" && used $table "is read nowhere" '(config|k)(\.|->)@\>' host/collect/*.c < "$tmp/s"
}
for program in programs/*.pasm; do
    sed -nE 's/^[ \t]*\.param[ \t]+([A-Za-z0-9_]+).*/\1/p' "$program" > "$tmp/s"
    # Options that `.sampler` names are read by the sampler as values.
    sed -nE 's/^[ \t]*\.sampler[ \t]//p' "$program" | grep -oE '=[A-Za-z_][A-Za-z0-9_]*' |
        tr -d = > "$tmp/given" || true
    grep -vxFf "$tmp/given" "$tmp/s" > "$tmp/found" || true
    used "$program" "is a parameter that no driver finds" '"@"' host/driver/*.c host/driver/value/*.c < "$tmp/found"
done

# Command lines, and the debugger's commands.
for table in tools/pcemu/options.def tools/pcasm/pcasm_options.def tools/pcdis/pcdis_options.def; do
    members $table > "$tmp/s"
    used $table "is a member that nothing uses" '(\.|->)@\>' "$(dirname $table)"/*.[ch] < "$tmp/s"
done
symbols emu/debug/commands.def COMMAND > "$tmp/s"
used emu/debug/commands.def "is typed in no script of tests/golden/debug" '^@( |$)' tests/golden/debug/*.cmd < "$tmp/s"

for table in tools/command/*options.def tools/pcprof/*_options.def tools/pcsweep/*_options.def; do
    members "$table" > "$tmp/s"
    used "$table" "is a member that nothing uses" '(\.|->)@\>' tools/command/*.[ch] tools/command/*.inc \
        "$(dirname "$table")"/*.[ch] < "$tmp/s"
done
for tool in pcprof pcsweep; do
    symbols tools/$tool/commands.def COMMAND > "$tmp/s"
    used tools/$tool/commands.def "is run by no script of tests/golden/cli" "\\<$tool @( |\$)" \
        tests/golden/cli/*.cmd < "$tmp/s"
done
symbols tools/pcprof/page_cost.def COST > "$tmp/s"
grep '^|' docs/json.md > "$tmp/keys"
used tools/pcprof/page_cost.def "is no key of a report" '`\.@`' "$tmp/keys" < "$tmp/s"
symbols host/store/schema.def 'TABLE|VIEW' > "$tmp/s"
used host/store/schema.def "is read by nothing in host/store/ and no test" '\<@\>' \
    host/store/*.c tests/unit/host/test_store.c < "$tmp/s"

sed -nE 's/^EXPORT_FORMAT\([a-z_]+, "([a-z-]+)",.*/\1/p' host/export/formats.def > "$tmp/s"
used host/export/formats.def "is no format of docs/exports.md" '^\| \[`@`' docs/exports.md < "$tmp/s"
used host/export/formats.def "is opened by no tool of tests/checks/check_export*.sh" '\<@\>' \
    tests/checks/check_export.sh tests/checks/check_export_store.sh \
    tests/checks/check_export_viewers.sh tests/checks/check_export_layout.sh < "$tmp/s"

# Exact references of the shipped programs.
sed -nE 's/^EXACT\([A-Z_]+, [a-z0-9_]+, "([a-z0-9-]+)",.*/\1/p' contract/exact.def > "$tmp/s"
used contract/exact.def "is named by no program of programs/" '^[ \t]*\.slot.* exact @([ ,]|$)' programs/*.pasm \
    < "$tmp/s"

# Every shipped program has a line in the index, and so a page.
for program in programs/*.pasm; do
    name=$(basename "$program" .pasm)
    grep -qE "^\| \[\`$name\`\]\([a-z./-]+\.md\)" docs/programs/README.md ||
        { echo "docs/programs/README.md: no line with a page for $name" >&2; bad=1; }
done

# The number of system calls in the README.
calls=$(grep -cE '^(SYSCALL|LIMITED)\(' core-model/linux/syscall.def)
grep -q "^| system calls | $calls of " README.md ||
    { echo "README.md: the table of what is supported does not have the $calls system calls" >&2; bad=1; }

# Every constant of the analyses has a line with its value and its reason.
sed -nE 's/^CONSTANT\(([A-Z_]+), ([0-9.]+),.*/\1 \2/p' host/analysis/constants.def > "$tmp/s"
[ -s "$tmp/s" ] || { echo "host/analysis/constants.def: no rows" >&2; bad=1; }
while read -r name value; do
    grep -qE "^\| \`$name\` \| $value( |\>)" docs/analysis.md ||
        { echo "docs/analysis.md: no line of $name with the value $value" >&2; bad=1; }
done < "$tmp/s"

# Files that need a row. Those of exact references and samplers have the row of these.
sed -nE 's/^EXACT\([A-Z_]+, ([a-z0-9_]+),.*/exact_\1/p' contract/exact.def > "$tmp/named"
sed -nE 's/^SAMPLER\([A-Z_]+, ([a-z0-9_]+),.*/\1_sampler/p' isa/sampler.def >> "$tmp/named"
# shellcheck disable=SC2046 # several files
sed -nE 's/^PROFILER\(([a-z0-9_]+),.*/\1/p
    s/^const struct observer_kind observer_([a-z0-9_]+) =.*/\1/p' $(find core-model/prof -name "*.c") |
    grep -vxFf "$tmp/named" > "$tmp/s"
rows core-model/prof/observers.def OBSERVER "an observer of core-model/prof/" < "$tmp/s"
sed -nE 's/^const struct driver_ops ([a-z0-9_]+)_driver_ops =.*/\1/p' host/driver/*.c host/driver/value/*.c > "$tmp/s"
rows host/driver/drivers.def DRIVER "a driver of host/driver/" < "$tmp/s"
for workload in tests/eval/workloads/*.c; do
    name=$(basename "$workload" .c)
    grep -qE "^[^#]*\\<$name\\>" tests/eval/workloads/table.sh ||
        { echo "tests/eval/workloads/table.sh: $name is no workload of the tables" >&2; bad=1; }
    grep -qE "^[a-z]*=?'?$name " tests/checks/check_workloads.sh ||
        { echo "tests/checks/check_workloads.sh: no size for $name" >&2; bad=1; }
done

# Every script of the list of those that run with sanitizers exists.
sed -nE 's/^([a-z0-9_]+) (always|run|skip)$/\1/p' tests/golden/cli/sanitized.list > "$tmp/s"
[ -s "$tmp/s" ] || { echo "tests/golden/cli/sanitized.list: no rows" >&2; bad=1; }
while read -r name; do
    [ -f "tests/golden/cli/$name.cmd" ] ||
        { echo "tests/golden/cli/sanitized.list: $name is no script: remove its line, or run make sanitized-list" >&2; bad=1; }
done < "$tmp/s"
exit $bad
