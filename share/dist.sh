#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Completes an installation so that it runs anywhere, and packs it: copies the shared libraries that are not glibc's
# into lib/, with their licences, and makes NAME.tar.xz beside it. Prints the lowest version of glibc for it.
# usage: SOURCE_DATE_EPOCH=SECONDS dist.sh FOLDER/NAME
set -eu
folder=$1
mkdir -p "$folder/lib" "$folder/share/doc/pcemu/licences"

# package_of LIBRARY: the Debian package that has the file, whose path is below /usr or, in older packages, not
package_of() {
    file=$(realpath "$1")
    { dpkg-query -S "$file" || dpkg-query -S "${file#/usr}"; } 2> /dev/null | sed 's/[:,].*//'
}

ldd "$folder"/bin/* | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | sort -u | while read -r library; do
    package=$(package_of "$library")
    [ -n "$package" ] || { echo "dist.sh: no package has $library, so its licence is unknown" >&2; exit 1; }
    [ "$package" != libc6 ] || continue
    install -m 644 "$library" "$folder/lib/${library##*/}"
    install -m 644 "/usr/share/doc/$package/copyright" "$folder/share/doc/pcemu/licences/$package"
done

# The variables of pkg-config name files relative to their own.
# shellcheck disable=SC2016 # pkg-config expands it
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$folder/share/pkgconfig/pcemu.pc"

pack=$(realpath "$(dirname "$0")/pack.sh") archive=$(realpath "$folder")
(cd "$folder" && find . ! -type d -printf '%P\0' | "$pack" "$archive")
glibc=$(objdump -T "$folder"/bin/* "$folder"/lib/* | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
echo "$folder.tar.xz: $(du -m "$folder.tar.xz" | cut -f 1) MB, for glibc ${glibc#GLIBC_} or later"
