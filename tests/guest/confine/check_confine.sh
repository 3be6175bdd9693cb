#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --confine, --read-only and --no-network: a guest tries to leave its working folder (escape.c), without them and with
# them, on two cores, and as a user without privileges if this one is root. escape.out has the errors, a column for each
# of `modes`. Then: the files outside are what they were; outputs elsewhere are complete; the errors of old kernels.
# usage: check_confine.sh BUILD      BLESS=1 rewrites escape.out
set -eu
build=$(cd "$1" && pwd) here=$(pwd)/tests/guest/confine bad=0
tmp=$(mktemp -d /tmp/confine.XXXXXXXX)
outsider=
trap '[ -z "$outsider" ] || kill -KILL $outsider; rm -rf "$tmp"' EXIT
export PATH="$build/bin:$build/tests/faults:$PATH" LC_ALL=C SOURCE_DATE_EPOCH=1000000000
chmod 755 "$tmp"

fails() { echo "check_confine.sh: $*" >&2; bad=1; }

cp "$build/confine/escape" "$tmp/first"
cd "$tmp"
mkdir first.d
(cd first.d && pcemu --core functional --confine ../first) 2> why || status=$?
if [ "${status:-0}" != 0 ]; then
    grep -q 'Landlock\|seccomp' why || { cat why >&2; exit 1; }
    echo "check_confine.sh: skipped: $(cat why)"
    exit 0
fi

# Column and options; OUT is the folder outside.
modes='none
confine --confine
reads --confine --allow-read OUT
changes --confine --allow OUT
read-only --read-only
nothing --confine --read-only
network --no-network'

# make_folders: the working folder and the one outside
make_folders() {
    rm -rf "$tmp/play"
    mkdir -p "$tmp/play/out/empty" "$tmp/play/in/folder of its own"
    for name in secret emptied cut removed moved renamed linked attributes; do
        echo $name > "$tmp/play/out/$name"
    done
    cp "$tmp/first" "$tmp/play/out/program"
    cp "$tmp/first" "$tmp/play/in/escape"
    echo own > "$tmp/play/in/own"
    echo leaves > "$tmp/play/in/leaves"
    ln -s "$tmp/play/out" "$tmp/play/in/folder" # where the guest cannot make links
    ln -s /proc/self/root "$tmp/play/in/root"
    ln -s /proc/self/fd "$tmp/play/in/fds"
    [ -z "$user" ] || chown -hR 65534:65534 "$tmp/play"
}

# state FOLDER: all that a guest could change there
state() {
    (cd "$1" && find . -printf '%p %y %m %U %G %s %T@ %n %l\n' | sort && find . -type f -exec cat '{}' +)
}

# try CORE MODE OPTION...: runs the guest, as $user if that is set
try() {
    core=$1 mode=$2
    shift 2
    make_folders
    state "$tmp/play/out" > "$tmp/before"
    state "$tmp/play/in" > "$tmp/before.in"
    (cd "$tmp/play/out" && exec sleep 1000) &
    outsider=$!
    if [ -n "$user" ]; then # the process outside is its own
        kill -KILL $outsider
        (cd "$tmp/play/out" && exec $user sleep 1000) &
        outsider=$!
        sleep 0.2
    fi
    # shellcheck disable=SC2086,SC2094 # options, meant to be split; $mode is no folder
    (cd "$tmp/play/in" && exec $user pcemu --core "$core" --no-program "$@" ./escape "$tmp/play/out" $outsider \
        9< "$tmp/play/out/secret" < "$tmp/play/out" > "$tmp/$mode" 2> "$tmp/err") || fails "$core $*: $(cat "$tmp/err")"
    kill -KILL $outsider
    wait $outsider 2> /dev/null || true
    outsider=
    if [ "$mode" = none ] && grep -q '^make a device *ok' "$tmp/none"; then
        grep -q 'run by root, made devices' "$tmp/err" || fails "$core: no warning of devices"
    fi
    case $mode in
    confine | reads | read-only | nothing)
        state "$tmp/play/out" | cmp -s "$tmp/before" - || fails "$core $*: the guest changed files outside" ;;
    esac
    case $mode in
    read-only | nothing)
        state "$tmp/play/in" | cmp -s "$tmp/before.in" - || fails "$core $*: the guest changed files" ;;
    esac
}

