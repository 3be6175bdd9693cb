/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sending side of the probe port, shared by the cores: lists of the observers of each stage and event, of the
 * tagging observers, and of the observers of tokens. See probe.h. */
#ifndef CORE_MODEL_PROBE_PROBE_PORT_H
#define CORE_MODEL_PROBE_PROBE_PORT_H

#include "core-model/core.h"
#include "isa/pc_filters.h"

/* Listeners of one stage. */
struct listener_list {
    int count;
    struct probe_port *gated; /* the port whose wanted stages are recomputed after each call, for observers with
                                 for_tagged; NULL: none */
    struct {
        void (*call)(void *ctx, const struct probe_insn *in, uint64_t cycle);
        void *ctx;
        struct event_filter *filter;
    } to[CORE_MAX_LISTENERS];
};

/* Listeners that tag at one stage, up to `end`. Few instructions are candidates, so the core tests `from_cycle`,
 * `from_seq` and `guard` before it iterates over the list. The first two are the minima of the observers' values;
 * UINT64_MAX: the list is empty. With one observer, the guard is the observer's filter, and its list entry has a
 * filter that passes all instructions. With several, the guard passes all instructions. */
struct tagger_list {
    uint64_t from_seq, from_cycle;
    uint32_t all; /* tags of the observers that tag all instructions; these observers are not in `to` */
    bool alone;   /* the list has one observer, whose filter is the guard */
    struct event_filter *guard;
    struct tagging {
        struct event_filter *filter;
        const uint64_t *from_seq, *from_cycle;
        probe_tag_fn *tag;
        void *ctx;
        const struct pc_filters *pc_filters; /* see struct probe_tagger */
        uint8_t shift;                       /* position of the observer's tag in an instruction's tags */
    } to[PROBE_TAG_BITS], *end;              /* each observer has at least one tag bit */
};

/* Listeners to which tagged instructions are delivered. */
struct tagged_list {
    int count;
    struct {
        void (*tagged)(void *ctx, const struct probe_insn *in, unsigned tag, uint64_t cycle);
        void *ctx;
        uint32_t mask; /* bits of the observer's tag */
        uint8_t shift;
    } to[PROBE_TAG_BITS];
};

/* A tagged store that has retired and whose cache access is pending. */
struct kept_store {
    struct probe_insn in; /* points to the members below */
    struct rv_insn insn;
    struct rv_outcome outcome;
    uint32_t tags;
    uint32_t access; /* number that the core gave to the access */
};

/* Tagged stores with pending accesses, in retirement order. */
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
    } to[CORE_MAX_LISTENERS];
};

/* Listeners of merged tokens. */
struct merged_list {
    int count;
    bool reads_events; /* an observer has commit_events */
    bool counts;       /* there are observers, all with `counted` */
    struct {
        void (*token)(void *ctx, const struct probe_token *t);
        void (*commits)(void *ctx, const struct probe_commits *c);
        void (*counted)(void *ctx, const struct probe_counted *n);
        void *ctx;
    } to[CORE_MAX_LISTENERS];
};

/* Listeners of results. */
struct result_list {
    int count;
    struct {
        void (*call)(void *ctx, enum opclass opclass, uint64_t pc, uint64_t value);
        void *ctx;
        uint32_t classes;
    } to[CORE_MAX_LISTENERS];
};

/* Listeners of transfers, and of the kernel. */
struct transfer_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_transfer *t);
        void *ctx;
    } to[CORE_MAX_LISTENERS];
};
struct kernel_list {
    int count;
    struct {
        void (*call)(void *ctx, const struct probe_kernel *k);
        void *ctx;
    } to[CORE_MAX_LISTENERS];
};

/* Listeners of one event. */
struct event_list {
    int count;
    struct {
        void (*call)(void *ctx, uint64_t cycle);
        void *ctx;
    } to[CORE_MAX_LISTENERS];
};

/* Listeners of the slots of a stage. */
struct slots_list {
    int count;
    struct {
        void (*slots)(void *ctx, const struct probe_slots *s);
        void (*squashed)(void *ctx, const struct probe_slots_squashed *s);
        void *ctx;
    } to[CORE_MAX_LISTENERS];
};

