/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/probe/probe_port.h"

#include <stdlib.h>

void probe_port_init(struct probe_port *p)
{
    *p = (struct probe_port){.open = {.classes = UINT32_MAX}};
    p->at_fetch.end = p->at_fetch.to;
    p->at_rename.end = p->at_rename.to;
    p->at_fetch.from_seq = p->at_rename.from_seq = UINT64_MAX;
    p->at_fetch.from_cycle = p->at_rename.from_cycle = UINT64_MAX;
    p->token_from = p->banks_from = UINT64_MAX;
}

void probe_port_fini(struct probe_port *p) { free(p->kept.at); }

static void subscribe_stages(struct probe_port *p, const struct probe_listener *o)
{
    bool calls = false;
    p->extras_wanted |= o->extras;
    p->stages_always |= o->extras != 0 ? 1u << PROBE_FETCHED : 0;
    for (int s = 0; s < PROBE_STAGE_COUNT; s++) {
        struct listener_list *l = &p->stage_list[s];
        if (o->stage[s] == NULL)
            continue;
        if (l->count == CORE_MAX_LISTENERS)
            BUG("more than %d observers", CORE_MAX_LISTENERS);
        l->to[l->count].call = o->stage[s];
        l->to[l->count].filter = o->filter[s] != NULL ? o->filter[s] : &p->open;
        l->to[l->count++].ctx = o->ctx;
        p->stages_called |= 1u << s;
        if (o->for_tagged) {
            p->stages_gated |= 1u << s;
            l->gated = p;
            continue;
        }
        p->stages_always |= 1u << s;
        calls = true;
    }
    uint32_t cycles = o->cycles != 0 ? o->cycles | 1u << PROBE_FETCHED : 0;
    if (!calls && o->tagger.bits != 0 && o->tagger.at == PROBE_FETCHED)
        p->cycles_tagged |= cycles;
    else
        p->cycles_always |= cycles;
    p->count_tagged |= p->cycles_tagged != 0;
    p->moving |= o->for_tagged;
    p->retires |= (cycles & 1u << PROBE_RETIRED) != 0;
}

static bool is_open(const struct listener_list *l)
{
    for (int n = 0; n < l->count; n++)
        if (l->to[n].filter->classes != 0 || l->to[n].filter->from != UINT64_MAX)
            return true;
    return false;
}

/* Recomputes what the core reports and records. */
void probe_port_refresh_stages(struct probe_port *p)
{
    bool tagged = p->tagged_in_flight != 0;
    p->cycles_wanted = p->cycles_always | (tagged ? p->cycles_tagged : 0);
    p->stages_wanted = p->stages_always | p->cycles_wanted | (tagged ? 1u << PROBE_SQUASHED : 0);
    for (uint32_t gated = p->stages_gated & ~p->stages_wanted; gated != 0; gated &= gated - 1)
        if (is_open(&p->stage_list[__builtin_ctz(gated)]))
            p->stages_wanted |= gated & -gated;
    p->watches = ((p->stages_wanted & ~(1u << PROBE_RETIRED)) | p->cycles_wanted | p->events_wanted |
                  p->extras_wanted) != 0 ||
                 p->merged.reads_events || p->wants_slots;
}

static void subscribe_results(struct probe_port *p, const struct probe_listener *o)
{
    struct result_list *l = &p->results;
    if (o->result == NULL)
        return;
    if (l->count == CORE_MAX_LISTENERS)
        BUG("more than %d observers", CORE_MAX_LISTENERS);
    l->to[l->count].call = o->result;
    l->to[l->count].classes = o->result_classes;
    l->to[l->count++].ctx = o->ctx;
    p->result_classes |= o->result_classes;
}

static void subscribe_slots(struct probe_port *p, const struct probe_listener *o)
{
    struct slots_list *l = &p->slots[o->slots_of];
    if (o->slots == NULL)
        return;
    if (l->count == CORE_MAX_LISTENERS)
        BUG("more than %d observers", CORE_MAX_LISTENERS);
    l->to[l->count].slots = o->slots;
    l->to[l->count].squashed = o->slots_squashed;
    l->to[l->count++].ctx = o->ctx;
    p->wants_slots = true;
}

