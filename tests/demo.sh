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
pcasm value.pasm && pcemu --core ooo ./invariant