# table CORE: runs all modes, and prints the table
table() {
    echo "$modes" | while read -r name options; do
        # shellcheck disable=SC2046 # options, meant to be split
        try "$1" "$name" $(echo "$options" | sed "s|OUT|$tmp/play/out|")
        [ $bad = 0 ] || exit 1
    done || bad=1
    names=$(echo "$modes" | cut -d ' ' -f 1)
    {
        printf 'attempt'
        # shellcheck disable=SC2086 # names, meant to be split
        printf ',%s' $names
        echo
        cut -c 1-40 "$tmp/none" | sed 's/ *$//' > "$tmp/attempts"
        # shellcheck disable=SC2046,SC2086 # names, meant to be split
        (cd "$tmp" && for name in $names; do cut -c 42- $name > $name.errors; done &&
            paste -d , attempts $(for name in $names; do echo $name.errors; done))
    } | awk -F , '{ printf "%-42s", $1; for (i = 2; i <= NF; i++) printf i < NF ? "%-10s" : "%s\n", $i }'
}

# Where the machine decides: devices and settings of the kernel are not every user's, and not every container's.
uncertain() { sed '/^make a device\|^.proc.sys to write/ { s/\(.\{42\}\).\{10\}/\1?         /; s/ [^ ]*$/ ?/ }'; }

user=
for core in functional ooo; do
    table $core > "$tmp/all"
    uncertain < "$tmp/all" > "$tmp/table"
    [ -z "${BLESS:-}" ] || cp "$tmp/table" "$here/escape.out"
    diff -u "$here/escape.out" "$tmp/table" || fails "$core: the errors differ"
done
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    user="setpriv --reuid=65534 --regid=65534 --clear-groups"
    if $user test -x "$build/bin/pcemu"; then
        table functional > "$tmp/all"
        uncertain < "$tmp/all" > "$tmp/table"
        diff -u "$here/escape.out" "$tmp/table" || fails "as a user without privileges: the errors differ"
    else
        echo "check_confine.sh: not run as a user without privileges, who cannot read $build"
    fi
    user=
fi

# Outputs in a folder that the guest cannot change are complete, and the same as without.
make_folders
cd "$tmp/play/in"
for n in free bound; do
    mkdir "$tmp/$n"
    to=$tmp/$n options=''
    [ $n = free ] || options='--confine --read-only --no-network'
    # shellcheck disable=SC2086 # options, meant to be split
    pcemu --no-program --profile oracle $options -o "$to/report" --stats "$to/stats" --kanata "$to/log" \
        --trace commit --trace-file "$to/trace" --record "$to/recording" ./escape 2> "$tmp/err" ||
        fails "$(cat "$tmp/err")"
    # shellcheck disable=SC2086 # options, meant to be split
    pcemu --harts 2 --no-program --profile oracle $options --by-hart -o "$to/harts" ./escape 2> "$tmp/err" ||
        fails "$(cat "$tmp/err")"
done
diff -r "$tmp/free" "$tmp/bound" > /dev/null || fails "outputs differ"
[ "$(find "$tmp/bound" -type f | wc -l)" = 8 ] || fails "there are other outputs: $(ls -A "$tmp/bound")"

# A fault is reported with names, and the guest's libraries come from -L.
echo 'int main(int argc, char **argv) { (void)argv; return *(volatile int *)(long)(argc - 1); }' > fault.c
riscv64-linux-gnu-gcc -g -o "$tmp/fault" fault.c
pcemu --core functional --confine --strace -L "${RV_SYSROOT:-/usr/riscv64-linux-gnu}" "$tmp/fault" 2> err || true
grep -q 'SIGSEGV' err || fails "no fault: $(cat err)"
grep -q '#0 .*main' err || fails "a fault without its place: $(cat err)"
grep -q 'openat(.*libc.so.6.* = 3' err || fails "no library, or no line of --strace: $(cat err)"

# What kernels lack.
expect() {
    message=$1
    shift
    status=0
    timeout 60 "$@" 2> "$tmp/err" || status=$?
    [ $status = 2 ] || fails "$*: status $status: $(cat "$tmp/err")"
    grep -q -F -- "$message" "$tmp/err" || fails "$*: $(cat "$tmp/err")"
}
expect '--confine: the kernel has ABI 2 of Landlock: expected ABI 3, of Linux 6.2 or later' \
    inject restrict 1 =2 pcemu --core functional --confine ./escape
expect '--read-only: the kernel has no Landlock: expected Linux 6.2 or later, built with CONFIG_SECURITY_LANDLOCK' \
    inject restrict 1 ENOSYS pcemu --core functional --read-only ./escape
expect '--confine: the kernel was booted without Landlock: expected Linux 6.2 or later with landlock in' \
    inject restrict 1 EOPNOTSUPP pcemu --core functional --confine ./escape
expect '--no-network: the kernel refuses a filter of system calls' \
    inject filter 1+ EINVAL pcemu --core functional --no-network ./escape
cd /
expect '--confine: the working folder is /' pcemu --core functional --confine "$tmp/first"
exit $bad
