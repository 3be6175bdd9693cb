#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian packages are the same bytes if they are built again: in another folder, later, in another time zone and
# locale, with other rights of new files and another number of jobs. Then lintian; its warnings are errors here.
# usage: check_deb.sh ARCHIVE FOLDER     FOLDER: packages that share/deb.sh has built from the archive
set -eu
archive=$1 first=$2 second=$2-again/in/a/folder/with/a/longer/name bad=0
(umask 077 && TZ=Asia/Tokyo LC_ALL=POSIX DEB_BUILD_OPTIONS=parallel=3 share/deb.sh "$archive" "$second" > /dev/null)
for file in "$first"/*.deb "$first"/*.dsc "$first"/*.tar.xz; do
    again=$second/${file##*/}
    cmp "$file" "$again" || {
        bad=1
        ! command -v diffoscope > /dev/null || diffoscope --max-report-size 10000 "$file" "$again" || :
    }
done
[ $bad = 0 ] || { echo "check_deb.sh: packages depend on where or when they are built" >&2; exit 1; }
lintian --allow-root --fail-on error,warning "$first"/*.changes
echo "packages: the same bytes from two builds; lintian: no errors, no warnings"
