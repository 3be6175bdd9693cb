#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a manual page from its source, NAME.SECTION.md: Markdown whose first line is "# NAME: what it is", and in which
# these lines stand for what others write:
#
#   @include FILE           a page of docs/
#   @include FILE#HEADING   a section of it, with its heading
#   @run PROGRAM[#HEADING]  likewise, what PROGRAM of BUILD/bin prints
#   @tool NAME[ COMMAND]    the sections of a tool from NAME to EXIT STATUS, from its own table of options
#   @commands NAME          a section for each command of a tool, with its options
#
# usage: [RUN=COMMAND] make.sh BUILD SOURCE, in the folder of the sources; the command runs programs of BUILD/bin
set -eu
build=$1 source=$2
here=$(dirname "$0")
base=$(basename "$source" .md)
name=${base%.*} section=${base##*.}

# section HEADING: the lines below that heading, up to the next one that is not deeper
section() {
    awk -v wanted="$1" '
        /^```/ { code = !code }
        !code && /^#+ / {
            depth = index($0, " ") - 1
            if (inside && depth <= own) exit
            if (substr($0, depth + 2) == wanted) { inside = found = 1; own = depth }
        }
        inside
        END { exit !found }' || { echo "$source: there is no heading '$1'" >&2; return 1; }
}

# part_of TEXT: of standard input, all or the section that is named behind '#'
part_of() {
    case $1 in
    *'#'*) section "${1#*#}" ;;
    *) cat ;;
    esac
}

# shellcheck disable=SC2086 # words of a command
run() { (program=$1; shift; exec ${RUN-} "$build/bin/$program" "$@"); }

# describe "TOOL[ COMMAND]": its table
describe() {
    case $1 in
    *' '*) run "${1%% *}" "${1#* }" --describe ;;
    *) run "$1" --describe ;;
    esac
}
part() { awk -v part="$2" -f "$here/options.awk" "$1"; }

tool() {
    describe "$1" > "$tmp/table"
    echo '## Synopsis'
    part "$tmp/table" synopsis
    echo '## Description'
    part "$tmp/table" description
    echo '## Options'
    part "$tmp/table" options
    part "$tmp/table" words
    echo '## Exit status'
    part "$tmp/table" exit
}

options() {
    describe "$1" > "$tmp/table"
    for p in synopsis description options words; do part "$tmp/table" "$p"; done
}

commands() {
    for command in $(describe "$1" | awk -F '\t' '$1 == "word" && $2 != "help" { print $2 }'); do
        echo "## $1 $command"
        options "$1 $command"
    done
}

expand() {
    sed 1d "$source" | while IFS= read -r line; do
        what=${line#* }
        case $line in
        '@include '*) part_of "$what" < "${what%%#*}" ;;
        '@run '*) run "${what%%#*}" > "$tmp/printed" && part_of "$what" < "$tmp/printed" ;;
        '@tool '*) tool "$what" ;;
        '@commands '*) commands "$what" ;;
        '@'*) echo "$source: '$line': expected @include, @run, @tool or @commands" >&2 && return 1 ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
version=$(run pcemu --version)
date=$(sed -n "s/^## \[${version#* }\] - //p" CHANGELOG.md)
what=$(sed -n '1s/^# [^:]*: //p' "$source")
expand > "$tmp/expanded"
echo ".\\\" Made from $source and the tables of the tools by $0."
echo ".TH \"$(echo "$name" | tr '[:lower:]' '[:upper:]')\" $section \"$date\" \"$version\" \"Profiling laboratory\""
printf '.nh\n.ad l\n.SH NAME\n%s \\- %s\n' "$(echo "$name" | sed 's/-/\\-/g')" "$what"
awk -v page="$name($section)" -f "$here/md2man.awk" "$tmp/expanded"
