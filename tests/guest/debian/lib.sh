# SPDX-License-Identifier: GPL-3.0-or-later
# Running Debian's riscv64 programs: their location and environment, and the execution of those in programs/. Sourced.
#
# A file of programs/ describes a program and its input: "# packages:" lists the packages that it needs, prepare()
# makes the input, run() is the command. Both run in one initially empty folder; the packages are unpacked in ../root,
# so that the guest's arguments contain no path of this machine. RUN is the command that runs a riscv64 program;
# PREPARE is the one used where a program must run to make the input.

qemu=${QEMU:-qemu-riscv64}
# The last variable fixes the order of Perl's hashes.
guest_environment='PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC PERL_HASH_SEED=0'

# on_qemu ROOT, on_pcemu ROOT OPTION...: command prefix of a program
on_qemu() { echo "env -i $guest_environment $qemu -L $1"; }
# shellcheck disable=SC2154 # set by the scripts that source this one
on_pcemu() {
    printf '%s' "$build/bin/pcemu -L $1"
    shift
    for word in $guest_environment; do printf ' -E %s' "$word"; done
    for word; do printf ' %s' "$word"; done
}

# in_program FILE FUNCTION...: calls the functions of one of programs/, here
in_program() {
    # shellcheck disable=SC1090
    (. "$1" && shift && for step; do "$step" || exit; done)
}

# run_once CASE FOLDER RUNNER: leaves output, status and files of a case in the folder.
run_once() {
    mkdir -p "$2/files"
    # shellcheck disable=SC2154 # of the script that reads this file
    ln -s "$root" "$2/root"
    script=$(realpath "$1") # it runs in another folder
    case $script in
    */programs/*) commands=". '$script'; prepare && run" ;;
    *) commands=". '$script'" ;;
    esac
    status=0
    (cd "$2/files" && env ROOT="$root" RUN="$3" PREPARE="$3" BIN="$root/usr/bin" LC_ALL=C timeout 600 sh \
        -c "$commands") \
        </dev/null >"$2/stdout" 2>"$2/stderr" || status=$?
    echo "$status" >"$2/status"
}

# run_want CASE FOLDER: the same of the run under qemu-riscv64, or what CASE's .out expects instead.
run_want() {
    run_once "$1" "$2" "$(on_qemu "$root")"
    [ ! -f "${1%.sh}.out" ] || { cp "${1%.sh}.out" "$2/stdout"; echo 0 >"$2/status"; }
}

# compare CASE WANT GOT: prints "same" or what differs, then the first differences.
compare() {
    result=same
    cmp -s "$2/status" "$3/status" || result="exit status $(cat "$3/status"), not $(cat "$2/status")"
    cmp -s "$2/stdout" "$3/stdout" || result="different output"
    [ -f "${1%.sh}.out" ] || diff -r "$2/files" "$3/files" >"$3/diff" 2>&1 || result="different files"
    echo "$result"
    [ "$result" = same ] || {
        diff "$2/stdout" "$3/stdout" | head -n 6
        head -n 6 "$3/stderr"
        head -n 6 "$3/diff" 2>/dev/null || :
    }
}
