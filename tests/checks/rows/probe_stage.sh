# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a stage, which --trace shows'
steps='row note'
row() { before core-model/probe/probe.def '^STAGE\(RETIRED,' << 'E'
STAGE(ROWS_LEAVING, "leaving", "about to retire")
E
}
no_row()
{
    named PROBE_ROWS_LEAVING
    compile core-model/pipe/commit.c
}
note() { behind core-model/pipe/commit.c '^        stores \+= commit_release\(c, s\);$' << 'E'
        probe_stage(c, (uint32_t)(s - c->slot), PROBE_ROWS_LEAVING);
E
}
no_note()
{
    named 'core-model/probe/probe.def: ROWS_LEAVING is reached by no core'
    tables
}
works()
{
    pcemu --no-program --trace leaving --max-insts 200 "$(guest)" > out 2> trace || :
    says leaving trace
}
