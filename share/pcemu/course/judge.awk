# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the answers of an exercise with the facts, by its table of questions, and prints a line for each question.
# Exit status: 0 if all answers are right, 1 if not, 2 if a fact is missing.
# usage: awk -v name=EXERCISE -v show=yes|no -v file=yes|no -f judge.awk FACTS ANSWERS QUESTIONS
#   FACTS, ANSWERS   lines `NAME VALUE`; several facts of one name are answers that are equally right
#   QUESTIONS        lines `KIND NAME TOLERANCE HINT`; kinds are described in check.sh
#   show             the expected answers are printed, as `NAME = VALUE`
#   file             the file that the exercise hands in besides the answers is there

{ value = $0; sub(/^[^ ]* /, "", value) }
FILENAME == ARGV[1] { fact[$1, ++facts[$1]] = value; next }
FILENAME == ARGV[2] { answer[$1] = value; next }
{
    kind = $1
    question = $2
    tolerance = $3
    hint = $0
    sub(/^[^ ]* +[^ ]* +[^ ]* +/, "", hint)
    of_file = sub(/^file-/, "", kind)
    if (show == "yes") {
        if (kind != "condition")
            print question " = " fact[question, 1]
        next
    }
    questions++
    verdict = judge()
    right += verdict == "right"
    printf "%-20s %s\n", question, verdict
}
END {
    if (show == "yes")
        exit
    print name ": " right + 0 " of " questions " right"
    exit missing ? 2 : right < questions
}

function judge(    given) {
    if (kind == "condition")
        return file != "yes" ? "not answered" : fact[question, 1] == "yes" ? "right" : "wrong: " hint
    if (!(question in answer))
        return "not answered"
    if (!(question in facts)) {
        if (of_file)
            return "wrong: it is about the file that is handed in, which is missing or not right yet"
        missing = 1
        return "error: the tools have no answer: are they of the version that the course is of?"
    }
    given = answer[question]
    return kind == "text" ? judge_text(given) : judge_number(given)
}

# The first word is one of the facts, in upper or lower case.
function judge_text(given,    i) {
    sub(/ .*/, "", given)
    for (i = 1; i <= facts[question]; i++)
        if (tolower(given) == tolower(fact[question, i]))
            return "right"
    return "wrong: " hint
}

# A number with , between thousands or % behind it. The tolerance is absolute or, with %, a share of the fact.
function judge_number(given,    number, expected, limit, distance) {
    number = given
    gsub(/,/, "", number)
    sub(/ *%$/, "", number)
    if (number !~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)$/)
        return "wrong: '" substr(given, 1, 40) "' is no number"
    expected = fact[question, 1]
    limit = tolerance ~ /%$/ ? tolerance / 100 * expected : tolerance + 0
    distance = number - expected
    return (distance < 0 ? -distance : distance) <= (limit < 0 ? -limit : limit) + 1e-9 ? "right" : "wrong: " hint
}
