#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the page docs/results/harts.md to standard output: cycles of parallel kernels on 1, 2, 4 and 8 harts. The
# output of a kernel must be the same on each number of harts, on each core, and under qemu-riscv64 if it is installed.
# usage: table.sh BUILD
set -eu
build=$(cd "$1" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$build/harts"

# cycles CORE HARTS GUEST ARGUMENT...: prints the cycles of the run; its output must be that in $tmp/expected, if that
# exists
cycles() {
    core=$1 harts=$2
    shift 2
    "$build/bin/pcemu" --core "$core" --no-program --harts "$harts" --stats "$tmp/stats" "$@" > "$tmp/output"
    [ -f "$tmp/expected" ] || cp "$tmp/output" "$tmp/expected"
    cmp -s "$tmp/expected" "$tmp/output" || { echo "table.sh: $*: other output, $core, $harts harts" >&2; exit 1; }
    awk '/^cycles / { print $2; exit }' "$tmp/stats"
}

# row NAME CORE KERNEL HARTS...: cycles, and speed-up relative to the first
row() {
    name=$1 core=$2 kernel=$3
    shift 3
    ! command -v qemu-riscv64 > /dev/null || qemu-riscv64 ./kernels "$kernel" 1 > "$tmp/expected"
    line="| $name | $core |" first=
    for harts in 1 2 4 8; do
        case " $* " in
            *" $harts "*)
                n=$(cycles "$core" "$harts" ./kernels "$kernel" "$harts")
                first=${first:-$n}
                line="$line $n | $(awk -v a="$first" -v b="$n" 'BEGIN { printf "%.2f", a / b }') |"
                ;;
            *) line="$line - | - |" ;;
        esac
    done
    rm -f "$tmp/expected"
    echo "$line"
}

cat << 'END'
# Parallel kernels on several harts

One command writes this page:

```console
$ make experiments-harts
```

The programs are in `tests/guest/harts`. The number of threads is the number of harts. The outputs of a kernel on all
numbers of harts are compared with each other, and those of `sharing` with adjacent and with padded counters. [Several
harts](../harts.md) describes the model.

## Speed-up

- `cycles` are those of the whole run, with the start of the program and of its threads. All harts have one clock.
- `speed-up` is the number of cycles on one hart divided by the number of cycles on this many.
- `matrix` is a product of two matrices, `pi` counts random points in a circle, `sum` adds an array eight times with a
  reduction; these use OpenMP. `pipeline` has a producer and a consumer of blocks: one thread does both parts on one
  hart, two do on two.
- ooo is the out-of-order core in configuration boom, inorder the in-order core in configuration ev5.

| kernel | core | cycles, 1 hart | speed-up | 2 harts | speed-up | 4 harts | speed-up | 8 harts | speed-up |
|---|---|---|---|---|---|---|---|---|---|
END
for core in ooo inorder; do
    row matrix "$core" matrix 1 2 4 8
    row pi "$core" pi 1 2 4 8
    row sum "$core" sum 1 2 4 8
    row pipeline "$core" pipeline 1 2
done
cat << 'END'

## False sharing

`sharing` has one counter per thread, each incremented 20,000 times by its thread alone. Adjacent counters are in one
cache line; padded counters are in a line each. The ratio is the cost of false sharing. Two harts hide it: their loads
get the counter from the store queue while the line is elsewhere. The in-order core merges the stores in its write
buffer and seldom writes the line ([caches](../harts.md#caches)).

| core | harts | adjacent, cycles | padded, cycles | ratio |
|---|---|---|---|---|
END
for core in ooo inorder; do
    for harts in 2 4 8; do
        adjacent=$(cycles "$core" "$harts" ./sharing adjacent "$harts")
        padded=$(cycles "$core" "$harts" ./sharing padded "$harts")
        rm -f "$tmp/expected"
        awk -v core="$core" -v harts="$harts" -v a="$adjacent" -v p="$padded" \
            'BEGIN { printf "| %s | %d | %d | %d | %.2f |\n", core, harts, a, p, a / p }'
    done
done
