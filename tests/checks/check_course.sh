#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The exercises of share/pcemu/course: each check accepts its solution and names an answer that is altered. Answers that
# are not given are `not answered`. Then wrong programs, and answers that a check refuses.
# usage: check_course.sh BUILD [SEED...]     SEED: also that the expected answers of these seeds are accepted
set -eu
build=$(cd "$1" && pwd) course=$(pwd)/share/pcemu/course bad=0
shift
export PATH="$build/bin:$PATH" programs="$PWD/programs" LC_ALL=C
unset COURSE_ANSWERS COURSE_CONFINE
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export COURSE_FACTS="$tmp/facts"
mkdir "$COURSE_FACTS"
say() { echo "check_course.sh: $1" >&2; bad=1; }

# check EXERCISE STATUS: runs the check of a copy; its output is in $tmp/output
check() {
    status=0
    "$tmp/copy/$1/check" > "$tmp/output" 2>&1 || status=$?
    [ $status -eq "$2" ] || { say "$1: exit status $status instead of $2"; cat "$tmp/output" >&2; }
}

# expect EXERCISE VERDICT NAME...: these questions, and no others, have the verdict
expect() {
    exercise=$1 verdict=$2
    shift 2
    printf '%s\n' "$@" | sort > "$tmp/expected"
    sed -n "s/^\([a-z_0-9]*\) *$verdict.*/\1/p" "$tmp/output" | sort | diff "$tmp/expected" - >&2 ||
        say "$exercise: expected these to be $verdict"
}

# names EXERCISE: the questions of its table
names() { sed -n "/^questions/,/^TABLE/s/^[a-z-]* *\([a-z_0-9]*\) .*/\1/p" "$course/$1/check" | grep -v '^questions$'; }

# The numbers of the solutions are those of guests of Debian 12's compiler.
"$course/handout" "$tmp/copy" > "$tmp/output"
riscv64-linux-gnu-gcc -static -o "$tmp/guest" -x c - << 'C'
int main(void) { return 0; }
C
ours=yes
tests/checks/expected_guest.sh "$tmp/guest" || ours=no
[ $ours = yes ] || "$course/grade" --answers 1 > "$tmp/answers"

for solution in "$course"/[0-9][0-9]-*/solution; do
    name=$(basename "${solution%/*}")
    check "$name" 1
    # shellcheck disable=SC2046 # names
    expect "$name" 'not answered' $(names "$name")

    cp "$solution"/* "$tmp/copy/$name"
    [ $ours = yes ] ||
        awk -v name="# $name" '/^#/ { on = $0 == name; next } on' "$tmp/answers" > "$tmp/copy/$name/answers"
    check "$name" 0
    # shellcheck disable=SC2046 # names
    expect "$name" right $(names "$name")

    # One answer is left, and altered: a number by one half of it.
    altered=$(sed -n 's/ = .*//p' "$tmp/copy/$name/answers" | head -n 1)
    answer=$(sed -n "s/^$altered = //p" "$tmp/copy/$name/answers")
    echo "$altered = $(echo "$answer" | awk '{ print $1 * 1.5 + 1 }')" > "$tmp/copy/$name/answers"
    rm -f "$tmp/copy/$name/changed.c" "$tmp/copy/$name/powers.pasm"
    check "$name" 1
    expect "$name" wrong "$altered"
    ! sed -n "s/^$altered *wrong: //p" "$tmp/output" | grep -wF -- "$answer" >&2 || say "$name: the hint has the answer"
done

# A program that takes a divisor of 0 for a power of two, and one with an error; a change of nothing, and of too much.
sed 's/| if zero goto end//' "$course/02-microcode/solution/powers.pasm" > "$tmp/copy/02-microcode/powers.pasm"
check 02-microcode 1
expect 02-microcode wrong counts counts_others cycles_at_most
sed -i 's/inc  /incc /' "$tmp/copy/02-microcode/powers.pasm"
check 02-microcode 1
expect 02-microcode wrong assembles counts counts_others cycles_at_most
: > "$tmp/copy/05-values/answers"
cp "$course/05-values/histogram.c" "$tmp/copy/05-values/changed.c"
check 05-values 1
expect 05-values wrong is_faster
sed -i 's|distance / h->width|distance / WIDTH|' "$tmp/copy/05-values/changed.c"
check 05-values 1
expect 05-values wrong same_output is_faster

# refuse TEXT < answers: the check ends with status 2 and an error that has the text
refuse() {
    cat > "$tmp/copy/01-profilers/answers"
    check 01-profilers 2
    grep -qF -- "$1" "$tmp/output" || { say "expected an error with '$1'"; cat "$tmp/output" >&2; }
}
printf 'load = a\nskidd = 1\n' | refuse "answers:2: error: no question 'skidd'; the questions are error_tip"
printf 'skid = 1\n\nskid = 2\n' | refuse "answers:3: error: 'skid' is answered in line 1, too"
printf '# none\nrm -rf $(pwd)\n' | refuse "answers:2: error: found 'rm -rf \$(pwd)', expected NAME = VALUE"
head -c 70000 /dev/zero | refuse 'answers: more than 65536 bytes'
printf 'key = $(id);`id`\\n" | .* %%s\nskid = 0x80\nerror_nci = 1e1\n' > "$tmp/copy/01-profilers/answers"
check 01-profilers 1
expect 01-profilers wrong key skid error_nci
echo '#define SEED 12345' > "$tmp/copy/seed.h"
check 01-profilers 2
grep -q "error: the seed is '12345'" "$tmp/output" || say "a seed of five digits is not refused"

# grade: the table, by the seed of the list.
mkdir "$tmp/class"
for student in anna bert; do "$course/handout" "$tmp/class/$student" > "$tmp/output"; done
[ $ours = no ] || cp "$course/01-profilers/solution/answers" "$tmp/class/anna/01-profilers"
printf 'anna 1\nbert 7\n' > "$tmp/seeds"
"$course/grade" --seeds "$tmp/seeds" --output "$tmp/graded" "$tmp/class/anna" "$tmp/class/bert" > "$tmp/output"
awk 'NR > 1 { print $1, $2, $3 }' "$tmp/output" > "$tmp/graded/table"
[ $ours = no ] || printf 'anna 15/15 0/9\nbert 0/15 0/9\n' | diff - "$tmp/graded/table" >&2 || say "grade: another table"
! "$course/grade" --seeds "$tmp/guest" "$tmp/class/anna" > "$tmp/output" 2>&1 || say "grade: a student without a seed"
! "$course/handout" "$tmp/class/anna" > "$tmp/output" 2>&1 || say "handout: overwrites a folder"

for seed; do
    "$course/grade" --answers "$seed" > "$tmp/answers"
    rm -rf "$tmp/class/seed"
    "$course/handout" "$tmp/class/seed" "$seed" > "$tmp/output"
    for solution in "$course"/[0-9][0-9]-*/solution; do
        name=$(basename "${solution%/*}")
        cp "$solution"/* "$tmp/class/seed/$name"
        awk -v name="# $name" '/^#/ { on = $0 == name; next } on' "$tmp/answers" > "$tmp/class/seed/$name/answers"
    done
    "$course/grade" "$tmp/class/seed" > "$tmp/output"
    awk 'NR == 2 { split($NF, n, "/"); exit n[1] != n[2] || n[1] == 0 }' "$tmp/output" ||
        { say "seed $seed: an answer of the tools is not right"; cat "$tmp/output" >&2; }
done
[ $bad -eq 0 ] && echo "course: all checks accept their solutions and name what is wrong"
exit $bad
