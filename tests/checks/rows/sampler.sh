# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034 # for run.sh
kind='a sampler'
steps='row file help'
row() { before isa/sampler.def '^#undef SAMPLER$' << 'C'
SAMPLER(HUNDREDTH, hundredth, ADDRESS | INSTRUCTION | CONTEXT, "each hundredth instruction that retires")
C
}
no_row()
{
    named hundredth_sampler_make
    compile core-model/prof/sampler/hundredth_sampler.c
}
file()
{
    create core-model/prof/sampler/hundredth_sampler.c << 'C'
/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampler `hundredth`: each hundredth instruction that retires, if it passes the filters. */
#include <stdlib.h>

#include "core-model/prof/sampler/sampler.h"

struct hundredth_sampler {
    struct sampler base;
    unsigned retired;
};

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct hundredth_sampler *s = ctx;
    enum opclass opclass = (enum opclass)in->insn->opclass;
    struct sample sample;
    struct sample_source from = {.in = in};
    if (++s->retired % 100 != 0 || !sampler_accepts(&s->base, opclass, in->pc, cycle))
        return;
    sample_format_fill(&s->base.format, SAMPLE_OF_INSN, &from, &sample);
    sampler_deliver(&s->base, &sample, opclass, cycle);
}

static void attach(struct observer *o, struct core *core) { sampler_pass_time((struct sampler *)o, core); }
const struct observer_kind observer_hundredth_sampler = {
    .name = "hundredth-sampler",
    .help = "offers each hundredth retired instruction to the co-processor, through its filters",
    .attach = attach,
};

struct sampler *hundredth_sampler_make(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink)
{
    struct hundredth_sampler *s = xcalloc(1, sizeof *s);
    (void)setup, (void)seed;
    sampler_init(&s->base, &observer_hundredth_sampler, sink);
    s->base.observer.probe.stage[PROBE_RETIRED] = retired;
    return &s->base;
}
C
}
no_file()
{
    named hundredth_sampler_make
    link tools/pcemu/pcemu_main.o core-model/prof/sampler/hundredth_sampler.o
}
help() { generated tests/golden/cli/help.out; }
no_help()
{
    named 'each hundredth instruction'
    tests/golden/run_cli.sh "$full/build" cli help
}
works()
{
    printf '.sampler hundredth\n.filter class load\n.entry load a\na: mov pc32 -> v0 | done\n' | pcasm -o rows.pc -
    pcemu --program rows.pc --format json -o report --stats stats "$(guest)" > out
    holds ".delivered > 10 and .delivered * 200 < $(jq .core.retired stats)" report
}