static void subscribe_flow(struct probe_port *p, const struct probe_listener *o)
{
    if (o->transfer != NULL) {
        if (p->transfers.count == CORE_MAX_LISTENERS)
            BUG("more than %d observers", CORE_MAX_LISTENERS);
        p->transfers.to[p->transfers.count].call = o->transfer;
        p->transfers.to[p->transfers.count++].ctx = o->ctx;
        p->transfer_classes = PROBE_TRANSFERS;
    }
    if (o->kernel != NULL) {
        if (p->kernel.count == CORE_MAX_LISTENERS)
            BUG("more than %d observers", CORE_MAX_LISTENERS);
        p->kernel.to[p->kernel.count].call = o->kernel;
        p->kernel.to[p->kernel.count++].ctx = o->ctx;
    }
}

static void subscribe_events(struct probe_port *p, const struct probe_listener *o)
{
    for (int e = 0; e < PROBE_EVENT_COUNT; e++) {
        struct event_list *l = &p->event_list[e];
        if (o->event[e] == NULL)
            continue;
        if (l->count == CORE_MAX_LISTENERS)
            BUG("more than %d observers", CORE_MAX_LISTENERS);
        l->to[l->count].call = o->event[e];
        l->to[l->count++].ctx = o->ctx;
        p->events_wanted |= 1u << e;
    }
}

static void attach_to_list(struct probe_port *p, const struct probe_listener *o, struct tagger_list *l)
{
    static const uint64_t always = 0;
    const struct probe_tagger *t = &o->tagger;
    struct event_filter *filter = t->filter != NULL ? t->filter : &p->open;
    if (l->end == l->to && l->all == 0 && t->tag != NULL) {
        l->guard = filter;
        filter = &p->open;
    } else if (l->end != l->to && l->guard != &p->open) {
        l->to[0].filter = l->guard;
        l->guard = &p->open;
    }
    if (t->tag == NULL) {
        l->all |= 1u << p->tag_bits;
        l->guard = &p->open;
        return;
    }
    p->moving |= t->from_seq != NULL || t->from_cycle != NULL;
    *l->end++ = (struct tagging){.tag = t->tag,
                                 .ctx = o->ctx,
                                 .pc_filters = t->pc_filters,
                                 .filter = filter,
                                 .from_seq = t->from_seq != NULL ? t->from_seq : &always,
                                 .from_cycle = t->from_cycle != NULL ? t->from_cycle : &always,
                                 .shift = p->tag_bits};
}

static void subscribe_tagger(struct probe_port *p, const struct probe_listener *o)
{
    const struct probe_tagger *t = &o->tagger;
    if (t->bits == 0)
        return;
    if (t->bits > 8 || (t->at != PROBE_FETCHED && t->at != PROBE_MAPPED))
        BUG("a tag of %d bits at stage %d", t->bits, (int)t->at);
    if (p->tag_bits + t->bits > PROBE_TAG_BITS)
        BUG("more than %d bits of tags", PROBE_TAG_BITS);
    uint32_t mask = ((1u << t->bits) - 1) << p->tag_bits;
    struct tagger_list *l = t->at == PROBE_FETCHED ? &p->at_fetch : &p->at_rename;
    attach_to_list(p, o, l);
    l->alone = l->end == l->to + 1 && l->all == 0;
    int n = p->tagged.count++;
    p->tagged.to[n].tagged = t->tagged;
    p->tagged.to[n].ctx = o->ctx;
    p->tagged.to[n].mask = mask;
    p->tagged.to[n].shift = p->tag_bits;
    p->squash_tags |= t->squashed ? mask : 0;
    p->complete_tags |= t->complete ? mask : 0;
    p->count_tagged |= t->squashed;
    p->tag_bits += t->bits;
}

static void attach_merged(struct probe_port *p, const struct probe_listener *o)
{
    struct merged_list *m = &p->merged;
    if (m->count == CORE_MAX_LISTENERS)
        BUG("more than %d observers", CORE_MAX_LISTENERS);
    m->reads_events |= o->commit_events;
    m->counts = (m->count == 0 || m->counts) && o->counted != NULL;
    m->to[m->count].counted = o->counted;
    m->to[m->count].token = o->token;
    m->to[m->count].commits = o->commits;
    m->to[m->count++].ctx = o->ctx;
}

static void subscribe_token(struct probe_port *p, const struct probe_listener *o)
{
    static const uint64_t every_cycle = 0;
    struct token_list *t = &p->token_list;
    if (o->token == NULL)
        return;
    p->tokens = true;
    if (o->commits != NULL) {
        attach_merged(p, o);
        return;
    }
    if (t->count == CORE_MAX_LISTENERS)
        BUG("more than %d observers", CORE_MAX_LISTENERS);
    t->to[t->count].call = o->token;
    t->to[t->count].from = o->token_from != NULL ? o->token_from : &every_cycle;
    t->to[t->count].outline = o->token_outline;
    t->to[t->count++].ctx = o->ctx;
    probe_port_expect_token(p);
}

