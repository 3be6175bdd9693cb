#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian packages from an archive of `make dist`, in FOLDER, and prints their sizes. Of the environment only
# what is named here reaches the build.
# usage: deb.sh ARCHIVE FOLDER
set -eu
archive=$1 folder=$2
umask 022 # dpkg-source packs the rights of files
rm -rf "$folder"
mkdir -p "$folder"
tar --extract --file="$archive" --directory="$folder"
cd "$folder/$(basename "$archive" .tar.xz)"
env -i PATH="$PATH" HOME="${HOME:-/}" LC_ALL="${LC_ALL:-C.UTF-8}" TZ="${TZ:-UTC}" \
    DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-}" dpkg-buildpackage --no-sign --jobs-try=auto \
    > ../build.log 2>&1 < /dev/null || {
    tail -n 20 ../build.log >&2
    echo "deb.sh: dpkg-buildpackage failed; its output is in $folder/build.log" >&2
    exit 1
}
cd ..
for package in *.deb; do
    echo "$package: $(du -k "$package" | cut -f 1) KB, $(dpkg-deb --field "$package" Installed-Size) KB installed"
done
