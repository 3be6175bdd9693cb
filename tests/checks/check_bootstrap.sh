#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ./bootstrap where packages are missing: what it says to a user without rights, when apt fails, and when apt succeeds;
# which packages a target asks for. The system's commands are replaced: apt-get logs its arguments, dpkg-query has no
# package.
# usage: check_bootstrap.sh
set -eu
root=$(pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export MAKE=true TMPDIR="$tmp" CALLS="$tmp/calls"

# The Debian packages' build needs the same as the groups "build" and "http", besides what every build of Debian's has.
sed -n 's/^\(build\|http\)  *//p' bootstrap | tr ' ' '\n' |
    grep -vxE 'gcc|libc6-dev|make|pkg-config' | sort > "$tmp/group"
sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9-]*\),$/\1/p' debian/control | sort > "$tmp/control"
diff -u "$tmp/group" "$tmp/control" ||
    { echo 'check_bootstrap.sh: bootstrap and debian/control need different packages' >&2; exit 1; }

# command_of NAME < script: a command of the system
command_of() { { echo '#!/bin/sh'; cat; } > "$tmp/$1"; chmod +x "$tmp/$1"; }
mkdir "$tmp/bin"
for name in sh env sed awk sort paste cat grep tail mktemp rm getconf dirname wc; do
    ln -s "$(command -v "$name")" "$tmp/bin/$name"
done
tmp=$tmp/bin
echo 'exit 0' | command_of true
echo 'exit 1' | command_of dpkg-query
echo 'echo 1000' | command_of id
# shellcheck disable=SC2016 # expanded there
apt='case " $* " in *" --print-uris "*) echo "file name 5000000 sum" ;; *" -s "*) echo "Inst gcc (1)" ;;
*) echo "$*" >> "$CALLS" ;; esac'
echo "$apt" | command_of apt-get
printf '%s\n' "printf 'Package: gcc\\nInstalled-Size: 20000\\n'" | command_of apt-cache

# expect STATUS PATTERN WORD...: runs bootstrap; its output must have a line that matches the pattern
expect() {
    status=0 expected=$1 pattern=$2
    shift 2
    env PATH="$tmp" "$root/bootstrap" "$@" > "$TMPDIR/said" 2>&1 || status=$?
    if [ "$status" != "$expected" ] || ! grep -qE -- "$pattern" "$TMPDIR/said"; then
        echo "check_bootstrap.sh: bootstrap $*: expected status $expected and a line like '$pattern', found $status:" >&2
        cat "$TMPDIR/said" >&2
        exit 1
    fi
}

expect 0 '^Usage: \./bootstrap' --help
expect 2 'there is no sudo; ask an administrator to run: apt-get install .* gcc ' demo
echo 'exit 1' | command_of sudo
expect 2 'sudo refuses; ask an administrator to run: apt-get install .* gcc ' demo
echo 'exec "$@"' | command_of sudo
expect 0 'to install: 1, with 5 MB to download, 20 MB unpacked' demo
grep -q 'install .* gcc-12-riscv64-linux-gnu ' "$CALLS" || { echo 'check_bootstrap.sh: demo: no cross compiler' >&2; exit 1; }
! grep -q qemu-user "$CALLS" || { echo 'check_bootstrap.sh: demo installs a tool of the tests' >&2; exit 1; }
rm "$CALLS"
expect 0 'to install: ' WERROR=yes
! grep -q riscv64 "$CALLS" || { echo 'check_bootstrap.sh: the tools alone install a cross compiler' >&2; exit 1; }
expect 0 'to install: ' demo check
grep -q 'install .*qemu-user' "$CALLS" || { echo 'check_bootstrap.sh: check does not install qemu-user' >&2; exit 1; }
rm "$CALLS"
expect 0 'to install: ' deb
grep -q 'install .*debhelper' "$CALLS" || { echo 'check_bootstrap.sh: deb does not install debhelper' >&2; exit 1; }
! grep -q riscv64 "$CALLS" || { echo 'check_bootstrap.sh: deb installs a cross compiler' >&2; exit 1; }
echo 'echo "E: nothing can be fetched"; exit 100' | command_of apt-get
expect 2 'apt-get update failed; its output is in /' demo
grep -q '^E: nothing can be fetched' "$TMPDIR/said" || { echo "check_bootstrap.sh: apt's error is not printed" >&2; exit 1; }
rm "$tmp/apt-get"
expect 2 'no apt-get: install what Debian has' demo
