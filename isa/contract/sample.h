/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profiled instruction on its way from the core to the co-processor, and the contract between the two.
 * The fields come from sample.def. */
#ifndef ISA_CONTRACT_SAMPLE_H
#define ISA_CONTRACT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "isa/contract/event_filter.h"

enum sample_field {
#define FIELD(sym, ...) FIELD_##sym,
#include "isa/contract/sample.def"
    FIELD_COUNT
};

enum sample_group {
#define GROUP(sym, ...) SAMPLE_GROUP_##sym,
#include "isa/contract/sample.def"
    SAMPLE_GROUP_COUNT
};

/* A row GROUP of sample.def. All strings are static. */
struct sample_group_row {
    const char *name, *meaning;
};
extern const struct sample_group_row sample_groups[SAMPLE_GROUP_COUNT];

/* A row FIELD of sample.def. All strings are static. */
struct sample_field_row {
    const char *name;
    uint8_t width_bits;
    enum sample_group group;
    const char *meaning;
    uint32_t classes;         /* a bit for each enum opclass in whose samples the field has a meaning */
    bool flag;                /* 0 or 1: one event */
    bool is_part;             /* of the field `whole`, from its bit `whole_bit` on */
    uint8_t whole, whole_bit; /* enum sample_field; a bit's number */
};
extern const struct sample_field_row sample_fields[FIELD_COUNT];
/* A bit for each enum opclass in whose samples the field has a meaning. */
static inline uint32_t sample_field_classes(enum sample_field f) { return sample_fields[f].classes; }
/* The largest value that fits the field's width: all ones. */
static inline uint64_t sample_field_ones(enum sample_field f)
{
    return UINT64_MAX >> (64 - sample_fields[f].width_bits);
}
/* The field of that name, or -1. */
int sample_find_field(const char *name);

/* A set of fields; all zero is the empty one. */
struct field_set {
    uint64_t word[(FIELD_COUNT + 63) / 64];
};
static inline void field_set_add(struct field_set *s, unsigned f) { s->word[f / 64] |= UINT64_C(1) << f % 64; }
static inline bool field_set_has(const struct field_set *s, unsigned f) { return (s->word[f / 64] >> f % 64 & 1) != 0; }

struct sample {
    enum opclass opclass;
    uint64_t cycle;             /* when it is offered to the sample buffer */
    uint64_t field[FIELD_COUNT]; /* only the wanted ones are meaningful, each within its width */
};

/* The receiving end, which a sampler calls. Cycles never go backwards over the calls of all three functions. About
 * instructions that find the filter closed a sampler need not ask: they are not let through. */
struct sample_sink {
    void *ctx;
    struct field_set wanted;
    struct event_filter *filter; /* borrowed; the sink moves it at any time */
    /* Passes no class, and every instruction from the cycle on in which time is to pass: a sampler that does not ask
     * about each instruction that passes `filter` calls pass_time for each that passes this one. Borrowed, and moved. */
    struct event_filter *due;
    void (*pass_time)(void *ctx, uint64_t cycle);
    /* Do the filters let an instruction of that class at that address through? */
    bool (*accept)(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle);
    void (*deliver)(void *ctx, const struct sample *s);
};

/* The key by which programs and drivers know an instruction: bits 32:1 of its address. */
static inline uint32_t sample_pc32(uint64_t pc) { return (uint32_t)(pc >> 1); }
/* The address a key stands for, below 8 GiB. */
static inline uint64_t sample_pc_of(uint32_t pc32) { return (uint64_t)pc32 << 1; }

#endif
