#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Python module: its notebook runs from plan to plot, tables agree with what pcsweep, sqlite3 and jq print, and
# errors are those of the tools.
# usage: check_python.sh BUILD
set -eu
build=$(cd "$1" && pwd) module=$PWD/share/pcemu/python here=$PWD/tests/checks
export PATH="$build/bin:$PATH" PYTHONPATH="$module" PYTHONDONTWRITEBYTECODE=1 LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$build/workloads/sort" "$tmp"
cd "$tmp"
# Debian's, with its modules, where another one is the first in PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
say() { echo "check_python.sh: $1" >&2; exit 1; }

"$python" "$here/notebook.py" "$module/study.ipynb" > output || say 'the notebook fails'
[ -s cpi.svg ] || say 'the notebook has made no picture'
{
    pcsweep table study --column cpi --format json | jq -r '.values[] | [.program, .configuration, .cpi] | @tsv' |
        awk '{ printf "%s %s %.3f\n", $1, $2, $3 }'
    for core in boom tiny; do
        sqlite3 -separator ' ' study.db "SELECT '$core', procedure, CAST(round(estimate / runs) AS INTEGER) FROM procedures
            WHERE epoch = 'sort.$core' AND event = 'cycles' ORDER BY estimate DESC LIMIT 1"
    done
    pcemu --no-program --profile oracle --max-insts 100000 --format json -o report.json ./sort 12 > /dev/null 2>&1
    jq -r '.cycles, (.time.instructions | max_by(.time.oracle).function)' report.json
} > expected
# Zeros at the end are not printed by Python.
sed -E 's/(\.[0-9]*[1-9])0+$/\1/' expected | diff - output >&2 || say 'the notebook prints something else'
"$python" "$here/python_module.py" || say 'the module fails'
echo 'python: the notebook, tables and errors'
