#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs unmodified Debian 13 riscv64 programs and compares standard output, exit status and all remaining files with
# those under qemu-riscv64.
#   run.sh [BUILD [DIRECTORY [CASE...]]]
# A case is a script in cases/, run in an empty folder by this machine's shell, once with RUN naming qemu-riscv64 and
# once with RUN naming pcemu; ROOT is the folder of the programs. A line "# cores: functional ooo check ooo-4" names the
# cores to run it on (functional alone otherwise): check is the out-of-order core with --check, ooo-4 has 4 harts. A
# case on several harts is run twice, and the statistics of its last program must be the same; it must not run two
# programs at once, and its files have fixed times. A line "# threads: NAME..." names the programs that have several
# threads (see rounds.sh). If cases/NAME.out exists, it is the expected output, for programs that qemu-riscv64 cannot
# run: it passes execve to the host. Each program of programs/ is a case too (see lib.sh). The packages are fetched into
# DIRECTORY once.
set -eu

build=$(cd "${1:-build}" && pwd)
dir=${2:-$build/debian}
if [ $# -gt 2 ]; then shift 2; else set --; fi
for case; do
    [ -r "$case" ] || { echo "run.sh: expected the file of a case, found '$case'" >&2; exit 2; }
done
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
jobs=${JOBS:-2}

command -v "$qemu" >/dev/null || { echo "debian programs: skipped: no $qemu"; exit 0; }
"$here/get.sh" "$dir" || { echo "debian programs: skipped: the packages could not be fetched"; exit 0; }
dir=$(cd "$dir" && pwd)
root=$dir/root

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# again CASE FOLDER OPTION...: runs the case a second time in the same folder; prints what differs from the first run
again() {
    case=$1 got=$2
    shift 2
    mv "$got" "$got.first"
    run_once "$case" "$got" "$(on_pcemu "$root" "$@")"
    cmp -s "$got.stats" "$got.stats.first" || echo 'other statistics in a second run'
    compare "$case" "$got.first" "$got" | grep -v -x same || :
}

# "name core result" on standard output.
run_case() {
    name=$(basename "$1" .sh)
    run_want "$1" "$work/$name/want"
    cores=$(sed -n 's/^# cores: //p' "$1")
    for core in ${cores:-functional}; do
        got=$work/$name/$core
        case $core in
        check) options='--core ooo --check' ;;
        *-*) options="--core ${core%-*} --harts ${core#*-} --stats $got.stats" ;;
        *) options="--core $core" ;;
        esac
        # shellcheck disable=SC2086 # a list of options, meant to be split
        run_once "$1" "$got" "$(on_pcemu "$root" $options --no-program)"
        result=$(compare "$1" "$work/$name/want" "$got")
        if [ "$result" = same ] && [ -f "$got.stats" ]; then
            mv "$got.stats" "$got.stats.first"
            # shellcheck disable=SC2086 # a list of options, meant to be split
            second=$(again "$1" "$got" $options --no-program)
            result=${second:-same}
        fi
        printf '%-24s %-11s %s\n' "$name" "$core" "$result"
    done
}

# Distributes the cases round-robin to one shell per job.
[ $# -gt 0 ] || set -- "$here"/cases/*.sh "$here"/programs/*.sh
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
runs=$(grep -c -E '^[a-z0-9_-]+ +(functional|check|(ooo|inorder)(-[2-8])?) ' "$work/table" || :)
same=$(grep -c -E '^[a-z0-9_-]+ +(functional|check|(ooo|inorder)(-[2-8])?) +same$' "$work/table" || :)
echo "debian programs: $runs runs of $# cases, $((runs - same)) differ"
[ "$runs" -gt 0 ] && [ "$runs" -eq "$same" ]
