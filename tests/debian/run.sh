#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs unmodified Debian 13 riscv64 programs and compares with qemu-riscv64: standard output, exit status, and every file left.
#   run.sh [BUILD [DIRECTORY [CASE...]]]
# A case is a script in cases/, run in an empty folder by this machine's shell, once with RUN naming qemu-riscv64 and once with
# RUN naming pcemu; ROOT is where the programs are. A line "# cores: functional ooo" names the cores to run it on
# (functional alone otherwise). Where cases/NAME.out exists it is the expected output, for what qemu-riscv64 cannot do: it hands
# execve to the machine it runs on. The packages are fetched into DIRECTORY once.
set -eu

build=$(cd "${1:-build}" && pwd)
dir=${2:-$build/debian}
if [ $# -gt 2 ]; then shift 2; else set --; fi
here=$(cd "$(dirname "$0")" && pwd)
qemu=${QEMU:-qemu-riscv64}
jobs=${JOBS:-2}

packages='
bash bc busybox-static bzip2 coreutils dash dc debianutils diffutils ed file findutils gawk grep gzip jq lua5.4 m4 make mawk openssl
patch perl-base python3.13-minimal sed sqlite3 tar tcl8.6 xz-utils zstd
libacl1 libattr1 libbz2-1.0 libc6 libcap2 libcrypt1 libexpat1 libffi8 libgcc-s1 libgfortran5 libgmp10 libjq1 liblua5.4-0 liblz4-1
liblzma5 libmagic-mgc libmagic1t64 libmd0 libmpfr6 libncursesw6 libonig5 libpcre2-8-0 libpython3.13-minimal libpython3.13-stdlib
libreadline8t64 libselinux1 libsigsegv2 libsqlite3-0 libssl3t64 libstdc++6 libtcl8.6 libtinfo6 libuuid1 libxxhash0 libzstd1 zlib1g
'

command -v "$qemu" >/dev/null || { echo "debian programs: skipped: no $qemu"; exit 0; }
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
if [ "$(cat "$dir/packages" 2>/dev/null)" != "$packages" ]; then
    # shellcheck disable=SC2086 # a list of names, meant to be split
    "$here/fetch.sh" "$dir" $packages >"$dir/fetch.log" 2>&1 ||
        { tail -n 5 "$dir/fetch.log"; echo "debian programs: skipped: the packages could not be fetched"; exit 0; }
    printf '%s\n' "$packages" >"$dir/packages"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# One run of a case: leaves its output, status and files in a folder.
run_once() {
    mkdir -p "$2/files"
    status=0
    (cd "$2/files" && env ROOT="$dir/root" RUN="$3" BIN="$dir/root/usr/bin" LC_ALL=C timeout 120 sh "$1") \
        </dev/null >"$2/stdout" 2>"$2/stderr" || status=$?
    echo "$status" >"$2/status"
}

# "name core result" on standard output.
run_case() {
    name=$(basename "$1" .sh)
    run_once "$1" "$work/$name/want" "env -i PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC $qemu -L $dir/root"
    [ ! -f "${1%.sh}.out" ] || { cp "${1%.sh}.out" "$work/$name/want/stdout"; echo 0 >"$work/$name/want/status"; }
    cores=$(sed -n 's/^# cores: //p' "$1")
    for core in ${cores:-functional}; do
        got=$work/$name/$core
        run_once "$1" "$got" "$build/bin/pcemu --core $core --no-program -o /dev/null -L $dir/root \
            -E PATH=/usr/bin:/bin -E HOME=/ -E LC_ALL=C -E TZ=UTC"
        result=same
        cmp -s "$work/$name/want/status" "$got/status" || result="exit status $(cat "$got/status"), not $(cat "$work/$name/want/status")"
        cmp -s "$work/$name/want/stdout" "$got/stdout" || result="different output"
        [ -f "${1%.sh}.out" ] || diff -r "$work/$name/want/files" "$got/files" >"$got/diff" 2>&1 || result="different files"
        printf '%-24s %-11s %s\n' "$name" "$core" "$result"
        [ "$result" = same ] || {
            diff "$work/$name/want/stdout" "$got/stdout" | head -n 6
            head -n 6 "$got/stderr"
            head -n 6 "$got/diff" 2>/dev/null || :
        }
    done
}

# Cases by turns to as many shells as there are jobs.
[ $# -gt 0 ] || set -- "$here"/cases/*.sh
job=0
while [ "$job" -lt "$jobs" ]; do
    (
        turn=0
        for case in "$@"; do
            [ $((turn % jobs)) -ne "$job" ] || run_case "$case"
            turn=$((turn + 1))
        done >"$work/table.$job" 2>&1
    ) &
    job=$((job + 1))
done
wait
cat "$work"/table.* | tee "$work/table"
runs=$(grep -c -E '^[a-z0-9_-]+ +(functional|ooo) ' "$work/table" || :)
same=$(grep -c -E '^[a-z0-9_-]+ +(functional|ooo) +same$' "$work/table" || :)
echo "debian programs: $runs runs of $# cases, $((runs - same)) differ"
[ "$runs" -gt 0 ] && [ "$runs" -eq "$same" ]
