#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks that docs/json.md lists exactly the keys of the tools' JSON output, that docs/columns.md explains exactly the
# columns of the reports, and that each output is valid by its schema.
# usage: check_json.sh BUILD [KEYS]     KEYS: file with the keys that an earlier run has found; written if missing
#        check_json.sh BUILD --run      only runs the tools, for sanitizers, whose builds print the same
set -eu
only_run=no
[ "${2:-}" != --run ] || { only_run=yes; set -- "$1"; }
found=${2:+$(realpath "$2")}
build=$(cd "$1" && pwd) page=$(pwd)/docs/json.md names=$(pwd)/docs/core-reference.md programs=$(pwd)/programs
validate=$(pwd)/tests/checks/check_schema.sh reports=0 columns=$(pwd)/docs/columns.md workloads=$build/workloads
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export PATH="$build/bin:$PATH" LC_ALL=C
cd "$tmp"

# keys HEADING < JSON: prints the path of each key, one per line, preceded by the heading of the page that lists it.
# The keys of a report's presentation are listed as if it had one level.
keys() {
    [ $only_run = no ] || { cat > /dev/null; return; }
    jq -r --arg heading "$1" '
        def keys_below($at):
            if type == "object" then to_entries[] | ($at + "." + .key) as $path | $path, (.value | keys_below($path))
            elif type == "array" then .[] | keys_below($at + "[]")
            else empty end;
        def presented: .. | objects | keys_unsorted[] | ".presentation[]." + .;
        (del(.presentation?) | keys_below("")), (.presentation? | values | ".presentation", presented) |
            $heading + " " + .' |
        sort -u >> printed
}

# legend < JSON: the columns of a report's tables with their meanings, as --legend prints them.
legend() {
    pcprof show --legend --verbose --width 0 - |
        awk -v indent="$(printf %28s '')" '
            index($0, indent) == 1 { line = line " " substr($0, 29); next } # a meaning can have several lines
            { print line; line = $0 } END { print line }' |
        sed -n '1,/^Columns:$/d; s/^\(.*[^ ]\)   *\([^ ].*\)/Titles \1 = \2/p' >> printed
}

# table < JSON: the same of a table of pcprof, which is kept for the schema
table() {
    kept=$(mktemp --suffix=.json checked.XXXXXXXX)
    cat > "$kept"
    legend < "$kept"
}

# report < JSON: records a report's keys and titles, and keeps it for the schema
report() {
    [ $only_run = no ] || { cat > /dev/null; return; }
    reports=$((reports + 1))
    cat > "checked.$reports.json"
    keys Reports < "checked.$reports.json"
    legend < "checked.$reports.json"
}

# statistics < JSON, costs < JSON: record the keys of statistics and of costs, and keep them for their schemas
statistics() {
    kept=$(mktemp --suffix=.json statistics.XXXXXXXX)
    cat > "$kept"
    keys Statistics < "$kept"
}
costs() {
    kept=$(mktemp --suffix=.json costs.XXXXXXXX)
    cat > "$kept"
    keys Costs < "$kept"
}

run() { # PROGRAM PCEMU-ARGUMENT...
    program=$1
    shift
    pcemu --program "$program.pc" --format json -o report.json --stats stats.json "$@" > out 2> err
    report < report.json
    statistics < stats.json
}

