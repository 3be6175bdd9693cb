#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the cores with qemu-riscv64: random programs over every instruction (rvgen.c), whole register file, fcsr and
# memory; then programs in C, C++ and Fortran (guest_*), static and dynamic: output and exit status. The system calls
# that they make on the functional core must have all results of errors.txt.
#   run_riscv.sh [BUILD [PROGRAMS [FIRST_SEED [ITERATIONS]]]]
# The functional core executes each block of a program ITERATIONS times on other data, the detailed one twice. It soon
# compiles a part of the code.
# A program that does not end within LIMIT seconds (300) is ended, and named.
# CORES names the cores (functional ooo), QEMU and RVCC the other machine and its compiler, RVGEN_FLAGS what the
# generator needs besides, such as -fsanitize=address,undefined for a sanitised build's libraries. GUEST_NAMES are some of
# the programs in C, instead of all programs and the results of their system calls.
set -eu
umask 022 # a guest of pcemu begins with it; one of qemu-riscv64 with that of the shell

build=${1:-build}
programs=${2:-6}
seed=${3:-1}
qemu=${QEMU:-qemu-riscv64}
rvcc=${RVCC:-riscv64-linux-gnu-gcc}
cores=${CORES:-functional ooo}
limit=${LIMIT:-300}
sysroot=${RV_SYSROOT:-/usr/riscv64-linux-gnu}
here=$(dirname "$0")
export QEMU_CPU="${QEMU_CPU:-rv64,zba=true,zbb=true,zbs=true}"
root=$here/../../..

for tool in "$qemu" "$rvcc"; do
    command -v "$tool" >/dev/null || { echo "run_riscv.sh: skipped: no $tool"; exit 0; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# shellcheck disable=SC2086 # flags, meant to be split
${CC:-gcc} -std=c17 -D_GNU_SOURCE -I"$root" -O1 ${RVGEN_FLAGS:-} -o "$work/rvgen" "$here/rvgen.c" \
    "$build/lib/libcore-model.a" "$build/lib/libisa.a" -lm

# One program: rvgen's arguments, then the executable.
make_program() {
    "$work/rvgen" "$seed" "$blocks" "$iterations" ${2:+"$2"} >"$1.s" 2>"$work/executed"
    "$rvcc" -march=rv64gc -static -nostdlib -nostartfiles -o "$1" "$1.s"
}

# Finds the first block whose digests differ: 8 bytes per iteration and 8 for the memory. Then finds the iteration and
# register from a program that writes the registers of that block: 512 bytes per iteration, 8 per register (fcsr,
# x1..x31, f0..f31).
explain() {
    times=$iterations
    [ -z "$short" ] || times=2
    offset=$(cmp -l "$work/want" "$work/got" | awk 'NR == 1 { print $1 - 1 }')
    [ -n "$offset" ] || return 0
    block=$((offset / (8 * times + 8)))
    echo "    first difference: block $block"
    make_program "$work/shown" "$block"
    # shellcheck disable=SC2086 # no argument, or one
    { run_qemu "$work/shown" $short >"$work/want"; run_core "$1" "$work/shown" $short >"$work/got"; } || return 0
    cmp -l -i $((block * (8 * times + 8))) "$work/want" "$work/got" | head -n 1 | while read -r offset _; do
        offset=$((offset - 1))
        slot=$((offset % 512 / 8))
        case $slot in
            0) name=fcsr ;;
            [1-9] | [12][0-9] | 3[01]) name=x$slot ;;
            *) name=f$((slot - 32)) ;;
        esac
        echo "    iteration $((offset / 512)), $name"
    done
}

# limited COMMAND...: runs a guest, and names the command if it does not end
exec 3>&1
limited() {
    ended=0
    timeout --foreground -k 10 "$limit" "$@" 3>&- || ended=$?
    case $ended in 124 | 137) echo "${guest:-seed $seed}: not ended after $limit s: $*" >&3 ;; esac
    return "$ended"
}
run_qemu() { limited "$qemu" "$@"; }
# Without a profile there is no report, so output and exit status are the guest's.
run_core() {
    core=$1
    shift
    limited "$build/bin/pcemu" --core "$core" --no-program "$@"
}

