/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of a run for logs: it takes the instructions that are fetched while it is open, each up to its end. */
#ifndef CORE_MODEL_PROF_WINDOW_H
#define CORE_MODEL_PROF_WINDOW_H

#include "core-model/probe.h"
#include "isa/support/status.h"

enum window_kind {
    WINDOW_ALL,
    WINDOW_CYCLES, /* from cycle `from` up to, not including, `to` */
    WINDOW_INSTS,  /* while between `from` and `to` instructions have retired */
    WINDOW_PC,     /* opened by the first fetch of pc `from`; closed `to` fetched instructions later */
};

struct window {
    enum window_kind kind;
    uint64_t from, to;
    /* How it stands; zero at first. */
    bool open, over;
    uint64_t retired;
    uint64_t taken;               /* instructions */
    uint64_t first_seq, last_seq; /* of those taken, which are all between them; 0: none */
};

/* Reads "cycles:FROM-TO", "insts:FROM-TO", or PLACE or PLACE:COUNT for COUNT instructions (1000) from the first at
 * PLACE on, which is an address or what `resolve` (with ctx) knows the address of. */
enum status window_parse(struct window *w, const char *text, bool (*resolve)(void *ctx, const char *name, uint64_t *pc),
                         void *ctx, struct errmsg *err) MUST_USE;

/* Does the window take the instruction just fetched? To be asked once about each. */
bool window_takes(struct window *w, const struct probe_insn *in, uint64_t cycle);
/* An instruction has retired: to be told about each. */
static inline void window_retires(struct window *w) { w->retired++; }
/* Is it one of those taken? */
static inline bool window_has(const struct window *w, uint64_t seq)
{
    return seq >= w->first_seq && seq <= w->last_seq;
}

#endif
