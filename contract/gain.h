/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the removal of causes of delay gains, by instruction: cycles of runs with these instructions idealised. */
#ifndef CONTRACT_GAIN_H
#define CONTRACT_GAIN_H

#include "contract/code.h"

struct gain_row {
    uint64_t pc;          /* of the instruction, or the first one of `asked` */
    const char *asked;    /* the place, as the user has named it; NULL: the profiles have chosen the instruction */
    bool is_one;          /* of one instruction */
    const char *removed;  /* the causes, "dtlb+l1d" */
    double time, stalled; /* shares of the run's cycles: the instruction's, and those in which nothing committed */
    double estimated;     /* share that the graph of dependences estimates; NaN: none */
    bool is_known;        /* the run has ended as the others */
    uint64_t cycles;      /* of the run without these causes */
};

struct gain_result {
    struct gain_row *row; /* the largest gain first, unknown ones last */
    unsigned rows;
    uint64_t base;     /* cycles of the run that nothing is removed from; 0: unknown */
    uint64_t together; /* of the run without any of the causes; 0: unknown */
    struct code code;
};

/* Share of the cycles that is gained. */
static inline double gain_share(const struct gain_result *g, uint64_t cycles)
{
    return 1 - (double)cycles / (double)g->base;
}

#endif
