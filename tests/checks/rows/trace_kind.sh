# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='what else --trace shows'
steps='row'
row() { before tools/pcemu/watch.c '^    \{"cop", ' << 'E'
    {"rows", "the commit side of each cycle and the co-processor", TRACE_COMMIT | TRACE_COP},
E
}
unnoticed_row='there is nothing to show without it: what makes the lines is there before'
works()
{
    pcemu --trace help > out || :
    pcemu --no-program --trace help "$(guest)" >> out
    says 'the commit side of each cycle and the co-processor' out
}
