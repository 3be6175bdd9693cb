# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the checks of all exercises share. The script `check` of an exercise reads this file, defines functions that run
# the tools, and calls `questions` with a table. It prints for each question `right`, `wrong` with a hint, or `not
# answered`. Exit status: 0 if all answers are right, 1 if not, 2 if the check cannot run.
#
# usage of a check: check [FOLDER [SEED]]     FOLDER: of the answers (that of the check); SEED: that of FOLDER/../seed.h
#
# A check defines
#   facts        prints `NAME VALUE` for each question; several lines of one name are answers that are equally right
#   hands_in     the file that is handed in besides the answers, if there is one, and
#   file_facts   prints the facts about this file
# The table has a line `KIND NAME TOLERANCE HINT` for each question. Kinds are
#   number       a number, as far from the fact as TOLERANCE allows: absolute or, with %, a share of the fact
#   text         one word; TOLERANCE is -
#   condition    about the file that is handed in: right if the fact is `yes`; TOLERANCE is -
# file-number and file-text are about that file, too: without the file there is no fact.
#
# With COURSE_ANSWERS=yes the check prints the expected answers instead (grade --answers). With COURSE_FACTS=FOLDER it
# keeps there what `facts` prints, for others. COURSE_CONFINE has options of pcemu that restrict the guests of students.
set -eu
export LC_ALL=C
here=$(cd "${0%/*}" && pwd)
name=${here##*/}
hands_in=

# fail MESSAGE: the check cannot run
fail() { echo "$name: error: $1" >&2; exit 2; }

case $# in 0 | 1 | 2) ;; *) echo "usage: $0 [FOLDER [SEED]]" >&2; exit 2 ;; esac
folder=$(cd "${1:-$here}" && pwd) || fail "${1:-$here}: no such folder; expected that of the answers"
for tool in pcemu pcasm pcprof jq; do
    command -v $tool > /dev/null || fail "$tool is not in PATH: see README.md of the course, What is needed"
done
[ -d "${programs:-}" ] ||
    fail "programs is '${programs:-}'; expected the folder of the shipped programs (README.md of the course)"
compiler=riscv64-linux-gnu-gcc
command -v $compiler > /dev/null || compiler=riscv64-linux-gnu-gcc-12
command -v $compiler > /dev/null || fail "no riscv64-linux-gnu-gcc: see README.md of the course, What is needed"
seed=${2:-}
if [ -z "$seed" ]; then
    [ -f "$folder/../seed.h" ] || fail "$folder/../seed.h: no such file; expected the seed of this copy of the course"
    seed=$(sed -n 's/^#define SEED \([0-9]*\)$/\1/p' "$folder/../seed.h")
fi
case $seed in
'' | 0* | *[!0-9]* | ?????*) fail "the seed is '$seed'; expected a line '#define SEED N' in seed.h, N from 1 to 9999" ;;
esac
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 2' HUP INT TERM
cd "$tmp"
ulimit -f 204800 # files of at most 100 MB: the output of a student's guest has no other limit
echo "#define SEED $seed" > seed.h
mkdir guest

# handed_in FILE: copies a file of the student to the temporary folder; fails if there is none
handed_in() {
    [ -f "$folder/$1" ] || return 1
    [ "$(head -c 65537 "$folder/$1" | wc -c)" -le 65536 ] || fail "$folder/$1: more than 65536 bytes"
    cp "$folder/$1" "$1"
}

# questions < TABLE: all of the check
questions() {
    cat > table
    : > facts
    : > answers.read
    file=no
    [ -z "$hands_in" ] || ! handed_in "$hands_in" || file=yes
    show=${COURSE_ANSWERS:-no}
    [ "$show" = yes ] || read_answers
    if [ "$show" = yes ] || [ -s answers.read ] || [ $file = yes ]; then make_facts; fi
    awk -v name="$name" -v show="$show" -v file=$file -f "$here/../judge.awk" \
        facts answers.read table
}

