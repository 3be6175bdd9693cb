# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's programs of the file `programs`: their packages, inputs and commands. Sourced with `build` set to the build
# folder and `here` to this folder's name.
# shellcheck disable=SC2154 # set by the scripts that source this one
. "$here/../../../guest/debian/lib.sh"

# real_fetch FOLDER PROGRAMS: fetches the packages of these lines of the file, once; 1: they cannot be had
real_fetch() {
    real_packages=$(printf '%s\n' "$2" | cut -d '|' -f 2 | tr -s ' ' '\n' | sort -u | grep .)
    [ "$(cat "$1/packages" 2> /dev/null)" != "$real_packages" ] || return 0
    echo 'fetching Debian 13 riscv64 packages' >&2
    # shellcheck disable=SC2086 # a list of names, meant to be split
    "$here/../../../guest/debian/fetch.sh" "$1" $real_packages > "$1/fetch.log" 2>&1 ||
        { tail -n 5 "$1/fetch.log" >&2; return 1; }
    echo "$real_packages" > "$1/packages"
}

# real_inputs FOLDER TO: makes the inputs in the folder TO/work, in which the programs run
real_inputs() {
    mkdir "$2/work"
    ln -s "$1/root" "$2/work/root"
    cp "$here"/input/* "$2/work"
    (cd "$2/work" && "$here/make.sh")
}

# real_command COMMAND: the command of a line, in that folder
real_command() {
    printf '%s\n' "$1" | sed 's|BIN/|root/usr/bin/|g; s|LIBEXEC/|root/usr/libexec/gcc/riscv64-linux-gnu/14/|g'
}

# The functions below are for scripts that keep results of each program in the folder `out`, with the packages in
# `folder` and the lines of the file in `programs`.

# real_guest NAME OPTION...: runs a program with these options of pcemu
real_guest() {
    real_name=$1
    shift
    real_line=$(real_command "$(printf '%s\n' "$programs" | sed -n "s/^$real_name *|[^|]*| *//p")")
    # shellcheck disable=SC2154 # of the other lib.sh
    for word in $guest_environment; do set -- "$@" -E "$word"; done
    (cd "$out/work" && eval "exec \"\$build/bin/pcemu\" -L \"\$folder/root\" \"\$@\" $real_line" < /dev/null > /dev/null)
}

# real_fresh FILE: whether it is newer than pcemu
real_fresh() { [ -n "$(find "$1" -newer "$build/bin/pcemu" 2> /dev/null)" ]; }

# real_skip NAME PERCENT: the number of instructions before this part of the program, which is run once to count them
real_skip() {
    [ -s "$out/$1.instructions" ] || {
        real_guest "$1" --core functional --stats "$out/$1.stats" --format json 2> "$out/$1.err" || true
        jq .guest.instructions "$out/$1.stats" > "$out/$1.instructions"
    }
    awk -v percent="$2" '{ printf "%d", $1 * percent / 100 }' "$out/$1.instructions"
}

# real_pieces SCRIPT NAME...: runs the script with PIECE=yes for each program, as many at once as there are processors
real_pieces() {
    real_script=$1
    shift
    printf '%s\n' "$@" | PIECE=yes xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' "$real_script" "$build" '{}'
}
