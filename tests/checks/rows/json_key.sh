# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a key of JSON'
steps='key description'
key() { behind tools/pcemu/conclude.c '^    json_stream_flag\(&j, stats_member\(&j, "partial"\)' << 'E'
    json_stream_count(&j, "rows_seed", s->options.seed);
E
}
no_key()
{
    named 'Statistics: .rows_seed is never printed'
    rebuild build/bin/pcemu
    build/bin/pcemu --no-program --max-insts 1000 --stats stats --format json "$(guest)" > out
    ! jq -e 'has("rows_seed")' stats || return 0
    grep -v 'rows_seed' "$tmp/keys" > keys
    json_keys keys
}
description() { before docs/json.md '^\| `.coprocessor` ' << 'E'
| `.rows_seed` | | of the run |
E
}
no_description()
{
    named 'docs/json.md has no Statistics .rows_seed'
    json_keys
}
works()
{
    pcemu --no-program --seed 5 --stats stats --format json "$(guest)" > out
    holds '.rows_seed == 5' stats
}
