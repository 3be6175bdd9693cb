#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the page docs/results/autofdo.md to standard output: the gain of compilation with exported profiles, in cycles
# of the out-of-order core, beside that of the compilers' own instrumentation.
# usage: autofdo.sh BUILD [WORKLOAD:ARGUMENT...]      with WORKLOADs the page has only their rows
set -eu
export LC_ALL=C
build=$(cd "$1" && pwd) root=$(pwd)
shift
all=no
if [ $# -eq 0 ]; then
    all=yes
    set -- compress:1 compiler:1 bitboard:1 coremix:4 search:4000 sort:14 # a million cycles, more or less
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
for tool in clang llvm-profdata qemu-riscv64; do
    command -v $tool > /dev/null || { echo "autofdo.sh: $tool is not installed" >&2; exit 2; }
done

# split SOURCE: prints the source after the preprocessor, with a line for each statement and each operand of && || ?:
split() {
    riscv64-linux-gnu-gcc -E -P "$1" | awk '{
        for (i = 1; i <= length($0); i++) {
            c = substr($0, i, 1)
            printf "%s", c
            if (quote != "" && c == "\\") printf "%s", substr($0, ++i, 1)
            else if (quote != "") { if (c == quote) quote = "" }
            else if (c ~ /["\047]/) quote = c
            else if (c ~ /[&|]/ && substr($0, i + 1, 1) == c) print substr($0, ++i, 1)
            else if (c ~ /[;{}?:]/) print ""
        }
        print ""
    }'
}
# Each of the following is for clang or gcc, named by $compiler.
# for_guest OPTION...: compiles the workload for the guest, as ./guest
for_guest() {
    if [ "$compiler" = clang ]; then
        set -- --target=riscv64-linux-gnu -fuse-ld=bfd -gmlt -fdebug-info-for-profiling "$@"
    else
        set -- -g "$@"
    fi
    $command -O2 -static "$@" -o guest "$source"
}
# with_profile FILE: compiles it with an exported profile
with_profile() {
    if [ "$compiler" = clang ]; then for_guest -fprofile-sample-use="$1"; else for_guest -fauto-profile="$1"; fi
}
# with_instrumentation: compiles it with the profile of the compiler's instrumentation
with_instrumentation() {
    if [ "$compiler" = clang ]; then
        clang -O2 -fprofile-instr-generate -o instrumented "$source"
        LLVM_PROFILE_FILE=raw ./instrumented "$argument" > out
        llvm-profdata merge -o counts raw
        for_guest -fprofile-instr-use=counts
    else
        for_guest -fprofile-generate
        rm -f ./*.gcda
        qemu-riscv64 ./guest "$argument" > out
        for_guest -fprofile-use
    fi
}
pcemu() { "$build/bin/pcemu" --no-program --top 0 --format json "$@" ./guest "$argument" > out; }
# profile FILE PROFILER: the profile of a run
profile() {
    pcemu --profile "$2" -o report.json
    "$build/tests/export/from_report" guest report.json "autofdo-$compiler" > "$1"
}
# cycles: of the whole run, which must succeed
cycles() {
    pcemu --stats stats.json
    grep -q ': ok$' out || { echo "autofdo.sh: $name does not say ok" >&2; exit 1; }
    jq .core.cycles stats.json
}
row() {
    for_guest
    profile exact counts
    profile sampled profileme:period=1009
    plain=$(cycles)
    with_profile exact
    exact=$(cycles)
    with_profile sampled
    sampled=$(cycles)
    with_instrumentation
    echo "$name $argument $plain $exact $sampled $(cycles)"
}
# table COMPILER COMMAND LINES WORKLOAD...: LINES split: each source is split
table() {
    compiler=$1 command=$2 lines=$3
    shift 3
    echo '| workload | no profile | exact counts | ProfileMe | instrumentation | exact counts, from instrumentation |'
    echo '|---|---|---|---|---|---|'
    for workload; do
        name=${workload%%:*} argument=${workload#*:}
        source=$root/tests/eval/workloads/$name.c
        if [ "$lines" = split ]; then
            split "$source" > split.c
            source=split.c
        fi
        row
    done | awk '
        function grouped(n,    s, groups) {
            for (s = sprintf("%d", n); length(s) > 3; s = substr(s, 1, length(s) - 3))
                groups = "," substr(s, length(s) - 2) groups
            return s groups
        }
        function change(n, from) { return sprintf("%+.1f %%", 100 * (n / from - 1)) }
        { printf "| `%s %s` | %s | %s | %s | %s | %s |\n", $1, $2, grouped($3), change($4, $3), change($5, $3), \
            change($6, $3), change($4, $6) }'
}

if [ $all = no ]; then
    table clang clang whole "$@"
    table gcc riscv64-linux-gnu-gcc whole "$@"
    table gcc riscv64-linux-gnu-gcc split "$@"
    exit
fi
cat << 'TEXT'
# Compilation with exported profiles

The [formats](../exports.md#autofdo) `autofdo-clang` and `autofdo-gcc` give a compiler the number of executions of
each source line. One command writes this page:

```console
$ make experiments-autofdo
```

Each workload is compiled with `-O2`, profiled on the out-of-order core, compiled again with the profile, and measured
with the same input. The columns are:

- *no profile*: cycles of the program without a profile. The other columns are changes of this number.
- *exact counts*: with the profile of `--profile counts`.
- *ProfileMe*: with the estimates of `--profile profileme:period=1009`, one in 1,009 fetched instructions.
- *instrumentation*: with the profile of the compiler's own instrumentation.
- *exact counts, from instrumentation*: cycles with exact counts, relative to those with instrumentation.

Debian 12's clang has no run-time library of the instrumentation for riscv64. The instrumented program is therefore
compiled for the build machine and run there: clang numbers its counters by the syntax tree, which is that of the guest.
gcc's instrumented program runs under `qemu-riscv64`.

TEXT
echo '## clang'
echo
table clang clang whole "$@"
echo
echo '## gcc'
echo
table gcc riscv64-linux-gnu-gcc whole "$@"
echo
echo '## gcc, with a line for each statement and operand'
echo
table gcc riscv64-linux-gnu-gcc split "$@"
cat << 'TEXT'

A profile of source lines has less information than instrumentation:

- gcc 12 ignores discriminators, so the operands of `&&`, `||` and `?:` on one line are one. The last table removes this
  cause: each source has been through the preprocessor, and has a line for each statement and each of these operands. In
  `compress` the condition of `take_rarest`, which takes most of the time, is such a line.
- A line whose code the compiler has optimised away has no count. In `bitboard`, clang unrolls a loop of `cells_perft`
  with instrumentation and without a profile, but not with a profile of lines: the first line of the loop's body has no
  instruction, and clang takes the loop for cold.
- An instruction that the compiler executes early, on the path where its result is not used too, gives its line a count
  that is too high.

Copies of a loop's body that is unrolled are told apart for clang: the count of a line is the sum over its copies.
TEXT