struct probe_port {
    bool attached; /* there is an observer */
    /* Bit sets by enum probe_stage. cycles_wanted: an observer reads the cycle of the stage; if any bit is set, that
     * of FETCHED is too. Stages that an observer reads only for instructions that it tags at fetch are included while
     * such an instruction is in flight. */
    uint32_t cycles_wanted;
    uint32_t stages_wanted; /* an observer subscribes to the stage or reads its cycle */
    uint32_t stages_called; /* an observer subscribes to the stage */
    uint32_t cycles_always, stages_always, cycles_tagged;
    uint32_t stages_gated;     /* stages of observers with for_tagged */
    uint32_t tagged_in_flight; /* number of tagged instructions in flight; maintained only if count_tagged */
    bool count_tagged;         /* the wanted stages depend on tagged_in_flight */
    bool moving;               /* an observer has a from_seq or from_cycle, or for_tagged */
    uint32_t extras_wanted;    /* enum probe_extra: an observer reads the member; FETCHED is then a wanted stage */
    bool retires;              /* an observer reads the cycle of RETIRED */
    bool watches;              /* an observer reads more than retired instructions and tokens without events */
    uint32_t events_wanted;    /* enum probe_event: an observer subscribes to the event */
    struct listener_list stage_list[PROBE_STAGE_COUNT];
    struct event_list event_list[PROBE_EVENT_COUNT];
    struct result_list results;
    struct slots_list slots[TOPDOWN_STAGES];
    bool wants_slots;        /* an observer subscribes to the slots of a stage */
    uint32_t result_classes; /* bit set by enum opclass: an observer subscribes to the results */
    struct transfer_list transfers;
    uint32_t transfer_classes; /* PROBE_TRANSFERS if there is a listener of transfers, else 0 */
    struct kernel_list kernel;
    struct event_filter open; /* passes all instructions */
    struct tagger_list at_fetch, at_rename;
    struct tagged_list tagged;
    uint32_t squash_tags;   /* tag bits of the observers with `squashed` */
    uint32_t complete_tags; /* tag bits of the observers with `complete` */
    struct kept_list kept;
    uint8_t tag_bits; /* in use */
    /* Values for the next instruction that retires: see the members of struct probe_insn with these names. Maintained
     * while an observer reads the cycle of RETIRED. */
    struct probe_oir before;
    uint64_t retired_before;
    bool tokens;                  /* an observer of tokens is attached */
    struct token_list token_list; /* observers of unmerged tokens */
    uint64_t token_from; /* no observer needs a token that ends in or before this cycle; updated at each token sent */
    uint64_t banks_from; /* the same, for observers that read all banks of a token */
    struct merged_list merged;
    struct probe_token joined;    /* merged token that has not been sent; repeat 0: none */
    struct probe_commits commits; /* cycles with commits that have not been sent; cycles 0: none */
};

/* Initialises a port. The port must not be moved afterwards. */
void probe_port_init(struct probe_port *p);
void probe_port_fini(struct probe_port *p);
/* Adds an observer's subscriptions; BUG() if a list is full. */
void probe_port_subscribe(struct probe_port *p, const struct probe_listener *o);

/* Records the cycle of a stage, if an observer reads it. */
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

/* Index of the first observer, from index n on, whose filter the instruction passes; l->count: none. */
static inline int probe_port_next(const struct listener_list *l, int n, enum opclass opclass, uint64_t cycle)
{
    while (n < l->count && !event_filter_passes(l->to[n].filter, opclass, cycle))
        n++;
    return n;
}

/* Whether the instruction passes the list's guard. If so, the core calls probe_port_tags. The filter rejects most
 * instructions, so the fetch number is tested last. */
static inline bool probe_port_asks(const struct tagger_list *l, uint64_t seq, enum opclass opclass, uint64_t cycle)
{
    return cycle >= l->from_cycle && event_filter_passes(l->guard, opclass, cycle) && seq >= l->from_seq;
}

/* Whether none of `count` instructions from number `first_seq` on, whose opcode classes are those of the bit set,
 * passes the list's guard, which has then counted them. */
static inline bool probe_port_rejects(const struct tagger_list *l, uint64_t first_seq, uint32_t classes, uint32_t count,
                                      uint64_t cycle)
{
    return cycle < l->from_cycle || (first_seq >= l->from_seq && event_filter_rejects(l->guard, classes, count, cycle));
}

/* Reads the observers' from_seq and from_cycle again. Called after any call that may change them. */
void probe_port_refresh_starts(struct probe_port *p);
static inline void probe_port_refresh(struct probe_port *p)
{
    if (p->moving)
        probe_port_refresh_starts(p);
}

