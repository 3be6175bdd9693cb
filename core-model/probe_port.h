/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The probe port's sending side, which the cores share: lists of subscribers by stage, of taggers and of token readers.
 * See probe.h. */
#ifndef CORE_MODEL_PROBE_PORT_H
#define CORE_MODEL_PROBE_PORT_H

#include "core-model/core.h"

/* Subscribers of one stage. */
struct observer_list {
    int count;
    struct probe_port
        *gated; /* to be looked at again behind a call: see probe_observer.for_tagged; NULL: need not be */
    struct {
        void (*call)(void *ctx, const struct probe_insn *in, uint64_t cycle);
        void *ctx;
        struct event_filter *filter;
    } to[CORE_MAX_OBSERVERS];
};

/* Observers that tag at one stage, up to `end`. Most instructions are of no interest to them, so the core tests
 * `from_cycle`, `from_seq` and `guard` before it walks the list. The first two are the least of the observers'
 * numbers; UINT64_MAX: there are none. With one observer the guard is its filter, and the list has one that passes all
 * instructions in its place. With several the guard passes all instructions. */
struct tagger_list {
    uint64_t from_seq, from_cycle;
    uint32_t all; /* the tags of the observers that tag all instructions, which are not in `to` */
    struct event_filter *guard;
    struct tagging {
        struct event_filter *filter;
        const uint64_t *from_seq, *from_cycle;
        probe_tag_fn *tag;
        void *ctx;
        uint8_t shift;          /* of its tag in an instruction's tags */
    } to[PROBE_TAG_BITS], *end; /* each has a bit at least */
};

/* Observers to which tagged instructions are delivered. */
struct tagged_list {
    int count;
    struct {
        void (*tagged)(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle);
        void *ctx;
        uint32_t mask; /* its tag's bits */
        uint8_t shift;
    } to[PROBE_TAG_BITS];
};

/* A tagged store that has retired and waits for its access. */
struct kept_store {
    struct probe_insn in; /* points into the rest */
    struct rv_insn insn;
    struct rv_outcome outcome;
    uint32_t tags;
    uint32_t access; /* the core's number of the access */
};

/* They wait in the order in which they retired. */
struct kept_list {
    struct kept_store *at; /* owned */
    uint32_t count, space;
};

struct token_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_token *t);
        void *ctx;
        const uint64_t *from;
        bool outline;
    } to[CORE_MAX_OBSERVERS];
};

/* Observers of merged tokens. */
struct merged_list {
    int count;
    bool reads_events; /* an observer has commit_events */
    struct {
        void (*token)(void *ctx, const struct probe_token *t);
        void (*commits)(void *ctx, const struct probe_commits *c);
        void *ctx;
    } to[CORE_MAX_OBSERVERS];
};

/* Subscribers of one event. */
struct event_list {
    int count;
    struct {
        void (*call)(void *ctx, uint64_t cycle);
        void *ctx;
    } to[CORE_MAX_OBSERVERS];
};

struct probe_port {
    /* Bits by enum probe_stage. An observer reads the stage's cycle; with any bit that of FETCHED is set too. What an
     * observer needs of instructions only that it tags at fetch is added while one of these is in flight. */
    uint32_t cycles_wanted;
    uint32_t stages_wanted; /* an observer subscribes to the stage, or reads its cycle */
    uint32_t stages_called; /* an observer subscribes to the stage */
    uint32_t cycles_always, stages_always, cycles_tagged;
    uint32_t stages_gated;     /* only of observers that are for_tagged */
    uint32_t tagged_in_flight; /* counted only if count_tagged */
    bool count_tagged;         /* what is wanted depends on it */
    bool moving;               /* an observer has a from_seq or from_cycle, or is for_tagged */
    uint32_t extras_wanted; /* enum probe_extra: an observer reads the member; then FETCHED is a stage that is wanted */
    bool retires;           /* an observer reads the cycle of RETIRED */
    uint32_t events_wanted; /* enum probe_event: an observer subscribes to the event */
    struct observer_list stage_list[PROBE_STAGE_COUNT];
    struct event_list event_list[PROBE_EVENT_COUNT];
    struct event_filter open; /* passes all instructions */
    struct tagger_list at_fetch, at_rename;
    struct tagged_list tagged;
    uint32_t squash_tags;   /* tag bits of the observers that want squashed instructions */
    uint32_t complete_tags; /* of those to which stores are delivered with their access */
    struct kept_list kept;
    uint8_t tag_bits; /* in use */
    /* What an instruction that retires finds: struct probe_insn's members of these names. Kept while an observer reads
     * the cycles of RETIRED. */
    struct probe_oir before;
    uint64_t retired_before;
    bool tokens;                  /* any observer of tokens is attached */
    struct token_list token_list; /* but for those of merged tokens */
    uint64_t token_from; /* no observer wants a token that ends at or before this cycle; moves with each token sent */
    uint64_t banks_from; /* the same of observers that read all banks of a token */
    struct merged_list merged;
    struct probe_token joined;    /* waits for the next one; repeat 0: none does */
    struct probe_commits commits; /* waits for more cycles; cycles 0: none do */
};