run_tools()
{
# All observers of --profile; a counter needs an event.
observers=$(pcemu --profile help | awk '/^  [^ ]/ { printf "%s%s", n++ ? "," : "", $1 }' |
    sed 's/counter/counter:event=loads:period=101:skid:collect/')
pcasm -o simple.pc "$programs/simple.pasm"
run simple --max-insts 20000 --profile "$observers" "$workloads/invariant"
# Behind the libraries' start, as validating thousands of instructions takes long.
run simple --skip-insts 100000 --max-insts 60000 \
    --profile counts:slots,profileme:period=101:n=15,profileme:pair:period=503,tea:period=53 "$workloads/chase"
for program in value simple edge tip paired callstack; do
    pcasm -o "$program.pc" --cost=json "$programs/$program.pasm" | costs
    run "$program" --max-insts 60000 --profile oracle,tip:random:seed=1,tip:random:seed=2 "$workloads/invariant"
done
# A program that pauses, and one that studies parts of the instructions in turn.
cat > windows.pasm << 'PASM'
            .index  now, width 3, window
            .index  pause, width 4, gate
            .index  slot, width 4
            .base   loads = 0
            .filter class load
            .entry  load s
            .slot   loads[16] exact instructions { key : pc exact pc, n : 32 exact retired, apart : 32 span }
s:          mov     pc32 -> slot
            write   loads[slot], pc32       | inc loads[slot].n
            inc     now                     | if nolimit done
            mov     rnd8 -> pause           | done
PASM
pcasm -o windows.pc windows.pasm
run windows --max-insts 60000 "$workloads/invariant"
pcasm -o stable.pc "$programs/stable.pasm"
run stable --max-insts 60000 "$workloads/invariant"
pcemu --no-program --format json --stats without.json --max-insts 60000 "$workloads/invariant" > out 2> err
run value --max-insts 60000 --baseline without.json "$workloads/invariant"
for questions in 2 questions; do
    printf '%s\n' main:l1d main:branch 'main:l1d main:branch' > questions
    pcemu --no-program --gain $questions --profile oracle,graph,graph:period=500 --max-insts 60000 --format json \
        -o gains.json "$workloads/chase" > out 2> err
    report < gains.json
done
# Several harts, the second without a thread.
pcemu --no-program --harts 2 --by-hart --profile oracle --max-insts 20000 --format json -o harts.json \
    --stats stats.json "$workloads/invariant" > out 2> err
report < harts.json
report < harts.json.hart1
statistics < stats.json
pcemu --no-program --harts 2 --profile phases --max-insts 20000 --format json -o sum.json \
    "$workloads/invariant" > out 2> err
report < sum.json
# Plug-ins, whose columns have no meanings that the tools know.
for plugin in observer predictor; do
    pcemu --plugin-skeleton $plugin > $plugin.c
    sh -c "$(sed -n '1s|^/\* \(.*\) \*/$|\1|p' $plugin.c)"
done
pcemu --no-program --harts 2 --plugin ./observer.so --plugin ./predictor.so --max-insts 20000 --format json \
    -o checked.plugins.json "$workloads/invariant" > out 2> err
keys Reports < checked.plugins.json
# Data that two harts modify in turns, in a program with libraries.
cat > turns.c << 'C'
#include <pthread.h>
static long n;
static void *run(void *a)
{
    for (int i = 0; i < 300; i++)
        __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED);
    return a;
}
int main(void)
{
    pthread_t t;
    return pthread_create(&t, 0, run, 0) || run(0) || pthread_join(t, 0);
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -pthread -o turns turns.c
pcemu --no-program --harts 2 -L "${RV_SYSROOT:-/usr/riscv64-linux-gnu}" --profile sharing --format json -o shared.json ./turns
report < shared.json
pcemu --no-program -L "${RV_SYSROOT:-/usr/riscv64-linux-gnu}" --profile graph --max-insts 100000 --format json \
    -o graph.json ./turns > out 2> err
report < graph.json
# A profile store, whose reports have a page of their own.
pcemu --no-program --profile oracle,counts,counter:event=loads:period=101 --max-insts 20000 --collect s.db \
    "$workloads/invariant" > out 2> err
pcprof list --format json s.db | table
pcemu --no-program --profile oracle,counts,counter:event=loads:period=101 --max-insts 20000 --collect s.db \
    "$workloads/invariant" > out 2> err
for by in procedure image line; do
    pcprof stats --event loads --by $by --format json s.db | table
    pcprof diff --event loads --by $by --format json s.db:1 s.db:2 | table
    pcprof diff --fail-if-slower 0% --by $by --format json s.db:1 s.db:2 | table
done
pcprof annotate --disassembly --format json s.db | table
pcprof top --format json s.db | table
for by in procedure image line instruction; do pcprof prof --event loads --by $by --format json s.db | table; done
pcprof why --format json s.db > analysis.json
table < analysis.json
jq '{presentation}' analysis.json | keys Reports
for command in calc summary cfg; do
    pcprof "$command" --time cycles@oracle --frequency exact --format json s.db main > analysis.json
    table < analysis.json
    jq '{presentation}' analysis.json | keys Reports
done
# Code locations in libraries and in a program without symbols; a run without a core.
printf '%s\n' '#include <stdio.h>' 'int main(void) { for (int i = 0; i < 300; i++) printf("%%d\n", i); return 0; }' > \
    dynamic.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -o dynamic dynamic.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -s -o stripped dynamic.c
for program in value edge paired; do
    for guest in dynamic stripped; do
        # Without the dynamic linker's part, of which a report would be long.
        # shellcheck disable=SC2046 # options, meant to be split
        run "$program" $(test "$program" != paired || echo --param period=61 --param window=32) \
            --skip-insts 100000 --max-insts 20000 -L "${RV_SYSROOT:-/usr/riscv64-linux-gnu}" \
            --profile oracle,tip,tea,topdown,topdown-issue,phases,counts:slots,counter:event=loads:period=101 \
            "./$guest"
    done
done
cat > forks.c << 'C'
#include <sys/wait.h>
#include <unistd.h>
int main(void) { if (fork() == 0) return 0; return wait(0) < 0; }
C
cat > changes.c << 'C'
#include <sys/stat.h>
#include <unistd.h>
int main(void) { return mkdir("made", 0700) || chmod("made", 0500) || rmdir("made"); }
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o changes changes.c
pcemu --no-program --profile tip --format json -o changed.json ./changes
report < changed.json
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o forks forks.c
pcemu --follow-children --no-program --profile tip --format json -o forked.json ./forks
report < forked.json.1001
cat > begins.c << 'C'
#include <unistd.h>
int main(void) { return execl("./changes", "./changes", (char *)0); }
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o begins begins.c
pcemu --no-program --profile tip --format json -o begun.json ./begins
report < begun.json
pcemu --core functional --no-program --format json --stats stats.json "$workloads/invariant" 1 > out
statistics < stats.json
# A value profile that completes, including the second pass.
pcasm -D SLOTS=8 -D WHOLE=1 -D RESAMPLE=10 -D CHECK=1 -o few.pc "$programs/value-paper.pasm"
awk 'BEGIN { for (i = 0; i < 600; i++) for (k = 1; k < 15; k++) printf "load pc=0x1%d00 result=0x7000000%d x20\n", k,
    k }' > samples
