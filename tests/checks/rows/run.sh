#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the documented steps of additions (docs/architecture.md, "Adding things"). Each file NAME.sh here adds one row
# or file of one kind. All additions are made in a copy of the sources and built, and each is tested. Then each step of
# each kind is omitted alone: a tool must report the omission.
# usage: run.sh [NAME...]     without names: all
#
# NAME.sh defines
#   kind      the kind in words
#   steps     the steps' names, in order. Each is a function that edits or creates one file (lib.sh: behind, before,
#             create, generated)
#   targets   what is built besides the tools; may be left out
#   works     sees the addition at work: runs in a folder of its own, with the tools in PATH; $full is the copy
#   no_STEP   for each step: runs in a copy of the sources without that step alone. It must fail, and print the text
#             that it has given to `named`
#   unnoticed_STEP   instead of no_STEP: why nothing can notice that the step is left out
set -eu
export LC_ALL=C
rows=${ROWS:-$(pwd)/tests/checks/rows}
. "$rows/lib.sh"

# fails TEXT FILE: prints the failure and the output that shows it
fails() {
    echo "rows: $1" >&2
    grep -v '^  [A-Z]* *build/' "$2" | tail -n 40 | cut -c 1-300 | sed 's/^/    /' >&2
    exit 1
}

# Parts of the run, each in its own process so that several run in parallel. $tmp and $full are exported.
load() {
    name=$1
    . "$rows/$name.sh"
}

# The tree without one step: hard links to the complete tree, except that each file that the step edits has only the
# other steps' edits.
take_back() { # NAME STEP TREE
    cp -al "$full-sources" "$3"
    awk -v name="$1" -v step="$2" '$1 == name && $2 == step { print $3 }' "$tmp/log" > "$3.files"
    while read -r file; do
        rm -f "$3/$file"
        [ ! -e "$tmp/pristine/$file" ] || cp -p "$tmp/pristine/$file" "$3/$file"
        awk -v name="$1" -v step="$2" -v file="$file" '
            $3 == file && !($1 == name && $2 == step) && !seen[$1, $2]++ { print $1, $2 }' "$tmp/log" > "$3.others"
        while read -r other_name other_step; do
            (root=$3 only=$file record='' && load "$other_name" && step=$other_step && "$other_step") < /dev/null
        done < "$3.others"
        [ ! -e "$3/$file" ] || touch "$3/$file"
    done < "$3.files"
}

case ${1:-} in
--works)
    load "$2"
    mkdir "$tmp/works.$2"
    cd "$tmp/works.$2"
    (works) > "$tmp/works.$2.out" 2>&1 || fails "$kind does not work ($2.sh)" "$tmp/works.$2.out"
    exit ;;
--omit)
    load "$2"
    step=$3 tree=$tmp/without.$2.$3
    take_back "$2" "$3" "$tree"
    cd "$tree"
    if ("no_$3") > "$tree.out" 2>&1; then
        fails "$kind: the step '$3' was left out, and nothing says so ($2.sh)" "$tree.out"
    fi
    named=$(cat "$tree.named")
    grep -qF -- "$named" "$tree.out" ||
        fails "$kind: the step '$3' was left out, and what is said does not name '$named' ($2.sh)" "$tree.out"
    rm -rf "$tree"
    exit ;;
--json) # the keys of JSON, all of which have their rows
    cd "$full"
    tests/checks/check_json.sh build "$tmp/keys" > "$tmp/json.out" 2>&1 ||
        fails "docs/json.md is not complete" "$tmp/json.out"
    exit ;;
esac

names=$*
# The other kinds run the guest of workload.sh.
[ $# -eq 0 ] || names="workload $(echo "$names" | tr ' ' '\n' | grep -vx workload | tr '\n' ' ')"
[ -n "$names" ] || names=$(cd "$rows" && ls ./*.sh | sed 's|^\./||; s|\.sh$||' | grep -vx 'run\|lib')
unset MAKEFLAGS MFLAGS MAKELEVEL BLESS SANITIZE CALLGRIND PGO V # what make exports
tmp=$(mktemp -d) jobs=$(nproc)
trap 'rm -rf "$tmp"' EXIT
full=$tmp/full ROWS=$rows
# Warnings are errors here, because some omissions cause only a warning.
WERROR=yes
export tmp full ROWS WERROR

# All additions at once. The copies share the files that no step edits.
mkdir "$full"
tar cf - Makefile README.md CHANGELOG.md docs base contract isa asm emu core-model host tools programs \
    share tests | tar xf - -C "$full"
cp -al "$full" "$tmp/pristine"
for name in $names; do
    (record=$tmp/log root=$full only='' && load "$name" && for step in $steps; do "$step"; done)
done

# A separate build. Generated pages and help are then written as `make docs` and BLESS=1 do.
cd "$full"
for name in $names; do
    (targets= && load "$name" && echo "$targets")
done > "$tmp/targets"
# shellcheck disable=SC2046 # several targets
make -s -k -j"$jobs" BUILD=build CFLAGS=-O0 tools build/workloads/invariant build/workloads/chase \
    build/bin/isa-manual build/bin/core-manual build/bin/debugger-manual $(cat "$tmp/targets") \
    > "$tmp/build.out" 2>&1 ||
    fails "the sources with all additions are not built" "$tmp/build.out"
make -s BUILD=build CFLAGS=-O0 docs > "$tmp/build.out" 2>&1 || fails "make docs" "$tmp/build.out"
BLESS=1 tests/golden/run_cli.sh build cli help > "$tmp/build.out" 2>&1 || fails "the help" "$tmp/build.out"
compiler=$(make -n V=1 -W isa/isa.c BUILD=build CFLAGS=-O0 build/obj/isa/isa.o |
    sed -n "s| -Ibuild/gen | -I$full/build/gen |; s/ -MMD.*//p")
libraries=$(make -n V=1 -W tools/pcemu/pcemu_main.c BUILD=build CFLAGS=-O0 build/bin/pcemu | grep -o ' -l[a-z0-9_-]*' |
    tr -d '\n')
export compiler libraries
mkdir "$full-sources"
tar cf - --exclude=./build . | tar xf - -C "$full-sources"
PATH=$full/build/bin:$PATH
export PATH

for name in $names; do
    echo "--works $name"
done > "$tmp/list"
echo --json | cat - "$tmp/list" > "$tmp/first"
bad=0
xargs -P "$jobs" -L 1 "$rows/run.sh" < "$tmp/first" || bad=1
for name in $names; do
    (load "$name" && for step in $steps; do
        eval "[ -n \"\${unnoticed_$step:-}\" ]" || echo "--omit $name $step"
    done)
done > "$tmp/list"
xargs -P "$jobs" -L 1 "$rows/run.sh" < "$tmp/list" || bad=1
[ $bad -eq 0 ] || exit 1

for name in $names; do
    (
        load "$name"
        named=0 all=0 not=
        for step in $steps; do
            all=$((all + 1))
            if eval "[ -n \"\${unnoticed_$step:-}\" ]"; then
                not="$not; $step: $(eval "echo \"\$unnoticed_$step\"")"
            else
                named=$((named + 1))
            fi
        done
        echo "rows: $kind: works; $named of $all omissions named$not"
    )
done
