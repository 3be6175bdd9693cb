/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lookahead: a lower bound on the cycles until the next possible interrupt. Until then the filters do not change, so
 * the core queries them and delivers samples without synchronising with the co-processor, which lags behind and
 * executes words in batches. */
#ifndef EMU_LOOKAHEAD_H
#define EMU_LOOKAHEAD_H

#include "emu/ready.h"

enum { LOOKAHEAD_FOREVER = 0xff };

/* An index register that must reach the end of its range before an interrupt is possible. */
struct guard {
    uint8_t reg;
    bool up;       /* it counts upwards */
    uint8_t apart; /* least number of words from step to step; LOOKAHEAD_FOREVER: there is no second step */
};

struct lookahead {
    uint64_t until; /* core cycle up to which the co-processor cannot interrupt */
    uint64_t idle;  /* while it waits for a sample: words from the first one for that sample on, of which only the last
                     * can interrupt; else UINT64_MAX */
    bool known;     /* are the following members valid? */
    uint8_t words[READY_WORDS]; /* from each word on, itself included, of which only the last can interrupt */
    unsigned guards;
    struct guard guard[2 * ISA_INDEXES];
};

struct cop;
/* Finds the next lookahead.until, at the cycle that the co-processor has reached. */
void lookahead_update(struct cop *c);
/* A sample has been delivered in that core cycle to a co-processor that waited for one: lookahead.idle is not
 * UINT64_MAX. */
void lookahead_end_idle(struct cop *c, uint64_t cycle);
/* After a change of state from outside: the bound is computed anew before it is used. */
void lookahead_invalidate(struct cop *c);

#endif
