/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sampler `tip`: delivers TIP's registers as a sample (TIP paper, section 3.1). It uses the selection of the
 * profiler `tip` (tip.h); with equal settings both select the same cycles.
 *
 * The filters are applied to the address and opcode class of the oldest instruction, or of the offending one if the ROB
 * is empty; its class is that of the sample. TIP has no opcode classes; ROB entries and OIR would need 5 more bits.
 * Here the class is looked up in the program. Samples without an instruction of the program (in a handler, or before
 * the first dispatch) are not offered.
 *
 * With the option `events` a sample also has TEA's event signatures. A signature is complete when its instruction
 * retires or is squashed, so a sample of a stalled or drained ROB is held until then and has only that instruction.
 * Further triggers until then select the same instruction: one sample is delivered for each. */
#include <stdlib.h>

#include "core-model/prof/sampler/sampler.h"
#include "core-model/prof/time/tea.h"

struct tip_sampler {
    struct sampler base;
    struct schedule schedule;
    uint64_t token_from; /* cycle of the next trigger, or 0 while a sample is incomplete */
    struct tip_csr csr;
    bool frozen;       /* flags are frozen; the address is set at the next dispatch */
    struct hart *hart; /* borrowed; gives access to the program; NULL before attach */
    /* With events: */
    struct tea_held held;
    unsigned triggers; /* number of triggers represented by the held or current sample */
    uint32_t signature[PROBE_MAX_BANKS];
};

/* Delivers the registers if the oldest instruction belongs to the program and passes the filters. */
static void tip_sampler_deliver(struct tip_sampler *s, unsigned banks, uint64_t cycle)
{
    enum rv_trap trap;
    unsigned oldest = s->csr.flags >> TIP_OLDEST_SHIFT & (PROBE_MAX_BANKS - 1);
    uint64_t pc = s->csr.address[oldest];
    const struct rv_insn *insn = pc != HANDLER_PC && s->hart != NULL ? rv_fetch(s->hart, pc, &trap) : NULL;
    if (insn == NULL || !sampler_accepts(&s->base, (enum opclass)insn->opclass, pc, cycle))
        return;
    struct probe_insn in = {.pc = pc, .insn = insn};
    struct sample_source from = {.in = &in, .tip = &s->csr, .banks = banks, .signature = s->signature};
    struct sample sample;
    sample_format_fill(&s->base.format, SAMPLE_OF_INSN, &from, &sample);
    sample_format_fill(&s->base.format, SAMPLE_OF_TIP, &from, &sample);
    sampler_deliver(&s->base, &sample, (enum opclass)insn->opclass, cycle);
}

/* Takes the triggers of the token's cycles. */
static void tip_sampler_take(struct tip_sampler *s, const struct probe_token *t)
{
    while (!s->frozen && schedule_due(&s->schedule, t->cycle + t->repeat)) {
        uint64_t cycle = s->schedule.next;
        s->csr.cycles = schedule_take(&s->schedule);
        if (tip_select(&s->csr, &t->oir, t))
            tip_sampler_deliver(s, t->banks, cycle);
        else
            s->frozen = true;
    }
}

/* Completes a frozen sample. Triggers before its completion select the same instruction, so the sample also represents
 * their cycles. */
static void tip_sampler_complete(struct tip_sampler *s, const struct probe_token *t)
{
    bool at_dispatch = token_is_at_dispatch(t);
    uint64_t triggers = 0, end = at_dispatch ? t->cycle : t->cycle + t->repeat;
    s->csr.cycles += schedule_take_until(&s->schedule, end, &triggers);
    if (!at_dispatch)
        return;
    s->frozen = false;
    tip_dispatched(&s->csr, t);
    tip_sampler_deliver(s, t->banks, t->cycle);
}

/* Skips samples in a handler, and the frozen one that the handler's first instruction completes: they do not belong to
 * the program. */
static void skip_handler(struct tip_sampler *s, const struct probe_token *t)
{
    uint64_t triggers = 0;
    s->frozen = false;
    (void)schedule_take_until(&s->schedule, t->cycle + t->repeat, &triggers);
}

