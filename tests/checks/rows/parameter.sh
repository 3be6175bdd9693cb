# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a parameter of a program'
steps='declaration reading'
declaration() { behind programs/simple.pasm '^ +\.program simple$' << 'E'
            .param  rows_part = 3, "a number that the driver does not use: 0 to 7"
E
}
no_declaration()
{
    named rows_part
    pcasm -o simple.pc programs/simple.pasm && pcemu --program simple.pc --param rows_part=2 "$(guest)"
}
reading() { behind host/driver/simple_driver.c '^    enum status st = value_find_slots\(' << 'E'
    uint64_t part;
    if (st == ST_OK)
        st = driver_find_param(env->image, "rows_part", 3, 7, &part, err);
E
}
no_reading()
{
    named 'programs/simple.pasm: rows_part is a parameter that no driver finds'
    tables
}
works()
{
    pcasm -o simple.pc "$full/programs/simple.pasm"
    pcemu --program simple.pc --format json -o report --param rows_part=5 "$(guest)" > out
    holds '.parameters.rows_part == 5' report
    ! pcemu --program simple.pc --param rows_part=8 "$(guest)" > out 2>&1
    says rows_part out
}
