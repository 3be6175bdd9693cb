# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a probe event'
steps='row setting'
row() { behind core-model/probe/probe.def '^EVENT\(PAGE_FAULT,' << 'E'
EVENT(ROWS_RETIRED, "rows-retired", "has retired")
E
}
no_row()
{
    named PROBE_ROWS_RETIRED
    compile core-model/pipe/commit.c
}
setting() { behind core-model/pipe/commit.c '^        commit_train\(c, i, s\);$' << 'E'
        s->events |= PROBE_ROWS_RETIRED;
E
}
no_setting()
{
    named 'core-model/probe/probe.def: ROWS_RETIRED is set by no core'
    tables
}
works()
{
    pcemu --no-program --trace retire --max-insts 200 "$(guest)" > out 2> trace || :
    says rows-retired trace
}
