#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The main use case: from source code to a profile.
# usage: demo.sh BUILD
set -eu
build=$(cd "$1" && pwd) root=$(pwd)
scratch=$(mktemp -d /tmp/demo.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
cp "$root/programs/value.pasm" "$build/workloads/invariant" "$scratch"
cd "$scratch"
PATH="$build/bin:$PATH"
echo '$ pcasm value.pasm && pcemu --core ooo --top 8 ./invariant 100'
pcasm value.pasm
pcemu --core ooo --top 8 ./invariant 100
cat << END

The microcode of programs/value.pasm made this profile of load values while tests/eval/workloads/invariant.c ran. Each
row is a load with the values that it returned most often. "est. %" is the share of the load's executions that had the
value, as the profile estimates it. "exact %" is the true share, which the simulator knows.

The two columns agree for loads whose values have the same shares throughout the run. They differ for loads that
return one value for a while and then another (flag G, and lines 38 and 39). The reason is that the co-processor has
fewer slots than the guest has loads: a load is sampled in a part of the run only, and not at all while its values seem
to be known (flag M). The profile then extrapolates the shares of that part to the whole run.

Next steps, in this folder:
  the cycles of each instruction, and the error of a sampling profiler:
    build/bin/pcemu --no-program --profile oracle,tip:period=1009 build/workloads/invariant
  the directions of each conditional branch, by another profiling program:
    build/bin/pcasm -o edge.pc programs/edge.pasm
    build/bin/pcemu --program edge.pc build/workloads/invariant
  that program in the debugger, word by word ("help" lists the commands):
    build/bin/pcemu -i --program edge.pc build/workloads/invariant
  the report explained line by line, and a profiling program of your own: docs/tutorial.md
END
