/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Profile Registers of one sampled instruction (ProfileMe paper, section 4.1.3), and what software reads from those
 * of a pair (section 5.2). It has every field of the record of the RISC-V draft for instruction sampling (Smpdis) for
 * which the model has a value, under other names where the paper has names. */
#ifndef ISA_CONTRACT_PROFILEME_H
#define ISA_CONTRACT_PROFILEME_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/opclass.h"

/* How instructions are selected (sections 4.1 and 4.2), as --profile and --sampler have it in their options. */
struct profileme_choice {
    uint64_t period; /* instructions or opportunities: 2 or more */
    uint64_t window; /* of pairs, instructions: as given; 0: not given */
    bool pair;
    bool opportunity; /* the period counts places of the fetch stage */
    bool by_iid;      /* the next instruction with the number `iid` is selected: Westcott and White (section 8) */
    uint64_t iid;     /* number of a ROB entry */
};
enum { PROFILEME_WINDOW = 256 }; /* if it is not given, and the period is not smaller */

/* Says what does not go together, in one line, or NULL. */
const char *profileme_objection(const struct profileme_choice *c);
/* The largest fetch distance of a pair's second instruction: as given, else PROFILEME_WINDOW, at most the period. */
uint64_t profileme_window(const struct profileme_choice *c);

enum profileme_latency {
#define LATENCY(from, to, name, draft, meaning) LATENCY_##from##_##to,
#include "isa/contract/profileme.def"
    LATENCY_COUNT
};

enum profileme_phase {
#define PHASE(symbol, from, to, cycles, name) PHASE_##symbol,
#include "isa/contract/profileme.def"
    PHASES
};

/* What is not an event of the core: bits of profileme_record.flags. */
enum {
    PROFILEME_RETIRED = 1 << 0, /* else FLUSHED of the draft: `cause` is the reason */
    /* The youngest instruction that retired before it was mispredicted, flushed the pipeline, or had an exception:
     * its retire delay begins with the time in which the ROB was empty. */
    PROFILEME_BEHIND_MISPREDICTED = 1 << 1,
    PROFILEME_BEHIND_FLUSH = 1 << 2,
    PROFILEME_BEHIND_EXCEPTION = 1 << 3,
    /* Reads and writes memory: TYPE of the draft, with `opclass`. */
    PROFILEME_READS = 1 << 4,
    PROFILEME_WRITES = 1 << 5,
};

struct profileme_record {
    uint64_t pc;       /* Profiled PC Register */
    uint64_t address;  /* Profiled Address Register: of a load or store its effective address; of a jump or taken
                        * branch the target; else 0, as in the replay of a recording without values */
    uint64_t time;     /* cycle of its fetch */
    uint64_t offender; /* address of the youngest instruction that retired before it; 0: none, or a handler's */
    uint64_t path;     /* Profiled Path Register: global branch history at its fetch, youngest in bit 0 */
    uint32_t events;   /* Profiled Event Register: the bits of core-model/probe.def */
    uint32_t passed;   /* a bit for each stage of core-model/probe.def */
    uint32_t latency[LATENCY_COUNT]; /* cycles */
    uint32_t retire_delay; /* cycles from the retirement of the instruction before it to its own (the 21264A's inum
                            * retire delay); 0 unless it has retired */
    uint32_t oldest;       /* of these the cycles in which it was in flight: OLDEST of the draft */
    uint8_t opclass;       /* enum opclass */
    uint8_t cause;         /* why it was squashed, of core-model/probe.def; 0 if it has retired */
    uint8_t flags;
};

static inline bool profileme_retired(const struct profileme_record *r) { return (r->flags & PROFILEME_RETIRED) != 0; }

/* The relations of rows PAIR(...) of countprof.def: does `other` stand in it to `i`? `later` is the number of cycles
 * from the fetch of i to that of the other, negative if the other one was fetched first. */

/* The other one issues while i is in progress, from its fetch until it is ready to retire, and retires (section
 * 5.2.3). An instruction that was squashed before it was ready to retire was not in progress. */
static inline bool profileme_useful_overlap(const struct profileme_record *i, const struct profileme_record *other,
                                            int64_t later)
{
    int64_t issues = later + other->latency[LATENCY_FETCHED_ISSUED];
    return profileme_retired(other) && other->latency[LATENCY_FETCHED_ISSUED] != 0 && issues >= 0 &&
           issues < (int64_t)i->latency[LATENCY_FETCHED_READY_TO_RETIRE];
}

/* The other one retires while i is in flight: from its fetch up to, not including, the cycle in which it retires. */
static inline bool profileme_retires_beside(const struct profileme_record *i, const struct profileme_record *other,
                                            int64_t later)
{
    int64_t retires = later + other->latency[LATENCY_FETCHED_RETIRED];
    return profileme_retired(i) && profileme_retired(other) && retires >= 0 &&
           retires < (int64_t)i->latency[LATENCY_FETCHED_RETIRED];
}

/* Both retire, at most so many cycles from each other (section 5.2.4). */
static inline bool profileme_retires_near(const struct profileme_record *i, const struct profileme_record *other,
                                          int64_t later, int64_t cycles)
{
    int64_t apart = later + other->latency[LATENCY_FETCHED_RETIRED] - (int64_t)i->latency[LATENCY_FETCHED_RETIRED];
    return profileme_retired(i) && profileme_retired(other) && apart <= cycles && -apart <= cycles;
}

/* Cycles from `from` on and before `to`; none if they are equal. */
struct profileme_span {
    int64_t from, to;
};

/* In how many cycles of the one span is the other, too? */
static inline uint64_t profileme_overlap(struct profileme_span a, struct profileme_span b)
{
    int64_t from = a.from > b.from ? a.from : b.from, to = a.to < b.to ? a.to : b.to;
    return to > from ? (uint64_t)(to - from) : 0;
}

/* When the instruction was in each phase, in cycles from its fetch on. */
static inline void profileme_phases(const struct profileme_record *r, struct profileme_span span[PHASES])
{
#define PHASE(symbol, start, end, cycles, name)                                                   \
    span[PHASE_##symbol] = (struct profileme_span){r->latency[LATENCY_FETCHED_##start],           \
                                                   (int64_t)r->latency[LATENCY_FETCHED_##start] + \
                                                       r->latency[LATENCY_##start##_##end]};
#include "isa/contract/profileme.def"
}

/* The relations of rows TOGETHER(own, others) of countprof.def: in how many cycles was i in the phase `own` while the
 * other one, which retires, was in the phase `others`? */
static inline uint64_t profileme_together(const struct profileme_record *i, enum profileme_phase own,
                                          const struct profileme_record *other, enum profileme_phase others,
                                          int64_t later)
{
    struct profileme_span mine[PHASES], theirs[PHASES];
    if (!profileme_retired(other))
        return 0;
    profileme_phases(i, mine);
    profileme_phases(other, theirs);
    struct profileme_span moved = {theirs[others].from + later, theirs[others].to + later};
    return profileme_overlap(mine[own], moved);
}

/* "queued" for PHASE_QUEUED. */
const char *profileme_phase_name(enum profileme_phase p);

/* "fetch-map" for LATENCY_FETCHED_MAPPED; its name in the draft, or ""; its meaning. */
const char *profileme_latency_name(enum profileme_latency l);
const char *profileme_latency_draft(enum profileme_latency l);
const char *profileme_latency_meaning(enum profileme_latency l);

#endif
