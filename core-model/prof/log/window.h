/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window of a run for logs: selects the instructions that are fetched while it is open. */
#ifndef CORE_MODEL_PROF_WINDOW_H
#define CORE_MODEL_PROF_WINDOW_H

#include "base/status.h"
#include "core-model/probe/probe.h"

enum window_kind {
    WINDOW_ALL,
    WINDOW_CYCLES, /* cycles [from, to) */
    WINDOW_INSTS,  /* while the number of retired instructions is in [from, to) */
    WINDOW_PC,     /* opened by the first fetch of pc `from`; closed `to` fetched instructions later */
};

struct window {
    enum window_kind kind;
    uint64_t from, to;
    /* State; initially zero. */
    bool open, over;
    uint64_t retired;
    uint64_t taken;               /* instructions */
    uint64_t first_seq, last_seq; /* sequence numbers of the first and last selected instruction; 0: none */
};

/* Parses "cycles:FROM-TO", "insts:FROM-TO", or PLACE[:COUNT]: COUNT instructions (default 1000) from the first fetch of
 * PLACE on, an address or a name that `resolve` (with ctx) resolves. */
enum status window_parse(struct window *w, const char *text, bool (*resolve)(void *ctx, const char *name, uint64_t *pc),
                         void *ctx, struct errmsg *err) MUST_USE;

/* Returns whether the window selects the instruction just fetched. To be called once per instruction. */
bool window_takes(struct window *w, const struct probe_insn *in, uint64_t cycle);
/* To be called at each retirement. */
static inline void window_retires(struct window *w) { w->retired++; }
/* Returns whether the instruction was selected. */
static inline bool window_has(const struct window *w, uint64_t seq)
{
    return seq >= w->first_seq && seq <= w->last_seq;
}

#endif
