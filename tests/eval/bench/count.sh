# SPDX-License-Identifier: GPL-3.0-or-later
# Counts of host instructions by callgrind. Sourced after `build`, a build with CALLGRIND=1, and `workloads` are set;
# goes to the workloads' folder.
# shellcheck disable=SC2154 # these variables

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$workloads" || exit 1

need_callgrind() {
    command -v valgrind > /dev/null || { echo "$(basename "$0"): skipped: no valgrind"; exit 0; }
}

# collected COMMAND ARG...: prints the host instructions of the command
collected() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" < /dev/null > "$tmp/out" 2> "$tmp/err" || true
    if grep -q 'Process terminating' "$tmp/err"; then
        echo "$(basename "$0"): under valgrind a signal ended $*" >&2
        exit 1
    fi
    sed -n 's/.*Collected : \([0-9]*\)$/\1/p' "$tmp/err" | grep . ||
        { echo "$(basename "$0"): callgrind counts nothing in $*; it needs a build made with CALLGRIND=1" >&2
            tail -n 3 "$tmp/err" >&2; exit 1; }
}

# count WORKLOAD OPTION...: prints the host instructions of a run on a core
count() {
    guest=$1
    shift
    # shellcheck disable=SC2086 # options are words
    collected "$build/bin/pcemu" --no-program -o /dev/null ${OPTIONS:-} "$@" "./$guest"
}

# per_insn LONG SHORT INSTS: the difference of two counts for each instruction
per_insn() { awk -v long="$1" -v short="$2" -v insts="$3" 'BEGIN { printf "%.1f", (long - short) / insts }'; }
