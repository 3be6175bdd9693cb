# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a category of top-down analysis'
steps='row cause'
# Bubbles of the branch target buffer, apart from other redirects.
row() { behind contract/topdown.def '^TOPDOWN_LEAF\(FETCH_DATA,' << 'C'
TOPDOWN_LEAF(ROWS_BTB, "frontend_bound.latency.rows_btb", "", slots_frontend, "behind a miss of the branch target buffer")
C
}
no_row()
{
    named TOPDOWN_ROWS_BTB
    compile core-model/pipe/slots.c
}
cause() { before core-model/front/slot_leaf.h '^    if \(fetch == &s->fetch_itlb\)$' << 'C'
    if (fetch == &s->fetch_btb)
        return TOPDOWN_ROWS_BTB;
C
}
no_cause()
{
    named 'ROWS_BTB is the category of no slot'
    tables
}
works()
{
    pcemu --no-program --profile topdown --format json -o report "$(guest)" > out
    holds '[.topdown.categories[] | select(.category | endswith(".rows_btb")) | .slots] | add > 0' report
    holds '.topdown.slots == .topdown.width * .topdown.cycles' report
}
