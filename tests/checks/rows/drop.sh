# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a cause of dropped samples'
steps='row region decision reference page json schema'
row() { behind isa/drop.def '^DROP\(HALTED,' << 'E'
DROP(ROWS_ODD, "buffer full, odd", "(in an odd cycle)", "the buffer is full in an odd cycle")
E
}
no_row()
{
    named COP_DROP_ROWS_ODD
    compile emu/admission.c
}
region() { behind isa/bus.def '^BUS\(DROPPED_HALTED,' << 'E'
BUS(DROPPED_ROWS_ODD, "dropped_rows_odd", 0x0168, 1, FIXED, 64, R, STATISTIC, NONE, "the buffer full in an odd cycle")
E
}
no_region()
{
    named BUS_DROPPED_ROWS_ODD
    compile host/driver/driver.c
}
decision() { behind emu/admission.c '^    \*cause = halted \? ' << 'E'
    if (*cause == COP_DROP_FULL && cycle % 2 != 0)
        *cause = COP_DROP_ROWS_ODD;
E
}
no_decision()
{
    named 'isa/drop.def: ROWS_ODD is the cause of no drop'
    tables
}
reference() { replace tests/unit/reference.h '^        x->full\+\+;$' 'x->full++' 'x->full += s->cycle % 2 == 0'; }
no_reference()
{
    named 'dropped because full'
    rebuild build/tests/unit/test_cop_random && build/tests/unit/test_cop_random
}
page() { generated docs/isa.md; }
no_page()
{
    named '`dropped_rows_odd`'
    pages
}
json()
{
    before docs/json.md '^\| `.dropped_halted` ' << 'E'
| `.dropped_rows_odd` | samples | dropped in an odd cycle |
E
    halted='`.coprocessor.dropped_halted`'
    replace docs/json.md "$halted" "$halted" "$halted \`.coprocessor.dropped_rows_odd\`"
}
no_json()
{
    named 'docs/json.md has no Reports .dropped_rows_odd'
    json_keys
}
schema() { behind docs/report.schema.json '^        "dropped_early": ' << 'E'
        "dropped_rows_odd": {"$ref": "#/$defs/count"},
E
}
no_schema()
{
    named "instance['dropped_rows_odd']"
    pcasm -o value.pc "$full/programs/value.pasm"
    pcemu --program value.pc --max-insts 20000 --format json -o report "$(guest)" > out
    tests/checks/check_schema.sh report
}
works()
{
    pcasm -o value.pc "$full/programs/value.pasm"
    pcemu --program value.pc --set cop_buffer_bytes=128 --set cop_early_drop=no --set cop_clock_divide=8 \
        --format json -o report "$(guest)" > out
    holds '.dropped_rows_odd > 0 and .dropped == .dropped_full + .dropped_rows_odd + .dropped_halted' report
}
