/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of memoised states. A node is a state between two cycles. Its actions are the effects of the next cycle
 * (effects.h) as a tree: the alternatives of an action are the same effect with other results. Each path ends in a
 * leaf: the length of the cycle, its contribution to the statistics and to observers that count, what it renames, and
 * the next node. Private to core-model/pipe/memo. */
#ifndef CORE_MODEL_PIPE_MEMO_TABLE_H
#define CORE_MODEL_PIPE_MEMO_TABLE_H

#include "core-model/pipe/memo/effects.h"

/* Part of a cycle that is memoised: an effect, a sequence of effects, or the end. */
enum {
    ACTION_RUN = EFFECT_COUNT, /* instructions execute: see action_runs */
    ACTION_STOP,               /* EFFECT_EXECUTE of one that stops fetch */
    ACTION_LOAD,               /* EFFECT_TRANSLATE to EFFECT_ACCESS of a load without obstacle; arg: see load_when */
    ACTION_PACKET, /* EFFECT_FETCH and EFFECT_PORT without a miss, and the run behind them, which may be empty */
    ACTION_END,
    ACTION_REPEAT, /* in no list */
};

struct memo_action {
    uint8_t kind;
    uint16_t at;
    uint32_t arg;
    uint64_t result;
    const struct rv_insn *insn; /* see action_runs */
    struct memo_action *next;   /* NULL: ACTION_END */
    struct memo_action *alternative;
};

/* Instructions renamed in a cycle, in one word: their number, and above it a bit for each opcode class. */
enum { MAPPED_COUNT_BITS = 8 };
_Static_assert(MAPPED_COUNT_BITS + OPCLASS_COUNT <= 32, "all classes have a bit");

struct memo_delta {
    uint32_t statistic, by; /* index in struct core_stats */
};

struct memo_leaf {
    struct memo_action end; /* ACTION_END, by which the leaf is found: see memo_leaf_of. It has no alternative */
    uint64_t visits;        /* since their deltas were added to the statistics */
    struct memo_node *next;
    struct memo_leaf *visited; /* the leaf with visits before it */
    struct memo_delta *delta;  /* behind the deltas: the addresses of struct probe_counted */
    uint64_t dispatch_pc;      /* for the commit tokens, as `empty` to `rob_empty` */
    uint32_t cycles;
    uint32_t mapped;    /* see MAPPED_COUNT_BITS; 0: none */
    uint16_t mapped_at; /* place of the first instruction that is renamed */
    uint8_t deltas, commits, addresses;
    uint8_t empty;
    bool dispatching, stalls, rob_empty, fetches;
    /* Of the first TAGGABLE_MOST instructions that are renamed: bit n: the n-th has a class of tag_classes. The number
     * of others. */
    uint8_t taggable, not_taggable;
    uint32_t tag_classes;
};
enum { TAGGABLE_MOST = 8 };

struct memo_node {
    struct memo_action *first; /* NULL: the next cycle is not known */
    const uint8_t *state;
    uint32_t bytes;
};

/* Allocation from chunks, which are freed together. */
struct memo_part {
    uint8_t *at, *end;
};

/* A fetch packet that a replay has found among the alternatives of a list. After an indirect jump there may be many. */
struct memo_found {
    const struct memo_action *list, *packet;
};

enum { FOUND_BITS = 12 };
enum { STATE_MAX = 1 << 14, MEMO_PATH_MAX = EFFECTS_MAX + 1, MEMO_CREDIT = 1 << 14, MEMO_PAUSE = 1 << 14 };

