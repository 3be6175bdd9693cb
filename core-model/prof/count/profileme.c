/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe: instruction sampling at fetch, single, paired and N-way (ProfileMe paper, sections 4.1 to 4.3). This file
 * assigns register sets to the instructions that selection.c selects; profile_registers.c records their outcome. */
#include <stdlib.h>

#include "core-model/prof/count/profile_registers.h"
#include "core-model/prof/count/selection.h"
#include "core-model/prof/observer.h"
#include "isa/sampler.h"

enum {
    OPTION_PERIOD,
    OPTION_PAIR,
    OPTION_N,
    OPTION_WINDOW,
    OPTION_OPPORTUNITY,
    OPTION_BUFFER,
    OPTION_SEED,
    OPTION_IID,
    OPTIONS
};
enum { MOST_IID = 511 };

/* The options that it shares with the co-processor's sampler of the same name are rows of sampler.def. */
#define ROW_PROFILEME(sym, text, per, low, high, value) \
    [OPTION_##sym] = {.name = text, .unit = per, .least = low, .most = high, .otherwise = value},
#define ROW_TIP(...)
#define SAMPLER_OPTION(of, sym, text, per, low, high, value, ...) ROW_##of(sym, text, per, low, high, value)
static const struct text_option options[] = {
#include "isa/sampler.def"
    [OPTION_N] = {.name = "n", .unit = "register sets", .least = 1, .most = PROFILE_REGISTER_SETS, .otherwise = 1},
    [OPTION_BUFFER] = {.name = "buffer", .unit = "samples", .least = 1, .most = 1 << 16, .otherwise = 1},
    [OPTION_IID] = {.name = "iid", .unit = "ROB entries", .most = MOST_IID, .usual = "any entry"},
    [OPTIONS] = {.name = NULL},
};
#undef ROW_PROFILEME
#undef ROW_TIP

static bool is_given(const struct observer_setup *setup, unsigned option) { return (setup->given >> option & 1) != 0; }

struct register_set {
    bool busy, finished;
    struct profileme_record record;
};

struct profileme {
    struct observer base;
    const struct core *core;
    uint64_t start_retired; /* core_retired when it was attached */
    uint64_t period;
    bool pair;
    struct selection selection;
    struct register_set set[PROFILE_REGISTER_SETS];
    unsigned sets;
    uint64_t lost;
    unsigned issue_width;
    struct profile_registers registers;
    struct count_profile profile; /* valid after finish */
};

static struct profileme_choice choice_of(const struct observer_setup *setup)
{
    const uint64_t *o = setup->option;
    return (struct profileme_choice){.period = o[OPTION_PERIOD],
                                     .window = is_given(setup, OPTION_WINDOW) ? o[OPTION_WINDOW] : 0,
                                     .pair = o[OPTION_PAIR] != 0,
                                     .opportunity = o[OPTION_OPPORTUNITY] != 0,
                                     .by_iid = is_given(setup, OPTION_IID),
                                     .iid = o[OPTION_IID]};
}

static const char *count_profileme_objection(const struct observer_setup *setup)
{
    struct profileme_choice choice = choice_of(setup);
    if (choice.pair && is_given(setup, OPTION_N))
        return "a pair has two register sets: expected 'pair' or 'n=N', found both";
    return profileme_objection(&choice);
}

static unsigned take_set(struct profileme *p, unsigned at)
{
    p->set[at].busy = true;
    p->set[at].finished = false;
    return at + 1;
}

/* Returns the tag of a selected instruction, or 0 if no register set is free. */
static unsigned select_one(struct profileme *p)
{
    for (unsigned i = 0; i < p->sets; i++)
        if (!p->set[i].busy)
            return take_set(p, i);
    p->lost++;
    return 0;
}

/* The first instruction of a pair has been selected. Its pair takes both sets until both instructions have finished. */
static unsigned profileme_select_first(struct profileme *p, uint64_t seq)
{
    if (p->set[0].busy || p->set[1].busy) {
        p->lost += 2;
        return 0;
    }
    (void)selection_begin_pair(&p->selection, seq);
    p->set[1].busy = true;
    p->set[1].finished = false;
    return take_set(p, 0);
}

static unsigned profileme_tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct profileme *p = ctx;
    struct selected selected = selection_look(&p->selection, seq, cycle);
    unsigned number = selected.second ? 2 : 0;
    (void)pc, (void)opclass;
    if (selected.counter) {
        unsigned taken = p->pair ? profileme_select_first(p, seq) : select_one(p);
        number = number != 0 ? number : taken;
    }
    selection_go_on(&p->selection, selected);
    return number;
}

