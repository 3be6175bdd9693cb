/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Profile Registers of one sampled instruction (ProfileMe paper, section 4.1.3), and the metrics that software
 * derives from those of a pair (section 5.2). The record has every field of the RISC-V draft for instruction sampling
 * (Smpdis) that the model can provide; the paper's names take precedence. */
#ifndef CONTRACT_PROFILEME_H
#define CONTRACT_PROFILEME_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/opclass.h"

/* Selection of instructions (sections 4.1 and 4.2), from the options of --profile and --sampler. */
struct profileme_choice {
    uint64_t period; /* in instructions or fetch opportunities; at least 2 */
    uint64_t window; /* window of pairs in instructions; 0: not given */
    bool pair;
    bool opportunity; /* the period counts fetch opportunities */
    bool by_iid;      /* selects the next instruction with IID `iid`, as Westcott and White do (section 8) */
    uint64_t iid;     /* number of a ROB entry */
};
enum { PROFILEME_WINDOW = 256 }; /* default window, limited by the period */

/* Describes an inconsistency of the options in one line; NULL: none. */
const char *profileme_objection(const struct profileme_choice *c);
/* Maximum fetch distance of a pair: as given, else PROFILEME_WINDOW but at most the period. */
uint64_t profileme_window(const struct profileme_choice *c);

enum profileme_latency {
#define LATENCY(from, to, name, draft, meaning) LATENCY_##from##_##to,
#include "contract/profileme.def"
    LATENCY_COUNT
};

enum profileme_phase {
#define PHASE(symbol, from, to, cycles, name) PHASE_##symbol,
#include "contract/profileme.def"
    PHASES
};

/* Bits of profileme_record.flags: properties that are not events of the core. */
enum {
    PROFILEME_RETIRED = 1 << 0, /* otherwise squashed (FLUSHED in the draft); `cause` is the reason */
    /* The preceding retired instruction was mispredicted, flushed the pipeline, or had an exception, so the retire
     * delay begins with the time in which the ROB was empty. */
    PROFILEME_BEHIND_MISPREDICTED = 1 << 1,
    PROFILEME_BEHIND_FLUSH = 1 << 2,
    PROFILEME_BEHIND_EXCEPTION = 1 << 3,
    /* Reads or writes memory; together with `opclass`: TYPE in the draft. */
    PROFILEME_READS = 1 << 4,
    PROFILEME_WRITES = 1 << 5,
};

struct profileme_record {
    uint64_t pc;       /* Profiled PC Register */
    uint64_t address;  /* Profiled Address Register: effective address of a load or store; target of a jump or taken
                        * branch; otherwise, and in the replay of a recording without values, 0 */
    uint64_t time;     /* fetch cycle */
    uint64_t offender; /* address of the preceding retired instruction; 0: none, or in a handler */
    uint64_t path;     /* Profiled Path Register: global branch history at its fetch, youngest in bit 0 */
    uint32_t events;   /* Profiled Event Register: the bits of core-model/probe/probe.def */
    uint32_t passed;   /* bit mask of the stages passed (core-model/probe/probe.def) */
    uint32_t latency[LATENCY_COUNT]; /* cycles */
    uint32_t retire_delay; /* cycles from the preceding retirement to its own (inum retire delay of the 21264A); 0
                            * unless retired */
    uint32_t oldest;       /* of `retire_delay`: cycles in which it was in flight (OLDEST in the draft) */
    uint8_t opclass;       /* enum opclass */
    uint8_t cause;         /* cause of the squash (core-model/probe/probe.def); 0 if retired */
    uint8_t flags;
};

static inline bool profileme_retired(const struct profileme_record *r) { return (r->flags & PROFILEME_RETIRED) != 0; }

/* The relations of rows PAIR(...) of countprof.def between `i` and `other`. `later`: cycles from the fetch of i to that
 * of other; negative if other was fetched first. */

/* Useful overlap (section 5.2.3): other issues while i is in progress, and retires. i is in progress from its fetch
 * until it is ready to retire; never if it was squashed before. */
static inline bool profileme_useful_overlap(const struct profileme_record *i, const struct profileme_record *other,
                                            int64_t later)
{
    int64_t issues = later + other->latency[LATENCY_FETCHED_ISSUED];
    return profileme_retired(other) && other->latency[LATENCY_FETCHED_ISSUED] != 0 && issues >= 0 &&
           issues < (int64_t)i->latency[LATENCY_FETCHED_READY_TO_RETIRE];
}

/* other retires while i is in flight: from the fetch of i up to, but not including, its retirement. */
static inline bool profileme_retires_beside(const struct profileme_record *i, const struct profileme_record *other,
                                            int64_t later)
{
    int64_t retires = later + other->latency[LATENCY_FETCHED_RETIRED];
    return profileme_retired(i) && profileme_retired(other) && retires >= 0 &&
           retires < (int64_t)i->latency[LATENCY_FETCHED_RETIRED];
}

/* Both retire, at most `cycles` cycles apart (section 5.2.4). */
static inline bool profileme_retires_near(const struct profileme_record *i, const struct profileme_record *other,
                                          int64_t later, int64_t cycles)
{
    int64_t apart = later + other->latency[LATENCY_FETCHED_RETIRED] - (int64_t)i->latency[LATENCY_FETCHED_RETIRED];
    return profileme_retired(i) && profileme_retired(other) && apart <= cycles && -apart <= cycles;
}

/* Half-open interval of cycles [from, to). */
struct profileme_span {
    int64_t from, to;
};

/* Length of the intersection in cycles. */
static inline uint64_t profileme_overlap(struct profileme_span a, struct profileme_span b)
{
    int64_t from = a.from > b.from ? a.from : b.from, to = a.to < b.to ? a.to : b.to;
    return to > from ? (uint64_t)(to - from) : 0;
}

/* The interval of each phase, in cycles since the instruction's fetch. */
static inline void profileme_phases(const struct profileme_record *r, struct profileme_span span[PHASES])
{
#define PHASE(symbol, start, end, cycles, name)                                                   \
    span[PHASE_##symbol] = (struct profileme_span){r->latency[LATENCY_FETCHED_##start],           \
                                                   (int64_t)r->latency[LATENCY_FETCHED_##start] + \
                                                       r->latency[LATENCY_##start##_##end]};
#include "contract/profileme.def"
}

/* The relations of rows TOGETHER(own, others) of countprof.def: number of cycles in which i was in phase `own` and
 * other, which retires, in phase `others`. */
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

/* Name of a phase, e.g. "queued" for PHASE_QUEUED. */
const char *profileme_phase_name(enum profileme_phase p);

#endif
