# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2154 # of check_share.sh
# Checks an installation: its tools find their files, pkg-config finds the folders, and all versions are equal.
bad=0
say() { echo "$@" >&2; bad=1; }
export PKG_CONFIG_PATH="$root/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR=
pkg-config --validate pcemu
variable() { echo "$tmp/root$(pkg-config --variable="$1" pcemu)"; }
for folder in bindir includedir programsdir configdir pluginsdir editorsdir docdir; do
    [ -d "$(variable $folder)" ] || say "pcemu.pc: $folder: there is no folder $(variable $folder)"
done
jq -e . "$(variable schema)" > /dev/null
[ "$(pkg-config --variable=prefix pcemu)" = /opt/lab ] || say "pcemu.pc: the prefix is not the installation's"

"$root/bin/pcasm" -o "$tmp/value.pc" "$(variable programsdir)/value.pasm"
printf 'load pc=0x1000 result=7 x3\n' | "$root/bin/pcemu" --program "$tmp/value.pc" --core samples:- -o "$tmp/report"
for plugin in "$(variable pluginsdir)"/*.c; do
    name=$(basename "$plugin" .c)
    (cd "$tmp" && "$root/bin/pcemu" --plugin-skeleton "$name" > "$name.c" &&
        sh -c "$(sed -n '1s|^/\* \(.*\) \*/$|\1|p' "$name.c")" && [ -s "$name.so" ]) || say "the plug-in $name is not built"
done
diff -r -x __pycache__ share/pcemu/python "$root/share/pcemu/python" >&2 || say "share/pcemu/python is not what is installed"
# The course is complete, its scripts can be run, and a copy is checked by the installed tools.
diff -r share/pcemu/course "$root/share/pcemu/course" >&2 || say "share/pcemu/course is not what is installed"
"$root/share/pcemu/course/handout" "$tmp/course" > "$tmp/output"
PATH="$root/bin:$PATH" programs=$(variable programsdir) COURSE_ANSWERS=yes "$tmp/course/07-sharing/check" > "$tmp/output" ||
    say "the check of an exercise fails"
[ "$(grep -c '^[a-z_]* = .' "$tmp/output")" -ge 6 ] || say "the check of an exercise does not run the tools"
[ "$(pkg-config --cflags pcemu | tr -d ' ')" = -I/opt/lab/include ] || say "pcemu.pc: Cflags are not the installation's"
for config in "$(variable configdir)"/*.conf; do
    "$root/bin/pcemu" --config "$(basename "$config" .conf)" --dump-config > /dev/null
done

version=$(pkg-config --modversion pcemu)
for tool in "$root"/bin/*; do
    [ "$("$tool" --version)" = "$(basename "$tool") $version" ] ||
        say "$tool: the version is not that of pcemu.pc, $version"
done
grep -qE "^## \[$version\]" CHANGELOG.md || say "CHANGELOG.md: no section of version $version"
# Packages of versions that are not released are later than those of the last release.
unreleased=$(awk '/^## / { inside = /Unreleased/ } inside && /^- / { print "+unreleased"; exit }' CHANGELOG.md)
package=$(sed -n '1s/^pcemu (\(.*\)) .*/\1/p' debian/changelog)
[ "$package" = "$version$unreleased" ] ||
    say "debian/changelog: expected the version $version$unreleased, as base/version.h and CHANGELOG.md, found $package"
for page in "$root"/share/man/man*/*; do
    head -n 2 "$page" | grep -q "^\.TH .*\"pcemu $version\"" || say "$page: not of version $version"
done

# Every phony target has a line in `make help`, and every line a target.
make -s help | awk '{ print $1 }' | sort > "$tmp/helped"
# Files of flags are phony where they are out of date.
make -pRrq BUILD="$build" help 2> "$tmp/errors" | sed -n 's/^\.PHONY: //p' | tr ' ' '\n' |
    grep -v '/flags$' | sort > "$tmp/phony"
diff -u "$tmp/phony" "$tmp/helped" >&2 || say "make help: the lines '## TARGET: ...' are not the targets of .PHONY"
exit $bad
