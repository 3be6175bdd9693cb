/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample of an instruction, and the interface by which a core delivers it to the co-processor. sample.def lists the
 * fields. */
#ifndef ISA_SAMPLE_H
#define ISA_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "contract/event_filter.h"

enum sample_field {
#define FIELD(sym, ...) FIELD_##sym,
#include "isa/sample.def"
    FIELD_COUNT
};

enum sample_group {
#define GROUP(sym, ...) SAMPLE_GROUP_##sym,
#include "isa/sample.def"
    SAMPLE_GROUP_COUNT
};

/* The most harts of a process; values of the field `hart` are below. */
enum { SAMPLE_HARTS_MAX = 8 };

/* A row GROUP of sample.def. All strings are static. */
struct sample_group_row {
    const char *name, *meaning;
};
extern const struct sample_group_row sample_groups[SAMPLE_GROUP_COUNT];

/* Rule that derives a field from others of the same sample; the sources in sample.def have the same names. */
enum sample_rule { SAMPLE_RULE_NONE, SAMPLE_RULE_PART, SAMPLE_RULE_LOW, SAMPLE_RULE_HASH, SAMPLE_RULE_BEHIND };

/* A row FIELD of sample.def. All strings are static. */
struct sample_field_row {
    const char *name;
    uint8_t width_bits;
    enum sample_group group;
    const char *meaning;
    uint32_t classes; /* bit mask of enum opclass: classes in whose samples the field is meaningful */
    bool flag;        /* the field is 0 or 1: an event */
    bool clips;       /* a number of cycles or instructions, which is all ones if the field cannot hold it */
    /* Derivation rule, and the enum sample_field and the number given by its source. */
    enum sample_rule rule;
    uint8_t whole, number;
};
extern const struct sample_field_row sample_fields[FIELD_COUNT];
/* Bit mask of enum opclass: classes in whose samples the field is meaningful. */
static inline uint32_t sample_field_classes(enum sample_field f) { return sample_fields[f].classes; }
/* The maximum value of the field: all ones in its width. */
static inline uint64_t sample_field_ones(enum sample_field f)
{
    return UINT64_MAX >> (64 - sample_fields[f].width_bits);
}
/* Derives a field that has a rule from the others in `field`, indexed by enum sample_field. */
uint64_t sample_field_follow(enum sample_field f, const uint64_t field[]);
/* The field of this name, or -1. */
int sample_find_field(const char *name);

/* A set of fields; zero-initialised: empty. */
struct field_set {
    uint64_t word[(FIELD_COUNT + 63) / 64];
};
static inline void field_set_add(struct field_set *s, unsigned f) { s->word[f / 64] |= UINT64_C(1) << f % 64; }
static inline bool field_set_has(const struct field_set *s, unsigned f) { return (s->word[f / 64] >> f % 64 & 1) != 0; }

struct sample {
    enum opclass opclass;
    uint64_t cycle;              /* core cycle of the delivery to the sample buffer */
    uint64_t field[FIELD_COUNT]; /* only requested fields are valid, each within its width */
};

/* The sink to which a sampler delivers. Cycles do not decrease over the calls of all three functions. A sampler need
 * not query instructions that the event filter rejects: they are not accepted. */
struct pc_filters;
struct sample_sink {
    void *ctx;
    struct field_set wanted;
    struct event_filter *filter; /* borrowed; the sink may modify it at any time */
    /* By which `accept` answers for the classes filter->known (isa/pc_filters.h). Borrowed; NULL: they are unknown. */
    const struct pc_filters *pc_filters;
    /* Passes no class, and every instruction from the cycle on in which the sink must be advanced. A sampler that does
     * not query each instruction that passes `filter` calls pass_time for each that passes this filter. Borrowed; the
     * sink modifies it. */
    struct event_filter *due;
    void (*pass_time)(void *ctx, uint64_t cycle);
    /* Returns whether the filters accept an instruction of this class at this address. */
    bool (*accept)(void *ctx, enum opclass c, uint64_t pc, uint64_t cycle);
    void (*deliver)(void *ctx, const struct sample *s);
};

/* Key of an instruction in programs and drivers: bits 32:1 of its address. */
static inline uint32_t sample_pc32(uint64_t pc) { return (uint32_t)(pc >> 1); }
/* The address of a key; addresses are below 8 GiB. */
static inline uint64_t sample_pc_of(uint32_t pc32) { return (uint64_t)pc32 << 1; }

/* The low `count` bits of the value; count is at most 63. */
static inline uint64_t sample_low(uint64_t value, unsigned count) { return value & ((UINT64_C(1) << count) - 1); }

/* CAM key of an instruction and the last `outcomes` (up to 8) outcomes of the branch history at its fetch; the youngest
 * is bit 24. */
enum { SAMPLE_PATH_SHIFT = 24 };
static inline uint32_t sample_path_key(uint32_t pc32, uint64_t history, unsigned outcomes)
{
    return pc32 ^ (uint32_t)sample_low(history, outcomes) << SAMPLE_PATH_SHIFT;
}

/* 16-bit hash; each bit is the XOR of up to 9 bits of the value. Sign extension in one half (all zeroes or all ones)
 * does not reduce the information from the other half. */
static inline uint16_t sample_hash16(uint64_t value)
{
    uint32_t upper = (uint32_t)(value >> 32);
    uint32_t word = (uint32_t)value ^ upper ^ (upper << 13 | upper >> 19);
    uint16_t half = (uint16_t)(word >> 16);
    return (uint16_t)(word ^ half ^ (uint32_t)half << 5 ^ half >> 11);
}

#endif
