# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a family of profiles'
steps='row contract include sum report_function report_include file observer json'
# The retired instructions of a run: the least that a family can have.
row() { behind contract/families.def '^FAMILY\(paths, path\)$' << 'C'
FAMILY(lengths, length)
C
}
no_row()
{
    named "'lengths'"
    compile core-model/prof/rows_length.c
}
contract()
{
    create contract/lengthprof.h << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The length of a run, in retired instructions. */
#ifndef ISA_CONTRACT_LENGTHPROF_H
#define ISA_CONTRACT_LENGTHPROF_H

#include "contract/code.h"

struct length_profile {
    const char *label;
    uint64_t retired;
};

struct length_result {
    const struct length_profile *profile;
    unsigned profiles;
    uint64_t cycles; /* of the run */
    struct code code;
};

#endif
C
}
no_contract()
{
    named contract/lengthprof.h
    compile core-model/prof/observers.c
}
include() { behind contract/families.h '^#include "contract/pics.h"$' << 'C'
#include "contract/lengthprof.h"
C
}
no_include()
{
    named 'struct length_result'
    compile core-model/prof/observers.c
}
sum() { behind core-model/prof/profile_sum.c '^#include "base/status.h"$' << 'C'

void profile_sum_lengths(struct profile_sums *s, struct length_profile *sum, const struct length_profile *other)
{
    (void)s;
    sum->retired += other->retired;
}
C
}
no_sum()
{
    named profile_sum_lengths
    rebuild build/bin/pcemu
}
report_function()
{
    create host/family/length_report.h << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of lengths: retired instructions, and these by cycle. */
#ifndef HOST_LENGTH_REPORT_H
#define HOST_LENGTH_REPORT_H

#include "host/symbols/symbols.h"
#include "contract/lengthprof.h"
#include "contract/report.h"

static inline void length_report(const struct length_result *result, const struct symbols *symbols, struct report *r)
{
    (void)symbols;
    struct report *section = report_section(r, "lengths");
    report_note(section, "length of the run:");
    report_count(section, "retired", "retired", result->profile[0].retired, "instructions");
}

#endif
C
}
no_report_function()
{
    named host/family/length_report.h
    compile tools/pcemu/conclude.c
}
report_include() { behind tools/pcemu/conclude.c '^#include "host/family/path_report.h"$' << 'C'
#include "host/family/length_report.h"
C
}
no_report_include()
{
    named length_report
    compile tools/pcemu/conclude.c
}
file()
{
    create core-model/prof/rows_length.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer `rows-length`: counts retired instructions. */
#include <stdlib.h>

#include "core-model/prof/observer.h"
#include "contract/families.h"

struct length {
    struct observer base;
    struct length_profile profile;
};

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct length *l = ctx;
    (void)in, (void)cycle;
    l->profile.retired++;
}

static struct observer *create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct length *l = xcalloc(1, sizeof *l);
    (void)setup;
    l->base.kind = kind;
    l->base.probe.ctx = l;
    l->base.probe.stage[PROBE_RETIRED] = retired;
    return &l->base;
}

static const struct length_profile *profile(const struct observer *o) { return &((const struct length *)o)->profile; }
const struct observer_kind observer_rows_length = {
    .name = "rows-length",
    .help = "counts retired instructions",
    .create = create,
    .lengths = profile,
};
C
}
no_file()
{
    named observer_rows_length
    link tools/pcemu/pcemu_main.o core-model/prof/rows_length.o
}
observer() { behind core-model/prof/observers.def '^OBSERVER\(paths\)$' << 'C'
OBSERVER(rows_length)
C
}
no_observer()
{
    named 'core-model/prof/observers.def has no row for rows_length'
    tables
}
json() { before docs/json.md '^\| `.complete` ' << 'C'
| `.lengths` | | |
| `.lengths.retired` | instructions | |
C
}
no_json()
{
    named 'docs/json.md has no Reports .lengths.retired'
    json_keys
}
works()
{
    pcemu --no-program --profile rows-length --format json -o report --stats stats "$(guest)" > out
    holds ".lengths.retired == $(jq .core.retired stats)" report
}
