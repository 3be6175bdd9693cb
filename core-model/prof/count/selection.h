/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's selection of instructions: the Fetched Instruction Counter with its random intervals, and the second
 * instruction of a pair (ProfileMe paper, sections 4.1.1 and 4.2). What happens to a selected instruction is its
 * owner's: the profiler's Profile Registers, or the co-processor's sampler.
 *
 * The core's fetch numbers are the counter: the tagger names the number that it waits for, so the core calls it for no
 * instruction before that. Where opportunities are counted the counter counts places of the fetch stage instead,
 * fetch_width in each cycle, whether or not they hold an instruction.
 *
 * With `by_iid` the selection is that of Westcott and White (ProfileMe paper, section 8): once the counter is zero, the
 * next instruction that is assigned one particular instruction ID (IID) is selected. An instruction's IID is the number
 * of its ROB entry. Entries are assigned in turn, and those of squashed instructions again, so an instruction that
 * retires has the number of instructions that retire before it, modulo the entries.
 *
 * The owner's tag function calls selection_look; if the counter has selected the instruction and the owner can take it
 * as the first of a pair, selection_begin_pair; then selection_go_on. */
#ifndef CORE_MODEL_PROF_COUNT_SELECTION_H
#define CORE_MODEL_PROF_COUNT_SELECTION_H

#include "core-model/core.h"
#include "core-model/prof/count/geometric.h"
#include "isa/contract/profileme.h"

struct selection {
    uint64_t window; /* of pairs: the largest distance */
    bool opportunity, by_iid;
    struct geometric intervals;
    struct random random;
    bool begun;        /* the counter has been loaded */
    uint64_t next;     /* what the counter waits for: a fetch number, or that of an opportunity since first_cycle; by
                        * IID the first fetch number that may be selected */
    uint64_t second;   /* fetch number of the second instruction of the pair that has begun; UINT64_MAX: none */
    uint64_t from_seq; /* the tagger's: the earlier one of both */
    uint64_t first_cycle, width;    /* opportunities: the first cycle, and how many each cycle has */
    struct event_filter from_cycle; /* opportunities: passes instructions from the selected one's cycle on */
    uint64_t cycle, place;          /* of the last instruction seen, where opportunities are counted */
    uint64_t iid, entries;          /* by IID: the one that is selected; number of ROB entries */
    uint64_t entered;               /* by IID: instructions that have entered the ROB, less those squashed since */
    uint64_t useless;               /* selections without a sample: opportunities that had no instruction; the owner
                                     * adds instructions that were selected by IID and did not retire */
};

/* What an instruction has been selected as. */
struct selected {
    bool counter; /* by the counter: alone, or as the first of a pair */
    bool second;  /* as the second of the pair that has begun */
};

/* The choice is one without objection. */
void selection_init(struct selection *s, const struct profileme_choice *choice, uint64_t seed);
/* Fills the tagger's stage and what the core tests before it calls; the owner fills the rest. By IID the owner also
 * calls selection_squash for instructions at PROBE_SQUASHED, and subscribes to the cycles of PROBE_MAPPED. */
void selection_subscribe(struct selection *s, struct probe_tagger *t);
/* Opportunities count from here: there may have been a warm-up. */
void selection_attach(struct selection *s, struct core *core);

/* The instruction with that fetch number is fetched in that cycle; by IID it enters the ROB. */
struct selected selection_look(struct selection *s, uint64_t seq, uint64_t cycle);
/* The instruction is the first of a pair. Returns the distance of the second: instructions, 1 or more. */
uint64_t selection_begin_pair(struct selection *s, uint64_t seq);
/* By IID: the instruction is squashed. Its ROB entry, if it has one, is assigned again. */
void selection_squash(struct selection *s, const struct probe_insn *in);
/* Goes on to the next selection. */
void selection_go_on(struct selection *s, struct selected selected);
/* The run ends after that cycle: counts the opportunities that had no instruction. */
void selection_finish(struct selection *s, uint64_t cycle);

#endif
