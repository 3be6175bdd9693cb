# SPDX-License-Identifier: GPL-3.0-or-later
# Running Debian's riscv64 programs: where they are, in which environment, and how one of programs/ is run. Sourced.
#
# A file of programs/ is a real program with its input: "# packages:" names what it needs, prepare() makes the input, run() is the command. Both
# run in one folder, empty at first, beside which ../root is where the packages are unpacked, so that no path of this machine's is among the guest's
# arguments. RUN is what runs a riscv64 program; PREPARE does too, where a program must run to make the input.

qemu=${QEMU:-qemu-riscv64}
# Perl's hashes are ordered at random without the last.
guest_environment='PATH=/usr/bin:/bin HOME=/ LC_ALL=C TZ=UTC PERL_HASH_SEED=0'

# on_qemu ROOT, on_pcemu ROOT OPTION...: what goes before a program's name
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
