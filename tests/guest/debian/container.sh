#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of the Containerfile, in new roots of Debian in place of images, which no engine makes. In the first one
# lintian checks the packages that are built there; in the last one their tests run, as autopkgtest runs them. Prints
# how long each command takes, and how much the last one installs.
#   container.sh VERSION DIRECTORY
# VERSION is 12 or 13. The root of a stage is DIRECTORY/STAGE/root. Must be run by root.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=$1 commands=$(pwd)/Containerfile
mkdir -p "$2"
dir=$(cd "$2" && pwd)
fail() { echo "container.sh: $*" >&2; exit 1; }

# shellcheck source=tests/guest/debian/inside.sh
. "$here/inside.sh"

# begin_stage NAME: a new root
begin_stage() {
    stage=$1 root=$dir/$1/root workdir=/ user=root
    mkdir -p "$dir/$1"
    [ ! -e "$dir/root.tar" ] || ln -f "$dir/root.tar" "$dir/$1/root.tar"
    "$here/root.sh" "$version" "$dir/$1"
    ln -f "$dir/$1/root.tar" "$dir/root.tar"
    : > "$dir/$1/log"
    before=$(installed "$root")
}

# copy "[--from=STAGE] FILE TARGET": FILE is a pattern in that stage's root, or "." for the sources
copy() {
    target=${1##* } file=${1% *}
    case $file in
    --from=*)
        from=${file%% *}
        mkdir -p "$root$target"
        # shellcheck disable=SC2086 # a pattern
        cp -r "$dir/${from#--from=}/root"${file#* } "$root$target"
        ;;
    .) cp -r "$root/home/builder/sources/." "$root$workdir/$target" ;;
    *) fail "COPY $1: expected --from=STAGE or ." ;;
    esac
}

run() {
    begin=$(date +%s)
    inside "$root" "export DEBIAN_FRONTEND=noninteractive && cd '$workdir' && $1" >> "$dir/$stage/log" 2>&1 || {
        tail -n 20 "$dir/$stage/log" >&2
        fail "$1: failed; its output is in $dir/$stage/log"
    }
    echo "$stage: $(($(date +%s) - begin)) s: $1"
}

# Continued lines are joined, and ARG's variable is the suite of the root.
sed -e ':join' -e '/\\$/{N;s/\\\n *//;b join' -e '}' -e '/^#/d; /^$/d' "$commands" > "$dir/instructions"
while read -r instruction words; do
    case $instruction in
    ARG | CMD) ;;
    FROM) case $words in *' AS '*) begin_stage "${words##* AS }" ;; *) begin_stage last ;; esac ;;
    WORKDIR) workdir=$words && mkdir -p "$root$workdir" ;;
    USER) user=$words ;;
    COPY) copy "$words" ;;
    RUN) run "$words" ;;
    *) fail "$commands: $instruction: expected ARG, FROM, WORKDIR, USER, COPY, RUN or CMD" ;;
    esac
done < "$dir/instructions"
after=$(installed "$root")
echo "$stage: $((${after% *} - ${before% *})) packages, $(((${after#* } - ${before#* }) * 1024 / 1000000)) MB unpacked"
inside "$root" "cd '$workdir' && su '$user' -c 'pcemu --version'"

# The tests of the packages. A loaded machine needs more time for each step than autopkgtest grants.
mkdir -p "$dir/packages"
rm -rf "$dir/packages"/* "$dir/autopkgtest"
cp "$dir"/build/root/build/pcemu[_-]* "$dir/packages"
unshare --mount --pid --fork sh -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec autopkgtest --no-built-binaries --apt-upgrade --timeout-factor=10 --output-dir "$2/autopkgtest" \
        "$2"/packages/pcemu_*.deb "$2"/packages/pcemu-dev_*.deb "$1/home/builder/sources" -- chroot "$1"
' sh "$root" "$dir" > /dev/null 2>&1 < /dev/null || {
    tail -n 20 "$dir/autopkgtest/log" >&2
    fail "a test of the packages fails; its output is in $dir/autopkgtest"
}
cat "$dir/autopkgtest/summary"
inside "$dir/build/root" 'apt-get install -y --no-install-recommends lintian > /dev/null 2>&1
    lintian --allow-root --fail-on error,warning /build/*.changes'
echo "container.sh: Debian $version: the packages are built, installed and tested; lintian: no errors, no warnings"