static void profileme_tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct profileme *p = ctx;
    struct register_set *s = &p->set[number - 1];
    (void)cycle;
    s->record = profile_registers_record(in);
    s->finished = true;
    if (p->selection.by_iid && in->cause != PROBE_CAUSE_NONE) {
        p->selection.useless++;
        s->busy = false;
    } else if (!p->pair) {
        profile_registers_finish_one(&p->registers, &s->record);
        s->busy = false;
    } else if (p->set[0].finished && p->set[1].finished) {
        profile_registers_finish_pair(&p->registers, (struct profileme_record[]){p->set[0].record, p->set[1].record});
        p->set[0].busy = p->set[1].busy = false;
    }
}

static void profileme_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct profileme *p = ctx;
    (void)cycle;
    selection_squash(&p->selection, in);
}

static uint8_t bits_for(unsigned sets)
{
    uint8_t bits = 1;
    while (1u << bits < sets + 1)
        bits++;
    return bits;
}

static void profileme_subscribe(struct profileme *p)
{
    struct probe_listener *o = &p->base.probe;
    *o = (struct probe_listener){.ctx = p, .cycles = PROBE_ALL_CYCLES};
    o->tagger = (struct probe_tagger){.bits = bits_for(p->sets),
                                      .tag = profileme_tag,
                                      .tagged = profileme_tagged,
                                      .squashed = true,
                                      .complete = true};
    selection_subscribe(&p->selection, &o->tagger);
    if (p->selection.by_iid)
        o->stage[PROBE_SQUASHED] = profileme_squashed;
}

static struct observer *profileme_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct profileme *p = xcalloc(1, sizeof *p);
    const uint64_t *o = setup->option;
    const struct profileme_choice choice = choice_of(setup);
    p->base.kind = kind;
    p->period = choice.period;
    p->pair = choice.pair;
    p->sets = p->pair ? 2 : (unsigned)o[OPTION_N];
    selection_init(&p->selection, &choice, o[OPTION_SEED]);
    profile_registers_init(&p->registers, (unsigned)o[OPTION_BUFFER]);
    profileme_subscribe(p);
    return &p->base;
}

static void profileme_attach(struct observer *o, struct core *core)
{
    struct profileme *p = (struct profileme *)o;
    p->core = core;
    p->start_retired = core_retired(core);
    p->issue_width = core_config_issue_width(core_configuration(core));
    selection_attach(&p->selection, core);
}

/* Fetched instructions per sample. Each instruction is sampled with the inverse probability, at most once as the first
 * and once as the second of a pair. Lost selections are independent of the instruction, so the delivered samples
 * represent them, too. With IID selection a sample represents retired instructions: the total is correct, but the
 * shares can be biased. */
static double fetched_for_each_sample(const struct profileme *p, uint64_t lost_samples)
{
    double samples = (double)p->registers.samples, lost = (double)lost_samples;
    if (p->selection.by_iid)
        return samples > 0 ? (double)(core_retired(p->core) - p->start_retired) / samples : 1;
    return (double)p->period / (p->pair ? 2 : 1) * (samples > 0 ? (samples + lost) / samples : 1);
}

static void profileme_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct profileme *p = (struct profileme *)o;
    uint64_t lost = p->lost;
    (void)hart;
    profile_registers_read(&p->registers);
    selection_finish(&p->selection, p->selection.first_cycle + cycles);
    for (unsigned i = 0; i < p->sets; i++) /* in flight at the end of the run */
        lost += p->set[i].busy;
    free((void *)p->profile.row);
    double scale = fetched_for_each_sample(p, lost);
    p->profile = (struct count_profile){.label = o->label != NULL ? o->label : o->kind->name,
                                        .kinds = count_kinds_of_record() | (p->pair ? count_kinds_of_pairs() : 0),
                                        .scale = scale,
                                        .pair_scale = p->pair ? 2 * scale * (double)p->selection.window : 0,
                                        .samples = p->registers.samples,
                                        .lost = lost,
                                        .useless = p->selection.useless,
                                        .interrupts = p->registers.interrupts,
                                        .issue_width = p->issue_width};
    p->profile.row = count_table_rows(&p->registers.table, &p->profile.rows);
}

static const struct count_profile *profileme_counts(const struct observer *o)
{
    return &((const struct profileme *)o)->profile;
}

static void profileme_release(struct observer *o)
{
    struct profileme *p = (struct profileme *)o;
    free((void *)p->profile.row);
    profile_registers_fini(&p->registers);
    free(p);
}

const struct observer_kind observer_profileme = {
    .name = "profileme",
    .help = "random fetched instructions, alone or in pairs, with all their events and latencies",
    .options = options,
    .objection = count_profileme_objection,
    .create = profileme_create,
    .attach = profileme_attach,
    .finish = profileme_finish,
    .counts = profileme_counts,
    .release = profileme_release,
};
