#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A region of a program has the same report and statistics, byte by byte, in two builds of the same tools whose folders
# have names of different lengths, and in two runs at once. The program is gcc, whose values depend on the names of its
# folders.
#   folders.sh BUILD
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
other=$build/folders/of/another/length/build
"$here/get.sh" "$build/debian" || { echo 'folders.sh: skipped: no Debian packages' >&2; exit 0; }
rm -rf "$build/folders"
mkdir -p "$other/debian"
cp -r "$build/bin" "$build/share" "$other"
cp -al "$build/debian/root" "$build/debian/packages" "$build/debian/versions" "$other/debian"
cd "$build/folders"

# region BUILD NAME
region() {
    INSTRUCTIONS=1000000 "$here/region.sh" "$1" gcc --no-program --format json --stats "$build/folders/$2.stats" \
        --profile oracle -o "$build/folders/$2.json" 2> "$2.log" || { cat "$2.log" >&2; exit 1; }
}
region "$build" one & one=$!
region "$other" two & two=$!
wait "$one"
wait "$two"
region "$build" three & three=$!
region "$build" four & four=$!
wait "$three"
wait "$four"
for run in two three four; do
    for kind in json stats; do cmp "one.$kind" "$run.$kind" || { echo "folders.sh: $run.$kind differs" >&2; exit 1; }
    done
done
rm -rf "$build/folders"
echo 'folders: ok'