void probe_port_subscribe(struct probe_port *p, const struct probe_listener *o)
{
    p->attached = true;
    subscribe_stages(p, o);
    subscribe_results(p, o);
    subscribe_slots(p, o);
    subscribe_flow(p, o);
    subscribe_events(p, o);
    subscribe_tagger(p, o);
    subscribe_token(p, o);
    probe_port_refresh_stages(p);
    probe_port_refresh_starts(p);
}

static void refresh_starts(struct tagger_list *l)
{
    l->from_seq = l->from_cycle = l->all != 0 ? 0 : UINT64_MAX;
    for (const struct tagging *t = l->to; t != l->end; t++) {
        if (*t->from_seq < l->from_seq)
            l->from_seq = *t->from_seq;
        if (*t->from_cycle < l->from_cycle)
            l->from_cycle = *t->from_cycle;
    }
}

void probe_port_refresh_starts(struct probe_port *p)
{
    refresh_starts(&p->at_fetch);
    refresh_starts(&p->at_rename);
    if (p->stages_gated != 0)
        probe_port_refresh_stages(p);
}

uint32_t probe_port_tags_of_all(struct probe_port *p, const struct tagger_list *l, uint64_t seq, uint64_t pc,
                                enum opclass opclass, uint64_t cycle)
{
    uint32_t tags = l->all;
    for (const struct tagging *t = l->to; t != l->end; t++)
        if (event_filter_passes(t->filter, opclass, cycle) && seq >= *t->from_seq && cycle >= *t->from_cycle)
            tags |= t->tag(t->ctx, seq, pc, opclass, cycle) << t->shift;
    probe_port_refresh(p);
    return tags;
}

void probe_port_notify_result(const struct probe_port *p, enum opclass opclass, uint64_t pc, uint64_t value)
{
    for (int n = 0; n < p->results.count; n++)
        if ((p->results.to[n].classes >> opclass & 1) != 0)
            p->results.to[n].call(p->results.to[n].ctx, opclass, pc, value);
}

void probe_port_notify_slots(const struct probe_port *p, enum topdown_stage stage, const struct probe_slots *s)
{
    const struct slots_list *l = &p->slots[stage];
    for (int n = 0; n < l->count; n++)
        l->to[n].slots(l->to[n].ctx, s);
}

void probe_port_notify_squashed(const struct probe_port *p, enum topdown_stage stage,
                                const struct probe_slots_squashed *s)
{
    const struct slots_list *l = &p->slots[stage];
    for (int n = 0; n < l->count; n++)
        l->to[n].squashed(l->to[n].ctx, s);
}

void probe_port_notify_transfer(const struct probe_port *p, const struct rv_insn *insn, const struct rv_outcome *o,
                                const struct probe_insn *in, uint64_t retired)
{
    const struct probe_transfer t = {.pc = in->pc,
                                     .next_pc = o->next_pc,
                                     .return_address = in->pc + insn->length_bytes,
                                     .sp = in->sp,
                                     .fp = in->fp,
                                     .seq = in->seq,
                                     .retired = retired,
                                     .opclass = (enum opclass)insn->opclass};
    for (int n = 0; n < p->transfers.count; n++)
        p->transfers.to[n].call(p->transfers.to[n].ctx, &t);
}

void probe_port_notify_kernel(const struct probe_port *p, const struct probe_kernel *k)
{
    for (int n = 0; n < p->kernel.count; n++)
        p->kernel.to[n].call(p->kernel.to[n].ctx, k);
}

void probe_port_notify_events(const struct probe_port *p, uint32_t events, uint64_t cycle)
{
    for (; events != 0; events &= events - 1) {
        const struct event_list *l = &p->event_list[__builtin_ctz(events)];
        for (int n = 0; n < l->count; n++)
            l->to[n].call(l->to[n].ctx, cycle);
    }
}

void probe_port_deliver_to_all(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint64_t cycle)
{
    if (in->cause != PROBE_CAUSE_NONE)
        tags &= p->squash_tags;
    for (int n = 0; tags != 0; n++) {
        uint32_t tag = tags & p->tagged.to[n].mask;
        tags &= ~tag;
        if (tag != 0)
            p->tagged.to[n].tagged(p->tagged.to[n].ctx, in, tag >> p->tagged.to[n].shift, cycle);
    }
    probe_port_refresh(p);
}