/* To be called first. The port must not be moved afterwards. */
void probe_port_init(struct probe_port *p);
void probe_port_fini(struct probe_port *p);
/* Adds an observer's subscriptions; BUG() if a list is full. */
void probe_port_attach(struct probe_port *p, const struct probe_observer *o);

/* Notes the cycle of a stage, if an observer reads it. */
static inline void probe_port_note(const struct probe_port *p, struct probe_insn *in, enum probe_stage stage,
                                   uint64_t cycle)
{
    if ((p->cycles_wanted & 1u << stage) == 0)
        return;
    if (stage == PROBE_FETCHED)
        for (int s = 0; s < PROBE_STAGE_COUNT; s++)
            in->stage_cycle[s] = 0;
    in->stage_cycle[stage] = cycle;
}

/* The first subscriber from the n-th on to which an instruction of that class is reported; the list's count if there is
 * none. */
static inline int probe_port_next(const struct observer_list *l, int n, enum opclass opclass, uint64_t cycle)
{
    while (n < l->count && !event_filter_passes(l->to[n].filter, opclass, cycle))
        n++;
    return n;
}

/* Does the instruction pass the list's guard? Then probe_port_tags is to be called. */
static inline bool probe_port_asks(const struct tagger_list *l, uint64_t seq, enum opclass opclass, uint64_t cycle)
{
    return cycle >= l->from_cycle && seq >= l->from_seq && event_filter_passes(l->guard, opclass, cycle);
}

/* Reads the observers' from_seq and from_cycle anew: to be called behind whatever may move them. */
void probe_port_read_again(struct probe_port *p);
static inline void probe_port_look_again(struct probe_port *p)
{
    if (p->moving)
        probe_port_read_again(p);
}

/* The tags that the list's observers give to an instruction that has passed the guard. */
static inline uint32_t probe_port_tags(struct probe_port *p, const struct tagger_list *l, uint64_t seq, uint64_t pc,
                                       enum opclass opclass, uint64_t cycle)
{
    uint32_t tags = l->all;
    for (const struct tagging *t = l->to; t != l->end; t++)
        if (event_filter_passes(t->filter, opclass, cycle) && seq >= *t->from_seq && cycle >= *t->from_cycle)
            tags |= t->tag(t->ctx, seq, pc, opclass, cycle) << t->shift;
    probe_port_look_again(p);
    return tags;
}

/* What is wanted may have changed: there is a tagged instruction in flight, or none any more, or a filter was closed.
 */
void probe_port_look_at_stages(struct probe_port *p);

/* The instruction has its first tag. If that is at fetch, stages are noted from there on. */
static inline void probe_port_tagged(struct probe_port *p, const struct tagger_list *l, struct probe_insn *in,
                                     uint64_t cycle)
{
    if (!p->count_tagged)
        return;
    if (p->tagged_in_flight++ == 0)
        probe_port_look_at_stages(p);
    if (l == &p->at_fetch)
        probe_port_note(p, in, PROBE_FETCHED, cycle);
}

/* An instruction with tags has retired or been squashed. */
static inline void probe_port_untagged(struct probe_port *p)
{
    if (p->count_tagged && --p->tagged_in_flight == 0)
        probe_port_look_at_stages(p);
}

/* Reports the stage to the n-th subscriber, whose filter has passed, and to the later ones whose filters pass. */
static inline void probe_port_tell(const struct observer_list *l, int n, const struct probe_insn *in, uint64_t cycle)
{
    for (; n < l->count; n = probe_port_next(l, n + 1, (enum opclass)in->insn->opclass, cycle))
        l->to[n].call(l->to[n].ctx, in, cycle);
    if (l->gated != NULL)
        probe_port_look_at_stages(l->gated);
}

