#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The main job, from source to profile. usage: demo.sh BUILD
set -eu
build=$(cd "$1" && pwd) root=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$root/programs/value.pasm" "$build/workloads/invariant" "$scratch"
cd "$scratch"
PATH="$build/bin:$PATH"
echo '$ pcasm value.pasm && pcemu --core ooo ./invariant'
pcasm value.pasm
pcemu --core ooo ./invariant
cat << END

This is the profile of load values that the microcode of programs/value.pasm made of tests/workloads/invariant.c: for
each load the values that it returned most often, as the profile estimates them (est. %), beside the truth, which the
simulator knows (exact %). The two agree for loads whose values have the same shares throughout the run.

Rows in which the two differ show what this profile cannot know. Some loads return one value for a while and then
another (in fill, in read_glacier, one in four of read_wide). The co-processor has fewer slots than the guest has loads:
a load is no longer sampled once its values seem to be known (flag M), and a load without M is sampled in a part of the
run. The shares of that part are then reported as those of the whole run.

Try next, in this folder:
  where the cycles go, by instruction, and how far off a sampling profiler is:
    build/bin/pcemu --no-program --profile oracle,tip:period=1009 build/workloads/invariant
  how often each branch goes where, with another profiling program:
    build/bin/pcasm -o edge.pc programs/edge.pasm
    build/bin/pcemu --program edge.pc build/workloads/invariant
  that program, word by word, in the debugger (its commands: help):
    build/bin/pcemu -i --program edge.pc build/workloads/invariant
  a profiling program of your own: docs/tutorial.md
END
