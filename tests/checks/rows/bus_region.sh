# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a region of the bus'
steps='row reading state count page json'
row() { behind isa/bus.def '^BUS\(PROCESSED,' << 'E'
BUS(ROWS_EVEN, "rows_even", 0x0160, 1,    FIXED,       64, R,  STATISTIC, NONE,   "samples delivered in an even cycle")
E
}
no_row()
{
    named read_ROWS_EVEN
    compile emu/bus_device.c
}
reading() { behind emu/bus_device.c '^READ\(PROCESSED\)' << 'E'
READ(ROWS_EVEN) { return c->counts.rows_even; }
E
}
no_reading()
{
    named read_ROWS_EVEN
    compile emu/bus_device.c
}
state() { behind emu/cop_state.h '^    uint64_t dropped\[COP_DROP_KINDS\];' << 'E'
    uint64_t rows_even;               /* samples delivered in an even cycle */
E
}
no_state()
{
    named rows_even
    compile emu/bus_device.c
}
count() { behind emu/admission.c '^    c->counts.delivered\+\+;$' << 'E'
    c->counts.rows_even += cycle % 2 == 0;
E
}
unnoticed_count='what a region holds is its own: no rule says that it changes'
page() { generated docs/isa.md; }
no_page()
{
    named '`rows_even`'
    pages
}
json() { behind docs/json.md '^\| `.coprocessor.bubbles` ' << 'E'
| `.coprocessor.rows_even` | samples | delivered in an even cycle |
E
}
no_json()
{
    named 'docs/json.md has no Statistics .coprocessor.rows_even'
    json_keys
}
works()
{
    printf '.filter class load\n.entry load a\na: mov pc32 -> v0 | done\n' | pcasm -o loads.pc -
    pcemu --program loads.pc --stats stats --format json -o report "$(guest)" > out
    holds '.coprocessor | .rows_even > 0 and .rows_even < .delivered' stats
}