/* Reports those of the events to which an observer subscribes. */
void probe_port_tell_events(const struct probe_port *p, uint32_t events, uint64_t cycle);

/* These events (enum probe_event) happen in this cycle, each once. */
static inline void probe_port_happens(const struct probe_port *p, uint32_t events, uint64_t cycle)
{
    if ((events & p->events_wanted) != 0)
        probe_port_tell_events(p, events & p->events_wanted, cycle);
}

/* Delivers an instruction with these tags that has retired or, by its cause, been squashed. */
void probe_port_deliver(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint64_t cycle);

/* An observer's token_from may have moved to an earlier cycle. */
static inline void probe_port_expect_token(struct probe_port *p) { p->token_from = p->banks_from = 0; }

/* A retired store waits for its access, which has this number: keeps a copy of it, to be delivered to the observers of
 * these tags. */
void probe_port_keep(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint32_t access);
/* Delivers the stores that wait for that access, with its events (enum probe_event) besides their own. */
void probe_port_deliver_kept(struct probe_port *p, uint32_t access, uint32_t events, uint64_t cycle);
/* The run is over: delivers all that wait, without an access. */
void probe_port_settle(struct probe_port *p, uint64_t cycle);

/* The access of retired stores, with its number, is made and has these events. */
static inline void probe_port_accessed(struct probe_port *p, uint32_t access, uint32_t events, uint64_t cycle)
{
    probe_port_happens(p, events, cycle);
    if (p->kept.count != 0)
        probe_port_deliver_kept(p, access, events, cycle);
}

/* Does an observer read when instructions retire, and behind what? */
static inline bool probe_port_retires(const struct probe_port *p) { return p->retires; }

static inline struct probe_oir probe_oir_of(uint64_t pc, uint32_t events)
{
    return (struct probe_oir){.pc = pc,
                              .events = events,
                              .mispredicted = (events & PROBE_MISPREDICTED) != 0,
                              .flush = (events & PROBE_FLUSHES) != 0};
}

/* An instruction retires in this cycle: it is what the next one finds. */
static inline void probe_port_retired(struct probe_port *p, uint64_t pc, uint32_t events, uint64_t cycle)
{
    p->before = probe_oir_of(pc, events);
    p->retired_before = cycle;
}

/* An exception fires for the instruction at pc, which has had these events (enum probe_event). */
static inline void probe_port_excepted(struct probe_port *p, uint64_t pc, uint32_t events)
{
    p->before = (struct probe_oir){.pc = pc, .events = events, .exception = true};
}

/* A handler will have occupied the core up to this cycle. */
static inline void probe_port_handled(struct probe_port *p, uint64_t last)
{
    p->before = (struct probe_oir){.flush = true};
    p->retired_before = last;
}

/* Does an observer want a token that ends in cycle `end`? */
static inline bool probe_port_wants_token(const struct probe_port *p, uint64_t end)
{
    return p->token_from < end || p->merged.count != 0;
}

/* Sends a token to the observers that want it; those of merged ones may get it later. */
void probe_port_token(struct probe_port *p, const struct probe_token *t);
/* The same in two parts, for a core that merges by itself: to the observers of all tokens, and of merged ones. */
void probe_port_send(struct probe_port *p, const struct probe_token *t);
void probe_port_send_merged(struct probe_port *p, const struct probe_token *t);
/* Sends what waits to the observers of merged tokens: a token, or cycles with commits. */
void probe_port_flush_token(struct probe_port *p);

/* The youngest instruction that commits in the cycle, with its events (enum probe_event). */
static inline void probe_note_commit(struct probe_token *t, uint64_t pc, uint32_t events, bool mispredicted,
                                     bool flushes)
{
    t->oir = (struct probe_oir){.pc = pc, .events = events, .mispredicted = mispredicted, .flush = flushes};
    t->last_commit = pc;
    t->last_handler = false;
}

/* What follows from the rest of the token where nothing commits. `events` are those of the oldest instruction, whose
 * exception fires if one does. */
static inline void probe_note_no_commit(struct probe_token *t, uint32_t events)
{
    if (t->exception)
        t->oir = (struct probe_oir){.pc = t->exception_pc, .events = events, .exception = true};
    else if (t->handler)
        t->oir = (struct probe_oir){.flush = true};
    if (t->handler) {
        t->last_commit = 0;
        t->last_handler = true;
    }
}

#endif
