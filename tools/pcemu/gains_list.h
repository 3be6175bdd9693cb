/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which questions --gain asks: those of a file, or the number of the most promising ones. */
#ifndef TOOLS_PCEMU_GAINS_LIST_H
#define TOOLS_PCEMU_GAINS_LIST_H

#include "contract/families.h"
#include "contract/gain.h"
#include "tools/pcemu/idealise.h"

/* A question: what is removed together. */
struct gains_asked {
    uint64_t pc;        /* of the instruction, or of the first one of a place; 0: all instructions */
    uint32_t causes;    /* enum ideal_cause */
    struct ideal *code; /* owned: the instructions without these causes */
    bool is_one;        /* of one instruction */
    const char *places; /* as the user has written them, part of the list; NULL: chosen by the profiles */
    unsigned line;      /* of the file */
};

struct gains_list {
    uint64_t most;    /* number of questions, if they are chosen */
    const char *path; /* the file; NULL: none */
    char *text;       /* its contents, in which lines have become strings */
    struct gains_asked *asked;
    size_t count;
};

/* Reads the option's argument, and the file that it names; exits on error. */
void gains_list_read(struct gains_list *l, const char *argument);
void gains_list_free(struct gains_list *l);
/* Finds the places of the file's questions; exits on error. */
void gains_list_place(struct gains_list *l, struct target *t);
/* Chooses the questions, unless they are the file's: the largest gains by the graph of dependences, then the
 * instructions that stall the run most; in order, those for whose results these wait, too.
 */
void gains_list_choose(struct gains_list *l, const struct time_result *time, const struct graph_result *graph,
                       bool in_order);

/* The exact profile of time; NULL: none. */
const struct time_profile *gains_exact(const struct time_result *time);
/* The part of an instruction's time in which nothing commits, and no handler runs. */
uint64_t gains_stalled(const struct time_row *r);

#endif