void probe_port_keep(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint32_t access)
{
    struct kept_list *l = &p->kept;
    if (l->count == l->space) {
        l->space = l->space == 0 ? 16 : 2 * l->space;
        l->at = xrealloc(l->at, l->space * sizeof *l->at);
    }
    l->at[l->count++] = (struct kept_store){
        .in = *in, .insn = *in->insn, .outcome = *in->outcome, .tags = tags, .access = access};
}

static void deliver_kept(struct probe_port *p, struct kept_store *s, uint32_t events, uint64_t cycle)
{
    s->in.insn = &s->insn;
    s->in.outcome = &s->outcome;
    s->in.events |= events;
    probe_port_deliver(p, &s->in, s->tags, cycle);
}

void probe_port_deliver_kept(struct probe_port *p, uint32_t access, uint32_t events, uint64_t cycle)
{
    struct kept_list *l = &p->kept;
    uint32_t left = 0;
    for (uint32_t n = 0; n < l->count; n++) {
        if (l->at[n].access == access)
            deliver_kept(p, &l->at[n], events, cycle);
        else
            l->at[left++] = l->at[n];
    }
    l->count = left;
}

void probe_port_settle(struct probe_port *p, uint64_t cycle)
{
    for (uint32_t n = 0; n < p->kept.count; n++)
        deliver_kept(p, &p->kept.at[n], 0, cycle);
    p->kept.count = 0;
}

static void send_to_all(struct probe_port *p, const struct probe_token *t)
{
    uint64_t end = t->cycle + t->repeat, outline = UINT64_MAX, whole = UINT64_MAX;
    for (int n = 0; n < p->token_list.count; n++) {
        const uint64_t *from = p->token_list.to[n].from;
        if (*from < end)
            p->token_list.to[n].call(p->token_list.to[n].ctx, t);
        uint64_t *least = p->token_list.to[n].outline ? &outline : &whole;
        if (*from < *least)
            *least = *from;
    }
    p->token_from = outline < whole ? outline : whole;
    p->banks_from = whole;
}

/* One observer is the usual case and needs no minimum. */
void probe_port_notify_token(struct probe_port *p, const struct probe_token *t)
{
    if (p->token_list.count == 1) {
        if (*p->token_list.to[0].from < t->cycle + t->repeat)
            p->token_list.to[0].call(p->token_list.to[0].ctx, t);
        p->token_from = *p->token_list.to[0].from;
        p->banks_from = p->token_list.to[0].outline ? UINT64_MAX : p->token_from;
        return;
    }
    send_to_all(p, t);
}

void probe_port_notify_merged(struct probe_port *p, const struct probe_token *t)
{
    for (int n = 0; n < p->merged.count; n++)
        p->merged.to[n].token(p->merged.to[n].ctx, t);
}

void probe_port_notify_counted(const struct probe_port *p, const struct probe_counted *n)
{
    for (int o = 0; o < p->merged.count; o++)
        p->merged.to[o].counted(p->merged.to[o].ctx, n);
}

void probe_port_flush_token(struct probe_port *p)
{
    if (p->commits.cycles != 0)
        for (int n = 0; n < p->merged.count; n++)
            p->merged.to[n].commits(p->merged.to[n].ctx, &p->commits);
    p->commits.cycles = p->commits.insns = 0;
    if (p->joined.repeat != 0)
        probe_port_notify_merged(p, &p->joined);
    p->joined.repeat = 0;
}

/* Whether nothing commits, no exception fires and nothing is dispatched in these cycles. */
static bool is_still(const struct probe_token *t) { return t->committing == 0 && !t->exception && !t->dispatching; }

/* Whether two consecutive still tokens can be merged. */
static bool are_alike(const struct probe_token *a, const struct probe_token *b)
{
    return a->rob_empty == b->rob_empty && a->handler == b->handler && a->blocked == b->blocked &&
           (a->rob_empty ? a->dispatch_pc == b->dispatch_pc
                         : a->head == b->head && a->bank[a->head].pc == b->bank[b->head].pc);
}

static void probe_port_merge(struct probe_port *p, const struct probe_token *t)
{
    if (p->joined.repeat != 0 && is_still(t) && are_alike(&p->joined, t)) {
        p->joined.repeat += t->repeat;
        p->joined.bank[t->head].events = t->bank[t->head].events;
        return;
    }
    probe_port_flush_token(p);
    if (is_still(t))
        p->joined = *t;
    else
        probe_port_notify_merged(p, t);
}

void probe_port_token(struct probe_port *p, const struct probe_token *t)
{
    if (p->token_from < t->cycle + t->repeat)
        probe_port_notify_token(p, t);
    if (p->merged.count != 0)
        probe_port_merge(p, t);
}
