/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest on a core with exact counts of its instructions and of its transfers of control, for the experiments on
 * analyses of profiles. */
#ifndef TESTS_EVAL_EXPERIMENTS_DCPI_RUN_H
#define TESTS_EVAL_EXPERIMENTS_DCPI_RUN_H

#include "core-model/core.h"
#include "core-model/prof/observers.h"
#include "host/analysis/code_graph.h"
#include "host/symbols/symbols.h"

/* Counts by address, or by pair of addresses, of any number of places. */
struct dcpi_counts {
    struct dcpi_count {
        uint64_t pc, next; /* next: 0 if the count is of an instruction */
        uint64_t count;
    } * row; /* hash table; count 0: free */
    size_t rows, used;
};

void dcpi_counts_add(struct dcpi_counts *c, uint64_t pc, uint64_t next, uint64_t count);
uint64_t dcpi_counts_get(const struct dcpi_counts *c, uint64_t pc, uint64_t next);

struct dcpi_run {
    struct guest guest;
    struct core *core;
    struct core_config cfg;
    struct observers *set;
    struct symbols *symbols;
    struct dcpi_counts insn, transfer; /* transfer: every retired instruction that is not followed by the next one, and
                                        * every conditional branch */
    struct dcpi_counts imiss; /* exact: misses of the instruction cache, by the first instruction fetched after */
    uint64_t cycles, retired;
    uint64_t missed; /* 1 + the line of the last miss; 0: the last instruction had none */
    bool weighted;   /* the samples of time have weights */
};

/* Runs the guest of argv[0] with its arguments on the configured core, up to `most` instructions, under the observers
 * of `profile` ("": none). Errors end the program with a message. */
struct dcpi_run *dcpi_run(char *const *argv, const struct core_config *cfg, const char *profile, uint64_t most);
void dcpi_run_free(struct dcpi_run *r);

/* The graph of the guest's program, resolved. */
struct code_graph *dcpi_graph(struct dcpi_run *r);

#endif
