/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lookahead: a lower bound on the cycles until the next possible interrupt. Until then the filters do not change, so
 * the core queries them and delivers samples without synchronising with the co-processor, which lags behind and
 * executes words in batches. */
#ifndef EMU_LOOKAHEAD_H
#define EMU_LOOKAHEAD_H

#include "emu/predecode.h"

enum { LOOKAHEAD_FOREVER = 0xff };

/* Guard: an index register that must reach the end of its range before an interrupt is possible. */
struct guard {
    uint8_t reg;
    bool up;          /* counts upwards */
    uint8_t interval; /* minimum number of words from step to step; LOOKAHEAD_FOREVER: no second step */
};

struct lookahead {
    uint64_t until; /* core cycle before which the co-processor cannot interrupt */
    uint64_t idle;  /* while waiting for a sample: minimum number of words of that sample up to and including one that
                     * can interrupt; else UINT64_MAX */
    bool known;     /* the following members are valid */
    uint8_t words[DECODED_WORDS]; /* for each word: minimum number of words from it up to and including one that can
                                   * interrupt */
    unsigned guards;
    struct guard guard[2 * ISA_INDEXES];
};

struct cop;
/* Computes lookahead.until from the state in the cycle that the co-processor has reached. */
void lookahead_update(struct cop *c);
/* A sample was delivered in core cycle `cycle` to a waiting co-processor, for which lookahead.idle is not
 * UINT64_MAX. */
void lookahead_end_idle(struct cop *c, uint64_t cycle);
/* To be called after a change of state from outside: the bound is recomputed before its next use. */
void lookahead_invalidate(struct cop *c);

#endif