struct memo {
    bool checks;            /* no replay: what is recorded again must be the same */
    bool plain;             /* the last cycle had no log */
    struct memo_node *node; /* the present state; NULL: not known */
    struct memo_place {
        uint64_t hash;
        struct memo_node *node;
    } * place;            /* owned; hash table with open addressing */
    uint32_t *used_place; /* owned; the indices in it of all nodes */
    uint32_t places, used_places, most_places;
    uint8_t *chunk; /* owned; memory of all chunks */
    uint32_t chunks, used_chunks;
    struct memo_part hot, cold; /* data that each replay reads; other data */
    struct memo_leaf *visited;
    uint64_t discards;          /* of decoded code, as of the last recording */
    int64_t credit;             /* cycles that may be recorded, at most MEMO_CREDIT */
    uint32_t pause, pause_left; /* cycles without recording for lack of credit, from MEMO_PAUSE on */
    struct memo_counts counts;
    struct core_stats before; /* the cycle that is recorded */
    struct effect_log log;
    struct outstanding_misses misses;
    uint32_t order[RING_MAX]; /* by ring index: number of its event, in the order in which they were added */
    uint32_t next_order;
    uint8_t state[STATE_MAX];
    const struct memo_action *path[MEMO_PATH_MAX]; /* of a cycle that a replay leaves */
    struct memo_found found[1 << FOUND_BITS];      /* by list and address: see memo_found_at */
};

/* The place for the packet at pc of the list. */
static inline struct memo_found *memo_found_at(struct memo *m, const struct memo_action *list, uint64_t pc)
{
    const uint64_t key = (uintptr_t)list ^ pc << 24;
    return &m->found[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FOUND_BITS)];
}

static inline void memo_fill_credit(struct memo *m)
{
    m->credit = MEMO_CREDIT;
    m->pause = m->pause_left = MEMO_PAUSE;
}

static inline struct memo_leaf *memo_leaf_of(const struct memo_action *end) { return (struct memo_leaf *)end; }

/* The cycle and the store queue's size of a load's ACTION_LOAD, from its arg. */
enum { LOAD_WHEN_BITS = 16 };
static inline uint32_t load_when(const struct memo_action *a) { return a->arg & ((1u << LOAD_WHEN_BITS) - 1); }
static inline uint32_t load_stores(const struct memo_action *a) { return a->arg >> LOAD_WHEN_BITS; }

/* Whether the action stands for several effects, which are in the list apart, too. */
static inline bool action_is_whole(const struct memo_action *a)
{
    return a->kind == ACTION_LOAD || a->kind == ACTION_PACKET;
}

/* Whether instructions execute in the action: `arg` of them, the first of which is *insn. One that may be deferred
 * (front_defers) is the first of an ACTION_RUN. */
static inline bool action_runs(const struct memo_action *a)
{
    return a->kind == ACTION_RUN || a->kind == ACTION_PACKET;
}

/* Whether cycles with a ROB that is empty for this reason (enum empty_cause) can be counted: time without such a reason
 * is attributed to the instruction that enters the ROB next. */
static inline bool memo_counts_empty(uint8_t empty) { return empty == EMPTY_MISPREDICT || empty == EMPTY_FLUSH; }

/* Whether observers let the next cycle be replayed. It changes with each call of an observer. */
static inline bool memo_is_permitted(const struct ooo *c)
{
    return c->now < c->interrupt.due && c->now < c->port.token_from && (!c->port.watches || c->memo->checks);
}
/* Cycles that begin before this one can be replayed if observers permit it; 0: none. */
static inline uint64_t memo_end(const struct ooo *c)
{
    enum { CYCLES_MOST = 1 << 10 }; /* a run may be stopped at any time */
    const uint64_t insts = c->limit - c->retired, cycles = insts / c->cfg.commit_width;
    if (c->until == UINT64_MAX && c->front.hart->stop)
        return 0;
    const uint64_t end = c->now + (cycles < CYCLES_MOST ? cycles : CYCLES_MOST);
    return end < c->until ? end : c->until;
}
/* Whether the next cycle can be replayed. */
static inline bool memo_applies(const struct ooo *c) { return c->now < memo_end(c) && memo_is_permitted(c); }
/* Simulates a cycle in the stages, and records it; with `again` set, the log has the effects of its replay. */
void memo_record(struct ooo *c, bool again);
/* Replays cycles from the node's state on, as long as they are known. The next one is, and can be replayed. Then the
 * pipeline is in the stages again. */
void memo_replay(struct ooo *c);

#endif
