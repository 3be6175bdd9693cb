/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampler `profileme`: random fetched instructions, alone or in pairs, retired or squashed (ProfileMe paper,
 * sections 4.1 and 4.2), with one set of Profile Registers for single instructions and two for pairs. It selects as the
 * profiler does, by the same module (core-model/prof/count/selection.h).
 *
 * The co-processor's filters are applied at fetch to the instruction that the counter selects, the first of a pair.
 * They are queried only if registers are free; a rejected instruction occupies none. The second instruction of a pair
 * is the one fetched at the random distance. A sample is delivered when both instructions have retired or been
 * squashed; selections until then are lost. */
#include <stdlib.h>

#include "core-model/prof/count/selection.h"
#include "core-model/prof/sampler/sampler.h"

enum { TAG_FIRST = 1, TAG_SECOND = 2, TAG_BITS = 2 };

struct profileme_sampler {
    struct sampler base;
    struct selection selection;
    bool pair;
    unsigned waits_for;     /* bit mask of tags whose instruction is in flight or not yet fetched */
    enum opclass opclass;   /* opcode class of the first instruction */
    uint64_t first_fetched; /* pair in flight: fetch cycle of the first; distance of the second instruction */
    uint64_t distance;
    struct sample sample; /* pair in flight: fields of the instruction that has finished */
};

static void count_selection(struct sampler_selections *n, bool is_lost)
{
    if (n == NULL)
        return;
    n->selected++;
    n->lost += is_lost;
}

/* Returns the tag for a selected instruction, or 0 if the filters reject it or no registers are free. */
static unsigned profileme_sampler_select_first(struct profileme_sampler *s, uint64_t seq, uint64_t pc,
                                               enum opclass opclass, uint64_t cycle)
{
    count_selection(s->base.selections, s->waits_for != 0);
    if (s->waits_for != 0 || !sampler_accepts(&s->base, opclass, pc, cycle))
        return 0;
    s->waits_for = 1 << TAG_FIRST | (s->pair ? 1 << TAG_SECOND : 0);
    s->opclass = opclass;
    s->first_fetched = cycle;
    s->distance = s->pair ? selection_begin_pair(&s->selection, seq) : 0;
    return TAG_FIRST;
}

static unsigned profileme_sampler_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct profileme_sampler *s = ctx;
    struct selected selected = selection_look(&s->selection, seq, cycle);
    unsigned number = selected.second ? TAG_SECOND : 0;
    if (selected.counter && !selected.second)
        number = profileme_sampler_select_first(s, seq, pc, opclass, cycle);
    selection_go_on(&s->selection, selected);
    return number;
}

static void profileme_sampler_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct profileme_sampler *s = ctx;
    struct sample_source from = {.in = in, .second = in, .first_fetched = s->first_fetched, .distance = s->distance};
    enum sample_part part = number == TAG_FIRST ? SAMPLE_OF_INSN : SAMPLE_OF_PAIR;
    sample_format_fill(&s->base.format, part, &from, &s->sample);
    s->waits_for &= ~(1u << number);
    if (s->waits_for == 0)
        sampler_deliver(&s->base, &s->sample, s->opclass, cycle);
}

static void profileme_sampler_attach(struct observer *o, struct core *core)
{
    struct profileme_sampler *s = (struct profileme_sampler *)o;
    selection_attach(&s->selection, core);
    sampler_pass_time(&s->base, core);
}

const struct observer_kind observer_profileme_sampler = {
    .name = "profileme-sampler",
    .help = "offers ProfileMe's samples to the co-processor, through its filters",
    .attach = profileme_sampler_attach,
};

struct sampler *profileme_sampler_make(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink)
{
    struct profileme_sampler *s = xcalloc(1, sizeof *s);
    const struct profileme_choice choice = sampler_profileme(setup);
    struct probe_tagger *t = &s->base.observer.probe.tagger;
    sampler_init(&s->base, &observer_profileme_sampler, sink);
    selection_init(&s->selection, &choice, sampler_option(setup, SAMPLER_PROFILEME_SEED, seed));
    s->pair = choice.pair;
    *t = (struct probe_tagger){.bits = TAG_BITS,
                               .tag = profileme_sampler_tag,
                               .tagged = profileme_sampler_tagged,
                               .squashed = true,
                               .complete = true};
    selection_subscribe(&s->selection, t);
    return &s->base;
}
