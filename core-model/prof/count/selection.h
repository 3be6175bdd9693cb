/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's selection of instructions: the Fetched Instruction Counter with its random intervals, and the second
 * instruction of a pair (ProfileMe paper, sections 4.1.1 and 4.2). The owner records the selected instruction: the
 * profiler's Profile Registers, or the co-processor's sampler.
 *
 * The core's sequence numbers serve as the counter: the tagger sets the number of the next selection, so the core does
 * not call it for earlier instructions. With fetch opportunities, the counter counts fetch slots instead, fetch_width
 * per cycle, with or without an instruction.
 *
 * With `by_iid` the selection is that of Westcott and White (ProfileMe paper, section 8): once the counter is zero, the
 * next instruction that is assigned one particular instruction ID (IID) is selected. An instruction's IID is the number
 * of its ROB entry. Entries are assigned cyclically, and reassigned after a squash, so the IID of a retiring
 * instruction is the number of earlier retirements modulo the number of entries.
 *
 * The owner's tag function calls selection_look; if the counter has selected the instruction and the owner can take it
 * as the first of a pair, selection_begin_pair; then selection_go_on. */
#ifndef CORE_MODEL_PROF_COUNT_SELECTION_H
#define CORE_MODEL_PROF_COUNT_SELECTION_H

#include "contract/profileme.h"
#include "core-model/core.h"
#include "core-model/prof/count/geometric.h"

struct selection {
    uint64_t window; /* pairs: maximum distance */
    bool opportunity, by_iid;
    struct geometric intervals;
    struct random random;
    bool begun;      /* the counter has been loaded */
    uint64_t next;   /* next selection: sequence number; or number of the fetch opportunity since first_cycle; or by IID
                      * the first sequence number that may be selected */
    uint64_t second; /* sequence number of the second instruction of the current pair; UINT64_MAX: none */
    uint64_t from_seq;              /* for the tagger: minimum of both */
    uint64_t first_cycle, width;    /* opportunities: first cycle; number per cycle */
    struct event_filter from_cycle; /* opportunities: passes instructions from the cycle of the next selection on */
    uint64_t cycle, place;          /* opportunities: cycle and fetch slot of the last instruction */
    uint64_t iid, entries;          /* by IID: the selected IID; number of ROB entries */
    uint64_t entered;               /* by IID: instructions that have entered the ROB minus those squashed */
    uint64_t useless; /* selections without a sample: opportunities without an instruction; the owner adds instructions
                       * selected by IID that did not retire */
};

/* Role in which an instruction was selected. */
struct selected {
    bool counter; /* by the counter: single, or first of a pair */
    bool second;  /* second of the current pair */
};

/* The choice must be consistent (profileme_objection). */
void selection_init(struct selection *s, const struct profileme_choice *choice, uint64_t seed);
/* Sets the tagger's stage and event filters; the owner sets the other members. By IID the owner must also call
 * selection_squash for instructions at PROBE_SQUASHED, and subscribe to the cycles of PROBE_MAPPED. */
void selection_subscribe(struct selection *s, struct probe_tagger *t);
/* Starts counting opportunities; a warm-up may precede. */
void selection_attach(struct selection *s, struct core *core);

/* To be called when instruction `seq` is fetched in `cycle` or, by IID, enters the ROB. */
struct selected selection_look(struct selection *s, uint64_t seq, uint64_t cycle);
/* Begins a pair with this instruction. Returns the distance to the second one in instructions, at least 1. */
uint64_t selection_begin_pair(struct selection *s, uint64_t seq);
/* By IID: to be called when the instruction is squashed. Its ROB entry, if it has one, will be reassigned. */
void selection_squash(struct selection *s, const struct probe_insn *in);
/* Goes on to the next selection. */
void selection_go_on(struct selection *s, struct selected selected);
/* To be called at the end of the run after `cycle`: counts the opportunities without an instruction. */
void selection_finish(struct selection *s, uint64_t cycle);

#endif