static void tip_sampler_token(void *ctx, const struct probe_token *t)
{
    struct tip_sampler *s = ctx;
    if (t->handler && t->committing == 0)
        skip_handler(s, t);
    if (s->frozen)
        tip_sampler_complete(s, t);
    tip_sampler_take(s, t);
    if (s->frozen)
        tip_sampler_complete(s, t);
    s->token_from = s->frozen ? 0 : s->schedule.next;
}

/* Delivers the sample once per trigger, with equal shares of its cycles. */
static void deliver_triggers(struct tip_sampler *s, unsigned banks, uint64_t cycle)
{
    uint64_t cycles = s->csr.cycles;
    for (; s->triggers > 0; s->triggers--) {
        s->csr.cycles = cycles / s->triggers;
        cycles -= s->csr.cycles;
        tip_sampler_deliver(s, banks, cycle);
    }
}

/* Delivers the held sample, of one instruction, after the instruction has ended. */
static void tip_sampler_settle(struct tip_sampler *s, enum tea_end end, const struct probe_token *t)
{
    if (end == TEA_WAITS)
        return;
    s->held.waits = false;
    if (end == TEA_HANDLER)
        return;
    s->csr.address[0] = s->held.pc;
    s->csr.flags = (s->csr.flags & (TIP_STALLED | TIP_FRONTEND)) | 1u << TIP_VALID_SHIFT;
    s->signature[0] = s->held.signature;
    deliver_triggers(s, t->banks, t->cycle);
}

/* Selects the instructions to which the token's cycle is attributed. */
static void select_with_events(struct tip_sampler *s, const struct probe_token *t)
{
    bool selected = tip_select(&s->csr, &t->oir, t);
    if (!selected || (s->csr.flags & TIP_STALLED) != 0) {
        s->held = (struct tea_held){.waits = true};
        tip_sampler_settle(s, tea_held_look(&s->held, t), t);
        return;
    }
    if ((s->csr.flags & (TIP_EXCEPTION | TIP_FLUSH | TIP_MISPREDICTED)) != 0)
        s->signature[0] = tea_offender_signature(&t->oir);
    else
        for (unsigned b = 0; b < t->banks; b++)
            s->signature[b] = tea_bank_signature(t, b);
    deliver_triggers(s, t->banks, t->cycle + t->repeat - 1);
}

static void token_with_events(void *ctx, const struct probe_token *t)
{
    struct tip_sampler *s = ctx;
    bool handler = t->handler && t->committing == 0;
    tip_sampler_settle(s, tea_held_look(&s->held, t), t);
    if (!s->held.waits)
        s->triggers = 0, s->csr.cycles = 0;
    while (schedule_due(&s->schedule, t->cycle + t->repeat)) {
        s->csr.cycles += schedule_take(&s->schedule);
        s->triggers += !handler;
    }
    if (s->triggers != 0 && !s->held.waits)
        select_with_events(s, t);
    tip_sampler_settle(s, tea_held_except(&s->held, t), t);
    s->token_from = s->held.waits ? 0 : s->schedule.next;
}

/* Starts the measurement; a warm-up may precede. */
static void tip_sampler_attach(struct observer *o, struct core *core)
{
    struct tip_sampler *s = (struct tip_sampler *)o;
    s->hart = core_hart(core);
    sampler_pass_time(&s->base, core);
    schedule_start_at(&s->schedule, core_clock(core));
    s->token_from = s->schedule.next;
}

const struct observer_kind observer_tip_sampler = {
    .name = "tip-sampler",
    .help = "offers TIP's samples to the co-processor, through its filters",
    .attach = tip_sampler_attach,
};

struct sampler *tip_sampler_make(const struct sampler_setup *setup, uint64_t seed, const struct sample_sink *sink)
{
    struct tip_sampler *s = xcalloc(1, sizeof *s);
    sampler_init(&s->base, &observer_tip_sampler, sink);
    schedule_init(&s->schedule, sampler_option(setup, SAMPLER_TIP_PERIOD, seed),
                  sampler_option(setup, SAMPLER_TIP_RANDOM, seed) != 0, sampler_option(setup, SAMPLER_TIP_SEED, seed));
    s->token_from = s->schedule.next;
    s->base.observer.probe.token = sampler_option(setup, SAMPLER_TIP_EVENTS, seed) != 0 ? token_with_events
                                                                                        : tip_sampler_token;
    s->base.observer.probe.token_from = &s->token_from;
    return &s->base;
}