run few --core samples:samples --param confident=64 --param visit=16
# Slots without a key, members of every kind; and a program that does not end.
pcasm -o bins.pc - << 'P'
        .base   bins = 0
        .index  i, width 4
        .filter class load
        .entry  load go
        .slot   bins[16] { n : 32, top : 32 max }
go:     inc     bins[i].n | inc i | done
P
pcasm -o places.pc - << 'P'
        .base   t = 0
        .index  i, width 4
        .filter class load
        .entry  load go
        .slot   t[16] { key : hex, where : 32 pc, what : 32 hex }
go:     mov     pc32 -> v0
        st      t[i].where, v0 | inc i | done
P
pcasm -o signs.pc - << 'P'
        .base   t = 0
        .index  i, width 4
        .filter class load
        .entry  load go
        .slot   t[16] { key : signed, where : 32 ea, line : 16 line, back : 16 last signed }
go:     mov     zero -> v0
        sub.32  v0, pc32 -> v0
        write   t[i], v0
        st      t[i].back, v0 | inc i | done
P
pcasm -o endless.pc - 2> err << 'P'
        .filter class load
        .entry  load on
on:     mov     pc32 -> v0
        mov     v0 -> v1 | goto on
P
echo 'load pc=0x1000 result=7' > one
for program in bins places signs; do
    run "$program" --core samples:one
done
run endless --core samples:one || true
report < report.json
}

# The lines of a report and of the system calls, a file each; `.row` alone is recorded, as the keys of rows are
# described elsewhere.
lines()
{
    pcemu --list-syscalls --format json > syscalls.json
    keys System < syscalls.json
    { pcprof show --format jsonl report.json && pcemu --list-syscalls --format jsonl; } > report.jsonl
    jq -c 'del(.row[])' report.jsonl | keys JSON
    split -l 1 --additional-suffix=.json report.jsonl line.
}

if [ -n "$found" ] && [ -e "$found" ]; then
    cp "$found" printed
else
    run_tools
    lines
    [ $only_run = no ] || exit 0
    "$validate" checked.*.json
    "$validate" -s statistics statistics.*.json
    "$validate" -s cost costs.*.json
    "$validate" -s syscalls syscalls.json
    "$validate" -s lines line.*.json
    sort -u printed -o printed
    [ -z "$found" ] || cp printed "$found"
fi

# The page's keys by heading, as extended regular expressions: a name in capitals matches any key without dots, LEAF at
# the end also one with dots.
bad=0
awk '
    function check_described(path, pattern, key) {
        pattern = path
        gsub(/[].[]/, "\\\\&", pattern)
        sub(/LEAF$/, ".+", pattern)
        gsub(/[A-Z]+/, "[^.]+", pattern)
        pattern = "^" heading " " pattern "$"
        print pattern > "patterns"
        if (heading " " path in printed)
            return
        for (key in printed)
            if (path ~ /[A-Z]/ && key ~ pattern)
                return
        print "docs/json.md, " heading ": " path " is never printed" > "/dev/stderr"
        bad = 1
    }
    NR == FNR { printed[$0]; next }
    /^## / { heading = $2 }
    /^\| `/ {
        split($0, cell, "|")
        n = split(cell[2], part, "`")
        for (i = 2; i <= n; i += 2)
            check_described(part[i])
    }
    END { exit bad }' printed "$page" || bad=1
grep -v '^Titles ' printed | grep -Evf patterns > missing && { sed 's/^/docs\/json.md has no /' missing >&2; bad=1; }

# The keys .core.NAME: the statistics tables of core-reference.md.
sed -n 's/^Statistics \.core\.//p' printed > core
sed -n '/^## Statistics/,$ s/^| \x60\([a-z0-9_]*\)\x60.*/\1/p' "$names" | sort -u > core-described
diff core-described core || { echo "docs/core-reference.md does not have the core's statistics" >&2; bad=1; }

# The page's columns with their meanings.
sed -n 's/^| `\([^`]*\)` | `[^`]*` | \(.*\) |$/\1 = \2/p' "$columns" | sort -u > explained
sed -n 's/^Titles //p' printed | sort -u > shown
diff explained shown > columns.diff ||
    { sed -n 's/^</docs\/columns.md: no table has/p; s/^>/docs\/columns.md does not explain/p' columns.diff >&2
      bad=1; }
exit $bad