/* Whether the tags of an instruction that has passed the guard are known without a call: then probe_port_known_tags. */
static inline bool probe_port_knows(const struct tagger_list *l, enum opclass opclass, uint64_t cycle)
{
    return l->alone && l->to->pc_filters != NULL && event_filter_is_known(l->guard, opclass, cycle);
}

/* These tags of an instruction, which are counted. */
static inline uint32_t probe_port_known_tags(const struct tagger_list *l, uint64_t pc)
{
    const bool accepts = pc_filters_pass(l->to->pc_filters, pc);
    event_filter_count(l->guard, accepts);
    return (uint32_t)accepts << l->to->shift;
}

/* Calls the list's observers for the tags of an instruction that has passed the guard. Returns the tags. */
uint32_t probe_port_tags_of_all(struct probe_port *p, const struct tagger_list *l, uint64_t seq, uint64_t pc,
                                enum opclass opclass, uint64_t cycle);
static inline uint32_t probe_port_tags_of(struct probe_port *p, const struct tagger_list *l, uint64_t seq, uint64_t pc,
                                          enum opclass opclass, uint64_t cycle)
{
    uint32_t tags = l->all;
    const struct tagging *t = l->to;
    if (l->alone) {
        if (seq >= *t->from_seq && cycle >= *t->from_cycle)
            tags = t->tag(t->ctx, seq, pc, opclass, cycle) << t->shift;
    } else if (t != l->end) {
        return probe_port_tags_of_all(p, l, seq, pc, opclass, cycle);
    }
    probe_port_refresh(p);
    return tags;
}

/* The same, by whichever way. */
static inline uint32_t probe_port_tags(struct probe_port *p, const struct tagger_list *l, uint64_t seq, uint64_t pc,
                                       enum opclass opclass, uint64_t cycle)
{
    return probe_port_knows(l, opclass, cycle) ? probe_port_known_tags(l, pc)
                                               : probe_port_tags_of(p, l, seq, pc, opclass, cycle);
}

/* Recomputes the wanted stages. Called when the first tagged instruction enters the pipeline, when the last one
 * leaves, and when a filter may have opened or closed. */
void probe_port_refresh_stages(struct probe_port *p);

/* The instruction has its first tag. If it was tagged at fetch, its stage cycles are recorded from there on. */
static inline void probe_port_tagged(struct probe_port *p, const struct tagger_list *l, struct probe_insn *in,
                                     uint64_t cycle)
{
    if (!p->count_tagged)
        return;
    if (p->tagged_in_flight++ == 0)
        probe_port_refresh_stages(p);
    if (l == &p->at_fetch)
        probe_port_note(p, in, PROBE_FETCHED, cycle);
}

/* An instruction with tags has retired or been squashed. */
static inline void probe_port_untagged(struct probe_port *p)
{
    if (p->count_tagged && --p->tagged_in_flight == 0)
        probe_port_refresh_stages(p);
}

/* Reports the stage to the n-th observer, whose filter the instruction has passed, and to all later ones whose
 * filters it passes. */
static inline void probe_port_notify(const struct listener_list *l, int n, const struct probe_insn *in, uint64_t cycle)
{
    for (; n < l->count; n = probe_port_next(l, n + 1, (enum opclass)in->insn->opclass, cycle))
        l->to[n].call(l->to[n].ctx, in, cycle);
    if (l->gated != NULL)
        probe_port_refresh_stages(l->gated);
}

/* Notifies the listeners of each of the events. */
void probe_port_notify_events(const struct probe_port *p, uint32_t events, uint64_t cycle);

/* These events (enum probe_event) occur in this cycle, once each. */
static inline void probe_port_event(const struct probe_port *p, uint32_t events, uint64_t cycle)
{
    if ((events & p->events_wanted) != 0)
        probe_port_notify_events(p, events & p->events_wanted, cycle);
}

/* Notifies the listeners of the class's results, of which there are several. */
void probe_port_notify_result(const struct probe_port *p, enum opclass opclass, uint64_t pc, uint64_t value);

/* The instruction has retired. */
static inline void probe_port_result(const struct probe_port *p, const struct rv_insn *in, uint64_t pc,
                                     const struct rv_outcome *o)
{
    if ((p->result_classes >> in->opclass & 1) == 0)
        return;
    if (p->results.count == 1) /* the usual case: it has the class */
        p->results.to[0].call(p->results.to[0].ctx, (enum opclass)in->opclass, pc, o->value);
    else
        probe_port_notify_result(p, (enum opclass)in->opclass, pc, o->value);
}

