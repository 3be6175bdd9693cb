#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the commands in the documents: the lines of every block fenced as ```sh, each file in its own folder with the
# tools on PATH. A block fenced as ```sh TOOL is run only if that tool is installed, and its output is not compared. A
# block fenced as ```pasm NAME, ```c NAME, ```conf NAME or ```make NAME is first written to that file, one fenced as
# ```samples to the file samples. A block fenced as ```output is an excerpt of what the ```sh block above it prints:
# each of its lines must be printed, in this order. Any failure fails the test. A here-document in a ```sh block is
# refused: the end of its text would not be recognised, so the rest of the block would not run. With BLESS=1 the
# numbers in ```output blocks are replaced by those printed now. With guests of another compiler than Debian 12's,
# lines are compared without their numbers. A page of an exercise of the course runs in a copy of the exercise, with the
# files of its solution. With --short the guests of a ```sh block without an ```output block end
# after a million instructions.
# usage: run_documents.sh [--short] BUILD FILE...
set -eu
short=
[ "$1" != --short ] || { short=yes; shift; }
build=$(cd "$1" && pwd) root=$(pwd) bad=0
shift
compare() { awk -v printed="$tmp/printed" -v numbers="$numbers" -f tests/checks/document_output.awk "$1"; }
numbers=yes
tests/checks/expected_guest.sh "$build/workloads/invariant" || numbers=no
tmp=$(mktemp -d)
cwd=
# $cases has the case studies, NAME.before and NAME.after, with their source NAME.c. A document has the variables that
# README.md exports, and no others.
guests=$(mktemp -d /tmp/guests.XXXXXX) cases=$(mktemp -d /tmp/cases.XXXXXX)
trap 'rm -rf "$tmp" "$cwd" "$guests" "$cases"' EXIT
# The documents' pcemu is a function, which with a $limit ends the guest after as many instructions. Runs over samples
# and over recordings do not have --max-insts.
cat > "$tmp/functions" << 'SH'
pcemu() {
    [ -n "$limit" ] || { command pcemu "$@"; return; }
    case " $* " in
    *help* | *samples:* | *replay:*) command pcemu "$@"; return ;;
    *' --max-insts '*) ;;
    *) set -- --max-insts "$limit" "$@" ;;
    esac
    words=$# last=
    for word; do
        # from a million on
        case $last:$word in --max-insts:*M | --max-insts:???????*) word=$limit ;; esac
        last=$word
        set -- "$@" "$word"
    done
    shift "$words"
    command pcemu "$@"
}
SH
find "$build/workloads" "$build/harts" -maxdepth 1 -type f -perm -100 -exec cp -t "$guests" {} +
find tests/eval/cases "$build/cases" -maxdepth 1 -type f -exec cp -t "$cases" {} +
set_variables() {
    sed -n 's/^\$ export //p' README.md | tr ' ' '\n' | sed 's/=.*//' | while read -r name; do
        case $name in
        PATH) ;;
        programs) echo "export programs='$root/programs'" ;;
        workloads | harts) echo "export $name='$guests'" ;;
        cases) echo "export cases='$cases'" ;;
        *) echo "echo 'README.md exports $name, which run_documents.sh does not set' >&2; exit 1" ;;
        esac
    done
}
{ echo 'unset programs workloads harts cases'; set_variables; } >> "$tmp/functions"
for document; do
    cwd=$(mktemp -d /tmp/page.XXXXXX) folder=
    case $document in
    share/pcemu/course/*/README.md)
        exercise=${document%/README.md}
        folder=course/${exercise##*/}
        share/pcemu/course/handout "$cwd/course" > "$tmp/handout"
        cp "$exercise"/solution/* "$cwd/$folder"
        ;;
    esac
    mkdir "$tmp/printed"
    awk -v dir="$cwd" -v printed="$tmp/printed" -v short="$short" '
        NR == FNR { if (/^```sh$/) n++; if (/^```output$/) compared[n] = 1; next }
        /^```/ && inside { inside = 0; if (file != "") close(file); file = ""; next }
        /^```sh [a-z_]+$/ && system("command -v " $2 " > /dev/null") != 0 { inside = 1; script = 0; next }
        /^```sh( [a-z_]+)?$/ {
            inside = 1
            script = 1
            block = NF == 1 ? ++blocks : "tool"
            print "exec > " printed "/" block " 2>&1"
            print "limit=" (short && !(block in compared) ? "1000000" : "")
            next
        }
        /^```(pasm [a-z_]+\.pasm|c [a-z_]+\.c|conf [a-z_]+\.conf|make [a-z_]+\.mk)$/ {
            inside = 1
            script = 0
            file = dir "/" $2
            next
        }
        /^```samples$/ { inside = 1; script = 0; file = dir "/samples"; next }
        /^```/ { inside = 1; script = 0; next }
        inside && script && /<<-?[ \t]*[\\"'"'"'A-Za-z_]/ {
            printf "%s:%d: error: here-document in a block of commands: expected printf, or a block fenced as " \
                "```pasm NAME or ```c NAME\n", FILENAME, FNR > "/dev/stderr"
            exit 1
        }
        inside && script { print $0 (/[^\\]$/ ? " || exit 1" : "") }
        inside && file != "" { print > file }
    ' "$document" "$document" > "$tmp/script"
    if [ -s "$tmp/script" ]; then
        cat "$tmp/functions" "$tmp/script" > "$tmp/run"
        (cd "$cwd/$folder" && PATH="$build/bin:$PATH" sh -eu "$tmp/run") < /dev/null ||
            { cat "$tmp"/printed/*; echo "$document: a command in it fails" >&2; exit 1; }
    fi
    compare "$document" > "$tmp/document" 2> "$tmp/differences" || {
        if [ -n "${BLESS:-}" ]; then
            cat "$tmp/document" > "$document"
            compare "$document" > /dev/null || bad=1
        else
            cat "$tmp/differences" >&2
            bad=1
        fi
    }
    rm -rf "$cwd" "$tmp/printed"
done
exit $bad
