#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a region of a program in programs/ with pcemu options. The input is made and the instructions are counted once.
#   region.sh BUILD NAME[@PERCENT] [OPTION...]
# The region has 100 M instructions (INSTRUCTIONS) and begins after PERCENT of the program's instructions (default:
# half). A tenth as many instructions before it are a detailed warm-up of caches and predictors, unobserved.
# The guest's output is discarded. File names among the options are absolute, because the guest runs in its own
# folder. The guest sees the same names in every run and in any BUILD: its folder is /region/work of its own sysroot,
# and of the host's files it sees those of /dev and /proc.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
name=${2%@*} percent=50
[ "$name" = "$2" ] || percent=${2#*@}
shift 2
. "$here/lib.sh"
program=$here/programs/$name.sh
[ -f "$program" ] || { echo "region.sh: no program '$name'; there are: $(cd "$here/programs" && echo *.sh |
    sed 's/\.sh//g')" >&2; exit 2; }
"$here/get.sh" "$build/debian" || exit 3
place=$build/debian/programs/$name
region=${INSTRUCTIONS:-100000000}
warmup=$((region / 10))

# The first sysroot that no other run uses: the unpacked packages once more, by hard links. A guest reads the name of
# its folder, and its addresses and values can depend on it: gcc takes 1 % more or fewer cycles in another folder.
number=0
mkdir -p "$build/debian/roots"
exec 8> "$build/debian/roots/0.lock"
while ! flock -n 8; do
    number=$((number + 1))
    exec 8> "$build/debian/roots/$number.lock"
done
root=$build/debian/roots/$number
if ! cmp -s "$build/debian/versions" "$root.made"; then
    rm -rf "$root" "$root.made"
    cp -al "$build/debian/root" "$root"
    mkdir "$root/region"
    ln -s .. "$root/region/root"
    cp "$build/debian/versions" "$root.made"
fi
work=$root/region/work
trap 'rm -rf "$work"' EXIT INT TERM
rm -rf "$work"

# The program's input, kept until the program or the packages change.
mkdir -p "$place"
exec 9> "$place/lock"
flock 9
if ! cat "$program" "$here/lib.sh" "$build/debian/versions" | cmp -s - "$place/made_by"; then
    echo "  $name: input, and instructions counted" >&2
    rm -rf "$place/made_by" "$place/input"
    ln -sfn "$build/debian/root" "$place/root"
    mkdir "$work"
    # shellcheck disable=SC2034 # read by in_program
    PREPARE=$(on_pcemu "$root" --sysroot-only --core functional)
    (cd "$work" && in_program "$program" prepare > "$place/prepare.out" 2>&1) ||
        { tail -n 5 "$place/prepare.out" >&2; exit 1; }
    # A guest can read file times: those of the input are the start of its clock.
    find "$work" -exec touch -h -d @1704067200 {} +
    cp -rp "$work" "$place/input"
    RUN=$(on_pcemu "$root" --sysroot-only --core functional --stats "$place/count.stats" --format json)
    (cd "$work" && in_program "$program" run > "$place/count.out" 2> "$place/count.err") ||
        { echo "region.sh: $name: exit status $?" >&2; tail -n 5 "$place/count.err" >&2; exit 1; }
    rm -rf "$work"
    jq -r .guest.instructions "$place/count.stats" > "$place/instructions"
    cat "$program" "$here/lib.sh" "$build/debian/versions" > "$place/made_by"
fi
exec 9>&-

cp -rp "$place/input" "$work"
skip=$(($(cat "$place/instructions") * percent / 100 - warmup))
# shellcheck disable=SC2034 # read by in_program
RUN=$(on_pcemu "$root" --sysroot-only --skip-insts "$skip" --warmup "$warmup" --max-insts "$region" "$@")
cd "$work"
in_program "$program" run > /dev/null
