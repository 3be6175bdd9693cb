#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The archive of make dist-binary in a new Debian, which has none of its libraries: the tools, elsewhere and run by a
# user without rights, make the same reports as the build that they come from.
#   binary.sh VERSION DIRECTORY BUILD ARCHIVE
# VERSION is 12 or 13. Must be run by root.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
dir=$(cd "$2" && pwd)
build=$(cd "$3" && pwd) archive=$(realpath "$4")
root=$dir/root home=/home/builder
"$here/root.sh" "$1" "$dir"
name=$(basename "$archive" .tar.xz)
mkdir "$root$home/run"
tar --extract --file="$archive" --directory="$root$home/run"
mv "$root$home/run/$name" "$root$home/run/moved"
cp programs/value.pasm "$root$home/run"
cp "$build/cases/compress.before" "$root$home/run/compress"
chroot "$root" chown -R builder:builder "$home/run"

# commands TOOLS: run in a folder with the guest and the program
commands='set -eu
$tools/pcasm value.pasm
$tools/pcemu --top 9 --profile oracle --collect store -o report ./compress 16 > output
$tools/pcprof prof --top 9 store > profile
$tools/pcdis pc.out > listing'
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cp programs/value.pasm "$here"
cp "$build/cases/compress.before" "$here/compress"
(cd "$here" && env -i HOME=/ tools="$build/bin" sh -c "$commands")
# shellcheck disable=SC2016 # expanded inside
unshare --mount --pid --fork sh -euc '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$1" su builder -c "cd $2/run && $3"
' sh "$root" "$home" "tools=moved/bin; $commands"
for file in output report profile listing; do
    diff "$here/$file" "$root$home/run/$file" || { echo "binary.sh: $file differs from the build's" >&2; exit 1; }
done
echo "$name: the same reports on Debian $1, without its libraries"
