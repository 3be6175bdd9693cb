# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a figure computed from statistics'
steps='row page'
row() { behind core-model/figures.def '^FIGURE\(ipc,' << 'E'
FIGURE(rows_cpi, "cycles", "", 1, s->cycles, s->retired, "for an instruction retired")
E
}
no_row()
{
    named '`rows_cpi`'
    rebuild build/bin/core-manual && build/bin/core-manual | diff -u docs/core-reference.md -
}
page() { generated docs/core-reference.md; }
no_page()
{
    named '`rows_cpi`'
    pages
}
works()
{
    pcemu --no-program --stats stats --format json "$(guest)" > out
    holds '.core | .rows_cpi * .ipc | . > 0.99 and . < 1.01' stats
}
