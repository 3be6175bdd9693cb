#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the page docs/results/speed.md to standard output: user time of Debian's programs, and host instructions
# relative to a reference run, counted by callgrind.
# usage: speed.sh BUILD PLAIN     BUILD: made with CALLGRIND=1, PLAIN without
# INSTS: instructions measured of each workload (30000); ROUNDS: of Debian's programs (3)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
plain=$(cd "$2" && pwd)
INSTS=${INSTS:-30000}
export INSTS
command -v valgrind > /dev/null || { echo "speed.sh: no valgrind: install it" >&2; exit 1; }

# The table of attached.sh, with INSTS and OPTIONS.
attached() {
    "$here/attached.sh" "$build" | awk '
    NR == 1 { print "| workload | hardware | with ground truth |\n|---|---|---|" }
    NR > 1 { printf "| %s | %s | %s |\n", ($1 == "geo." ? "geometric mean" : $1), $(NF - 1), $NF }
    END { exit $1 != "geo." }'
}

cat << END
# Speed, measured

[Speed](../speed.md) describes the benchmarks. One command writes this page:

\`\`\`console
$ make experiments-speed
\`\`\`

## Debian's programs

The functional core beside \`qemu-riscv64\` on unmodified programs of Debian 13 (\`make bench-real\`), in seconds of user
time, the least of ${ROUNDS:-3} rounds in turns, and ratios of qemu's time to ours: above 1 pcemu is faster. *interpreted* is
without translation, *pcemu* the default, and *warming* skips the whole program with \`--warm\`. Commands and
inputs are in \`tests/eval/bench/real\`.

END
KINDS='interpreted pcemu warming' "$here/real/run.sh" "$plain" "${ROUNDS:-3}"
cat << END

## Host instructions

The figures below are host instructions, counted by callgrind, so they do not depend on the machine's load, and have
nothing of misses in the host's caches and TLBs. Those of observers and of the co-processor are relative to a reference
in the same table. Runs are on the configuration \`boom\`, after the workload's initialisation. A shorter run is
subtracted from each, which removes loading and most of the report: of 1,000 instructions, or as the table says.

## Skipping, warming, the core

Host instructions for each instruction of the guest (\`tests/eval/bench/phases.sh\`): skipped, skipped with \`--warm\`,
both interpreted, and on the detailed core without observers.

END
INSTS=$((3 * INSTS)) "$here/phases.sh" "$build"
cat << END

## Memoised states

The same with all cycles simulated (\`--memo 0\`) and with memoised states, over 1,000,000 instructions of the guest
(\`tests/eval/bench/memo.sh\`): alone, and with the observers \`oracle\` and \`tip\`. Later instructions find more states
memoised. The other tables of this page are with \`--memo 0\`, but for the last.

END
INSTS=1000000 "$here/memo.sh" "$build"
cat << END

## Each observer

Overhead of one observer of \`--profile\` relative to the run without it, over $INSTS instructions of the guest, which
follow as many others: a run of half the length is subtracted (\`tests/eval/bench/observers.sh\`). \`oracle\`, \`counts\`,
\`tea-oracle\` and \`ipc\` read every instruction or every cycle: they are references, not hardware. Most of the overhead of
\`paths\` is the analysis at the end of the run. The last row has all profilers of time together.

END
OPTIONS='--memo 0' "$here/observers.sh" "$build" sort interp
cat << END

## The co-processor

Relative to the run without the co-processor, with \`value.pasm\`, over $((3 * INSTS)) instructions of the guest
(\`tests/eval/bench/attached.sh\`). *Hardware* is \`--no-truth\`: sampler, probe port, filters, buffer, co-processor and
driver. *With ground truth* adds the exact counts.

END
OPTIONS='--memo 0' INSTS=$((3 * INSTS)) attached
cat << END

The same with memoised states, in the run without the co-processor, too, over $((10 * INSTS)) instructions.

END
OPTIONS='' INSTS=$((10 * INSTS)) attached
