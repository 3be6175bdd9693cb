# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a configuration key of a core'
steps='row use micro_test page'
targets='build/tests/test_micro'
row() { behind core-model/config/config.def '^PARAM\(commit_width,' << 'E'
PARAM(rows_commit, 8, 1, 8, "instructions", "retired in a cycle, whatever commit_width allows")
E
}
no_row()
{
    named rows_commit
    compile core-model/pipe/commit.c
}
use() { before core-model/pipe/commit.c '^    if \(most > c->cfg.commit_width\)$' << 'E'
    if (most > c->cfg.rows_commit)
        most = c->cfg.rows_commit;
E
}
no_use()
{
    named 'rows_commit is read nowhere'
    CK_RUN_CASE=coverage "$full/build/tests/test_micro"
}
micro_test()
{
    replace tests/micro/front_end.c '^static const struct micro_row rows\[\] = ' 'static' \
'static uint64_t rows_expected(const struct micro *m) { return 32 / m->cfg.rows_commit; }
static'
    behind tests/micro/front_end.c '^    \{"commit_width",' << 'E'
    {"rows_commit", MICRO_OOO, VALUES(1, 2, 4, 8), .measure = commit_time, .expect = rows_expected},
E
}
no_micro_test()
{
    named 'no micro-test of rows_commit on the out-of-order core'
    rebuild build/tests/test_micro && CK_RUN_CASE=coverage build/tests/test_micro
}
page() { generated docs/core-reference.md; }
no_page()
{
    named rows_commit
    pages
}
works()
{
    cd "$full" || return
    CK_VERBOSITY=minimal CK_RUN_CASE=front_end build/tests/test_micro
    CK_VERBOSITY=minimal CK_RUN_CASE=coverage build/tests/test_micro
}
