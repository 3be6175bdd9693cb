# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='an observer'
steps='file row json'
# Instructions that were squashed, by their class: each period-th that is fetched is tagged.
file()
{
    create core-model/prof/squashed.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Squashed instructions by opcode class. Each `period`-th instruction fetched is tagged, on either path; of the tagged
 * ones those are counted that are squashed. */
#include <stdlib.h>

#include "core-model/prof/observer.h"
#include "contract/report.h"
#include "contract/opclass.h"

struct squashed {
    struct observer base;
    uint64_t period;
    uint64_t count[OPCLASS_COUNT];
};

static unsigned tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    const struct squashed *s = ctx;
    (void)pc, (void)opclass, (void)cycle;
    return seq % s->period == 0;
}

static void tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct squashed *s = ctx;
    (void)number, (void)cycle;
    s->count[in->insn->opclass] += in->cause != PROBE_CAUSE_NONE;
}

static struct observer *create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct squashed *s = xcalloc(1, sizeof *s);
    s->base.kind = kind;
    s->base.probe.ctx = s;
    s->base.probe.tagger = (struct probe_tagger){
        .at = PROBE_FETCHED, .bits = 1, .tag = tag, .tagged = tagged, .squashed = true};
    s->period = setup->option[0];
    return &s->base;
}

static void report(const struct observer *o, struct report *r)
{
    const struct squashed *s = (const struct squashed *)o;
    struct report *section = report_section(r, o->kind->name);
    report_note(section, "squashed instructions by class:");
    report_count(section, "period", "one counted in", s->period, "instructions");
    struct report *classes = report_section(section, "classes");
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        report_count(classes, opclass_name(c), opclass_name(c), s->count[c], "instructions");
}

const struct observer_kind observer_squashed = {
    .name = "squashed",
    .help = "squashed instructions by class",
    .options = (const struct text_option[]){
        {.name = "period", .unit = "instructions", .least = 1, .most = 1000000, .otherwise = 1}, {.name = NULL}},
    .create = create,
    .report = report,
};
C
}
no_file()
{
    named observer_squashed
    link tools/pcemu/pcemu_main.o core-model/prof/squashed.o
}
row() { behind core-model/prof/observers.def '^OBSERVER\(recent\)$' << 'E'
OBSERVER(squashed)
E
}
no_row()
{
    named 'core-model/prof/observers.def has no row for squashed'
    tables
}

json() { before docs/json.md '^\| `.complete` ' << 'E'
| `.squashed` `.squashed.classes` | | |
| `.squashed.period` | instructions | of which one is counted |
| `.squashed.classes.CLASS` | instructions | squashed, of those |
E
}
no_json()
{
    named 'docs/json.md has no Reports .squashed.period'
    json_keys
}
# The sections are `.squashed`, or what the report puts them in.
sum='[.. | .squashed? | objects | .classes | add] | add'
works()
{
    pcemu --profile help | grep -q squashed
    for period in 1 7; do
        pcemu --no-program --profile squashed:period=$period --format json -o report.$period --stats stats \
            "$(guest)" > out
    done
    holds '(has("time") | not) and .cycles > 0' report.1
    all=$(jq '[.core | to_entries[] | select(.key | startswith("squashed_")) | .value] | add' stats)
    holds "($sum) == $all and $all > 100" report.1
    holds "($sum) > $all / 14 and ($sum) < $all * 2 / 7" report.7
}
