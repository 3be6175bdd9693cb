/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Directed micro-tests: for each key of core-model/config/config.def, what a small program or a few accesses must take,
 * worked out by hand.
 *
 * A row names a key and some of its values, and gives two functions: one measures a figure, the other computes it from
 * the configuration. They must agree at each value, and the figure must not be the same at all of them: a row that
 * passes shows that the key does what the formula says. Where a key has no effect on a core, a row says so (`inert`)
 * and why.
 *
 * The machine of a row is wide open (micro_base); `set` closes what it must, and the key is what the figure depends on.
 * test_micro fails where a key that a core reads is in no row: see main.c. */
#ifndef TESTS_MICRO_MICRO_H
#define TESTS_MICRO_MICRO_H

#include "tests/unit/pipe_guest.h"

/* Arguments of a row's functions. */
struct micro {
    struct core_config cfg;
    unsigned kind; /* of the row: enum rv_unit, where it is about one */
};

enum micro_core {
    MICRO_OOO = 1,
    MICRO_INORDER = 2,
    MICRO_BOTH = 3,
    MICRO_SHARED = 4, /* of a structure that the cores share, tested without one */
};

struct micro_row {
    const char *key;
    enum micro_core core;
    bool inert;
    unsigned kind;
    uint32_t values, value[4];
    void (*set)(struct micro *m); /* NULL: the open machine */
    uint64_t (*measure)(const struct micro *m);
    uint64_t (*expect)(const struct micro *m);
};
#define VALUES(...) .values = sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), .value = {__VA_ARGS__}

struct micro_table {
    const char *name;
    const struct micro_row *row;
    unsigned rows;
};
extern const struct micro_table micro_front_end, micro_window, micro_units, micro_order, micro_caches, micro_memory,
    micro_predictors;
#define MICRO_TABLE(name, rows) const struct micro_table micro_##name = {#name, rows, sizeof(rows) / sizeof(rows)[0]}

/* The configuration's row for a kind of function unit. */
struct micro_unit {
    uint32_t units, cycles, pipelined;
};
struct micro_unit micro_unit_of(const struct core_config *cfg, unsigned kind);

static inline bool micro_inorder(const struct micro *m) { return m->cfg.core == 1; }

/* ---- scenes: a program whose body runs MICRO_ROUNDS times; what is measured is its last round, when caches and
 * predictors are warm. Each round begins with an instruction that is alone in the pipeline, and the body with a 64-byte
 * block. ---- */
enum { MICRO_ROUNDS = 3, MICRO_BLOCK_WORDS = 16 };

struct scene {
    const struct micro *m;
    struct program p;
    uint32_t body;   /* words: where the body begins */
    uint32_t gate;   /* the gate's load */
    uint32_t opened; /* what makes the value that the gate's dependents wait for */
    uint32_t ops;    /* what follows the gate */
    uint32_t count;  /* of ops */
    struct run *run;
};

/* Runs the scene with that body. The caller calls scene_free. */
struct scene *scene_run(const struct micro *m, void (*body)(struct scene *s));
void scene_free(struct scene *s);
/* The cycle at which the instruction at a word passed the stage, in the last round. */
uint64_t scene_at(const struct scene *s, uint32_t word, enum probe_stage stage);
/* Of the ops, how many passed the stage before the gate's datum was there? */
uint64_t scene_before_gate(const struct scene *s, enum probe_stage stage);

/* A load that misses to memory into T1, and T1 + S2, which is a pointer to a word in the L1 cache, into T1; where the
 * row's kind is one of floating point, that also goes to GATE_FP. Whoever reads these waits for memory. */
enum { GATE_FP = 10, READY_FP = 2 };
void scene_gate(struct scene *s);
/* Operations of the row's kind that wait for the gate and for nothing else; or that wait for nothing; or that wait for
 * each other. */
void scene_dependent(struct scene *s, uint32_t n);
void scene_independent(struct scene *s, uint32_t n);
void scene_chain(struct scene *s, uint32_t n);
/* Instructions that need a place in the ROB, and no register. */
void scene_nops(struct scene *s, uint32_t n);

#endif
