# SPDX-License-Identifier: GPL-3.0-or-later
# Debian's programs of the file `programs`: their packages, inputs and commands. Sourced with `build` set to the build
# folder and `here` to this folder's name.
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