failed=0
blocks=200
iterations=${4:-100}
compared=0
last=$((seed + programs - 1))
while [ "$seed" -le "$last" ]; do
    make_program "$work/p"
    for core in $cores; do
        status=0
        short= # a core that times instructions gets an argument, and with it few iterations
        times=$iterations
        [ "$core" = functional ] || { short=short; times=2; }
        compared=$((compared + $(cat "$work/executed") * times))
        # shellcheck disable=SC2086 # no argument, or one
        run_qemu "$work/p" $short >"$work/want"
        # shellcheck disable=SC2086
        run_core "$core" "$work/p" $short >"$work/got" || status=$?
        if [ "$status" -ne 0 ] || ! cmp -s "$work/want" "$work/got"; then
            echo "seed $seed, $core: differs from $qemu (exit status $status)"
            explain "$core"
            failed=$((failed + 1))
        fi
    done
    seed=$((seed + 1))
done
echo "riscv vectors: $programs random programs on $cores: $compared random instructions compared, $failed differences"

# If guest_NAME.out exists, it and guest_NAME.status are the expected results, for programs that qemu-riscv64 cannot
# run. A core that times instructions runs the dynamic executables: the calls are the same, and more code is executed.
compare_guest() {
    want=0 guest=$2
    expected=$here/${2%% *}
    if [ -f "$expected.out" ]; then
        cp "$expected.out" "$work/want"
        want=$(cat "$expected.status")
    else
        run_qemu -L "$sysroot" "$1" an argument </dev/null >"$work/want" 2>/dev/null || want=$?
    fi
    for core in $cores; do
        [ "$core" = functional ] || [ "$3" != -static ] || [ "$cores" = "$core" ] || continue
        got=0 trace=
        runs=$((runs + 1))
        [ "$core" != functional ] || trace=--strace
        # shellcheck disable=SC2086 # no option, or one
        run_core "$core" $trace -L "$sysroot" "$1" an argument </dev/null >"$work/got" 2>>"$work/trace" || got=$?
        if [ "$want" -ne "$got" ] || ! cmp -s "$work/want" "$work/got"; then
            echo "$2, $core: differs from $qemu: exit status $got, expected $want"
            diff "$work/want" "$work/got" | head -n 10
            failed=$((failed + 1))
        fi
    done
}
guests=0 runs=0
compile_and_compare() {
    compiler=$1
    shift
    command -v "$compiler" >/dev/null || { echo "riscv guests: no $compiler: skipped $*"; return 0; }
    for source in "$@"; do
        name=$(basename "$source")
        name=${name%.*}
        "$compiler" -O2 -w -fPIE -c -o "$work/$name.o" "$source" 2>"$work/log" || { cat "$work/log"; exit 1; }
        for how in -static -pie; do
            "$compiler" "$how" -o "$work/$name" "$work/$name.o" -lm 2>"$work/log" || { cat "$work/log"; exit 1; }
            compare_guest "$work/$name" "$name ($how)" "$how"
            guests=$((guests + 1))
        done
    done
}
if [ -n "${GUEST_NAMES:-}" ]; then
    for name in $GUEST_NAMES; do
        compile_and_compare "$rvcc" "$here/guest_$name.c"
    done
else
    compile_and_compare "$rvcc" "$here"/guest_*.c
    compile_and_compare "${RVCXX:-riscv64-linux-gnu-g++}" "$here"/guest_*.cc
    compile_and_compare "${RVFC:-riscv64-linux-gnu-gfortran}" "$here"/guest_*.f90
    case " $cores " in *' functional '*)
        awk -f "$here/errors.awk" "$here/errors.txt" "$root/core-model/linux/syscall.def" "$work/trace" ||
            failed=$((failed + 1)) ;;
    esac
fi
echo "riscv guests: $guests programs, $runs runs on $cores; $failed failed in all"
[ "$failed" -eq 0 ]
