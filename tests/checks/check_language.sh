#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports terms that the glossary replaces, and lines of more than 120 columns, in every text of the project.
# usage: check_language.sh
set -eu
export LC_ALL=C.UTF-8
status=0

# Every text of the project; binary and hostile inputs of tests, and what guests write, are none.
texts() {
    find README.md CHANGELOG.md CONTRIBUTING.md Makefile bootstrap base contract isa asm emu core-model host tools programs share docs \
        tests -type f -not -path '*/corpus/*' -not -path 'tests/golden/*' -not -path 'tests/guest/debian/cases/*' \
        -not -path 'tests/guest/debian/programs/*' -not -path 'tests/eval/workloads/*' -not -path 'tests/eval/cases/*' \
        -not -name '*.svg' -not -name '*.pc' -not -name check_language.sh -print | sort
}

# refuse PATTERN STANDARD-TERM: a word, as an extended regular expression
refuse() {
    if texts | xargs grep -nwiE -e "$1" /dev/null; then
        echo "check_language: above: '$1': write $2" >&2
        status=1
    fi
}

refuse '\b(somebody|everybody|whom)\b' 'the module, or the passive'
refuse '\b(wants to know|is told (of|that)|the way of the|looks again|do harm|by luck|is luck)\b' \
    'what happens: reads, is called, re-validates, fails, by chance'
refuse '\b(the door|truly glacial|values imagined|diagnosed, not so|stands at its limit)\b' \
    'admission queue, false positive, saturated'

# Lines of more than 120 columns. Excepted is what cannot be broken: headings, rows of tables, links and output in pages;
# a quoted text in scripts and tables, which is one line of output; and the scripts that write pages, whose programs for
# jq and gnuplot are such texts.
long=$(texts | grep -v '\.\(json\|tsv\)$' | grep -v '^tests/eval/\(experiments\|bench\)/.*\.sh$' |
    xargs grep -nE '^.{121,}' /dev/null | grep -vE '^[^:]*\.md:[0-9]+:(\||    |#|.*\]\([^ ]{20,}\))' |
    grep -vE "^[^:]*\.(sh|mk|def):[0-9]+:.*(\"[^\"]{30,}|'[^']{30,})") || true
if [ -n "$long" ]; then
    echo "$long" | cut -c 1-160 >&2
    echo 'check_language: more than 120 columns' >&2
    status=1
fi
exit $status
