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

/* How a field follows from others of the same sample: see the sources of that name in sample.def. */
enum sample_rule { SAMPLE_RULE_NONE, SAMPLE_RULE_PART, SAMPLE_RULE_LOW, SAMPLE_RULE_HASH, SAMPLE_RULE_BEHIND };

/* A row FIELD of sample.def. All strings are static. */
struct sample_field_row {
    const char *name;
    uint8_t width_bits;
    enum sample_group group;
    const char *meaning;
    uint32_t classes; /* a bit for each enum opclass in whose samples the field has a meaning */
    bool flag;        /* 0 or 1: one event */
    /* How the field follows from others, and the enum sample_field and the number that its source names. */
    enum sample_rule rule;
    uint8_t whole, number;
};
extern const struct sample_field_row sample_fields[FIELD_COUNT];
/* A bit for each enum opclass in whose samples the field has a meaning. */
static inline uint32_t sample_field_classes(enum sample_field f) { return sample_fields[f].classes; }
/* The largest value that fits the field's width: all ones. */
static inline uint64_t sample_field_ones(enum sample_field f)
{
    return UINT64_MAX >> (64 - sample_fields[f].width_bits);
}
/* The field, which has a rule, as it follows from the others in `field`, by enum sample_field. */
uint64_t sample_field_follow(enum sample_field f, const uint64_t field[]);
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
    uint64_t cycle;              /* when it is offered to the sample buffer */
    uint64_t field[FIELD_COUNT]; /* only the wanted ones are meaningful, each within its width */
};

/* The receiving end, which a sampler calls. Cycles never go backwards over the calls of all three functions. About
 * instructions that find the filter closed a sampler need not ask: they are not let through. */
struct sample_sink {
    void *ctx;
    struct field_set wanted;
    struct event_filter *filter; /* borrowed; the sink moves it at any time */
    /* Passes no class, and every instruction from the cycle on in which time is to pass: a sampler that does not ask
     * about each instruction that passes `filter` calls pass_time for each that passes this one. Borrowed, and moved.
     */
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

/* The low `count` bits, up to 63. */
static inline uint64_t sample_low(uint64_t value, unsigned count) { return value & ((UINT64_C(1) << count) - 1); }

/* An instruction and the last `outcomes` (up to 8) of the branch history at its fetch, as a CAM key: the youngest is in
 * bit 24. */
enum { SAMPLE_PATH_SHIFT = 24 };
static inline uint32_t sample_path_key(uint32_t pc32, uint64_t history, unsigned outcomes)
{
    return pc32 ^ (uint32_t)sample_low(history, outcomes) << SAMPLE_PATH_SHIFT;
}

/* A hash of 16 bits, each the exclusive-or of up to 9 bits of the value. A half that is all zeroes or all ones, as
 * sign extension makes it, leaves the other half as it is. */
static inline uint16_t sample_hash16(uint64_t value)
{
    uint32_t upper = (uint32_t)(value >> 32);
    uint32_t word = (uint32_t)value ^ upper ^ (upper << 13 | upper >> 19);
    uint16_t half = (uint16_t)(word >> 16);
    return (uint16_t)(word ^ half ^ (uint32_t)half << 5 ^ half >> 11);
}

#endif
