# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a command of the debugger'
steps='row body page script'
row() { behind emu/debug/commands.def '^COMMAND\("echo",' << 'E'
COMMAND("rows", "", "", "The debugger", 0, cmd_rows, "Says how many rows there are.")
E
}
no_row()
{
    named cmd_rows
    compile emu/debug/control.c
}
body() { before emu/debug/control.c '^enum status cmd_history\(' << 'E'
enum status cmd_rows(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    (void)err;
    fprintf(d->out, "%d rows\n", ISA_DATA_ROWS);
    return ST_OK;
}

E
}
no_body()
{
    named cmd_rows
    rebuild build/bin/debugger-manual
}
page() { generated docs/debugger-reference.md; }
no_page()
{
    named 'Says how many rows there are.'
    pages
}
script()
{
    create tests/golden/debug/rows.cmd << 'E'
. "$here"/common.sh
debug <<'END'
rows
END
E
}
no_script()
{
    named 'emu/debug/commands.def: rows is typed in no script'
    tables
}
works()
{
    printf '.program p\n.filter class load\n.entry load a\na: mov pc32 -> v0 | done\n' | pcasm -o p.pc -
    echo load > samples
    printf 'rows\nhelp rows\n' | pcemu --program p.pc --core samples:samples -o report -x - > out 2>&1
    says '256 rows' out
    says 'Says how many rows there are.' out
}