void probe_port_notify_slots(const struct probe_port *p, enum topdown_stage stage, const struct probe_slots *s);
void probe_port_notify_squashed(const struct probe_port *p, enum topdown_stage stage,
                                const struct probe_slots_squashed *s);
/* Notifies the listeners of transfers of an instruction of PROBE_TRANSFERS that has retired. `in` has its place and its
 * stack pointer. */
void probe_port_notify_transfer(const struct probe_port *p, const struct rv_insn *insn, const struct rv_outcome *o,
                                const struct probe_insn *in, uint64_t retired);
void probe_port_notify_kernel(const struct probe_port *p, const struct probe_kernel *k);

/* Delivers a tagged instruction that has retired or, according to its cause, has been squashed. */
void probe_port_deliver_to_all(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint64_t cycle);
static inline void probe_port_deliver(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint64_t cycle)
{
    if (p->tagged.count == 1 && in->cause == PROBE_CAUSE_NONE && tags != 0) { /* the usual case */
        p->tagged.to[0].tagged(p->tagged.to[0].ctx, in, tags, cycle);
        probe_port_refresh(p);
    } else {
        probe_port_deliver_to_all(p, in, tags, cycle);
    }
}

/* An observer's token_from may have moved to an earlier cycle. */
static inline void probe_port_expect_token(struct probe_port *p) { p->token_from = p->banks_from = 0; }

/* Copies a retired store whose access, with this number, is pending, for later delivery to the observers of these
 * tags. */
void probe_port_keep(struct probe_port *p, const struct probe_insn *in, uint32_t tags, uint32_t access);
/* Delivers the stores with this access, adding the events of the access (enum probe_event) to their own. */
void probe_port_deliver_kept(struct probe_port *p, uint32_t access, uint32_t events, uint64_t cycle);
/* Delivers all stores with pending accesses, without the events of the accesses. Called at the end of the run. */
void probe_port_settle(struct probe_port *p, uint64_t cycle);

/* The access with this number, of one or more retired stores, has been made and has these events. */
static inline void probe_port_accessed(struct probe_port *p, uint32_t access, uint32_t events, uint64_t cycle)
{
    probe_port_event(p, events, cycle);
    if (p->kept.count != 0)
        probe_port_deliver_kept(p, access, events, cycle);
}

/* Whether an observer reads the cycle of RETIRED, and so `before` and `retired_before`. */
static inline bool probe_port_retires(const struct probe_port *p) { return p->retires; }

static inline struct probe_oir probe_oir_of(uint64_t pc, uint32_t events)
{
    return (struct probe_oir){.pc = pc,
                              .events = events,
                              .mispredicted = (events & PROBE_MISPREDICTED) != 0,
                              .flush = (events & PROBE_FLUSHES) != 0};
}

/* An instruction retires in this cycle: updates `before` and `retired_before` for the next one. */
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

/* A handler occupies the core up to and including this cycle. */
static inline void probe_port_handled(struct probe_port *p, uint64_t last)
{
    p->before = (struct probe_oir){.flush = true};
    p->retired_before = last;
}

/* Whether an observer needs a token that ends in cycle `end`. */
static inline bool probe_port_wants_token(const struct probe_port *p, uint64_t end)
{
    return p->token_from < end || p->merged.count != 0;
}

/* Sends counted cycles to the observers of merged tokens, all of which take them. */
void probe_port_notify_counted(const struct probe_port *p, const struct probe_counted *n);

/* Sends a token to the observers that need it; observers of merged tokens may receive it later. */
void probe_port_token(struct probe_port *p, const struct probe_token *t);
/* The two parts of probe_port_token, for a core that merges tokens itself: the observers of unmerged tokens, and those
 * of merged tokens. */
void probe_port_notify_token(struct probe_port *p, const struct probe_token *t);
void probe_port_notify_merged(struct probe_port *p, const struct probe_token *t);
/* Sends the pending merged token or cycles with commits to the observers of merged tokens. */
void probe_port_flush_token(struct probe_port *p);

/* Sets the OIR and the last commit of a token to the youngest instruction that commits in the cycle, with its events
 * (enum probe_event). */
static inline void probe_note_commit(struct probe_token *t, uint64_t pc, uint32_t events, bool mispredicted,
                                     bool flushes)
{
    t->oir = (struct probe_oir){.pc = pc, .events = events, .mispredicted = mispredicted, .flush = flushes};
    t->last_commit = pc;
    t->last_handler = false;
}

/* Derives the OIR and the last commit of a token without commits from its other members. `events` are those of the
 * oldest instruction, which raises the exception if one fires. */
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