# read_answers: reads the file of answers, lines `NAME = VALUE`; text behind # is a comment
read_answers() {
    handed_in answers || fail "$folder/answers: no such file; expected the answers, lines NAME = VALUE"
    awk -v file="$folder/answers" '
        function error(text) {
            printf "%s:%d: error: %s\n", file, FNR, text > "/dev/stderr"
            bad = 1
        }
        NR == FNR { if ($1 != "condition") { known[$2]; names = names " " $2 } next }
        { sub(/#.*/, ""); gsub(/[ \t\r]+/, " "); sub(/^ /, ""); sub(/ $/, "") }
        $0 == "" { next }
        !/^[a-z0-9_]+ ?=/ { error("found \047" substr($0, 1, 60) "\047, expected NAME = VALUE"); next }
        {
            key = value = $0
            sub(/ ?=.*/, "", key)
            sub(/^[^=]*= ?/, "", value)
            if (!(key in known))
                error("no question \047" key "\047; the questions are" names)
            else if (key in seen)
                error("\047" key "\047 is answered in line " seen[key] ", too")
            seen[key] = FNR
            if (value != "")
                print key, value
        }
        END { exit bad }
    ' table answers > answers.read || exit 2
}

# make_facts: what `facts` and `file_facts` print is in the file facts. A failure of a command in `facts` ends the check
make_facts() {
    kept=${COURSE_FACTS:+$COURSE_FACTS/$name-$seed}
    if [ -n "$kept" ] && [ -f "$kept" ]; then
        cp "$kept" facts
    else
        facts > facts.new
        mv facts.new facts
        [ -z "$kept" ] || cp facts "$kept"
    fi
    [ "$file" = no ] || file_facts > facts.file
    [ "$file" = no ] || cat facts.file >> facts
}

# condition NAME COMMAND...: prints whether the command succeeds, and fails if not
condition() {
    question=$1
    shift
    if "$@"; then echo "$question yes"; else echo "$question no"; return 1; fi
}

# fact NAME: prints a fact of the file facts: in file_facts those that `facts` has printed
fact() { sed -n "s/^$1 //p" facts; }

# compile SOURCE GUEST: compiles a file of the folder guest, which includes ../seed.h. A source can include what does
# not end, such as a device
compile() { (cd guest && timeout 60 prlimit --as=4294967296 $compiler -O2 -g -static -o "../$2" "$1"); }

# course_guest NAME: compiles the guest of the exercise, once
course_guest() {
    [ ! -f "$1" ] || return 0
    cp "$here/$1.c" guest
    compile "$1.c" "$1" || fail "$here/$1.c is not compiled"
}

# changed_guest GUEST: compiles the file changed.c, which was handed in, and the guest that it was made from
changed_guest() {
    cp changed.c guest
    compile changed.c changed 2> messages && course_guest "$1"
}

# run [OPTION...] ./GUEST [ARGUMENT...]: a run of the model without a profiling program, of at most 20 million
# instructions and, if the guest sleeps, five minutes. The guest's output is in the file output
run() {
    # shellcheck disable=SC2086 # options, meant to be split
    timeout 300 pcemu --no-program --max-insts 20M ${COURSE_CONFINE:-} "$@" < /dev/null > output 2> messages
}

# same_output GUEST [NUMBER...]: the changed guest prints the same, without an argument and with each of these
same_output() {
    guest=$1
    shift
    for number in '' "$@"; do
        # shellcheck disable=SC2086 # no word, or one
        run --core functional "./$guest" $number && mv output expected && run --core functional ./changed $number &&
            cmp -s output expected || return 1
    done
}

# cycles_of [OPTION...] ./GUEST: the cycles of a run
cycles_of() {
    run --format json --stats stats.json "$@"
    jq .core.cycles stats.json
}

# gain CYCLES BEFORE: the gain of a run that takes so many cycles, in per cent of those before
gain() { awk -v after="$1" -v before="$2" 'BEGIN { print 100 * (1 - after / before) }'; }

# at_least NUMBER LIMIT: both may have decimals
at_least() { awk -v number="$1" -v limit="$2" 'BEGIN { exit !(number >= limit) }'; }

# query REPORT FILTER [OPTION...]: what jq finds in a report, with the functions of course.jq
query() {
    report=$1 filter="include \"course\"; $2"
    shift 2
    jq -r -L "$here/.." "$@" "$filter" "$report"
}

# query_rows REPORT PATTERN FILTER [OPTION...]: the same of a report in JSON Lines, of the lines whose table begins as
# the extended regular expression says; course.jq has functions for them
query_rows() {
    report=$1 pattern=$2 filter="include \"course\"; $3"
    shift 3
    grep -E "^\{\"table\": \"($pattern)" "$report" | jq -r -s -L "$here/.." "$@" "$filter"
}
