/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The microinstruction set of the profiling co-processor: decoded words, their 48-bit encoding, legality rules and
 * disassembly, all derived from isa.def. Source: co-processor paper, sections 3.3, 3.4 and Table 1. */
#ifndef ISA_ISA_H
#define ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Resources of the machine (Table 1). The sizes of the two arrays are configurable from half to four times these. */
enum {
    ISA_WORDS = 64, /* microcode words */
    ISA_WORD_BITS = 48,
    ISA_VALUES = 4,  /* x 64 bits, 2R/1W */
    ISA_INDEXES = 8, /* x 16 bits, 1R/1W */
    ISA_CONSTS = 4,  /* x 64 bits, read-only */
    ISA_BASES = 8,   /* x 16 bits, read-only */
    ISA_TARGETS = 4, /* x 6 bits, read-only */
    ISA_FIELDS = 16, /* fields of the head sample that a program can read */
    ISA_CAM_ENTRIES = 256,
    ISA_DATA_ROWS = 256,
    ISA_RUNAWAY_WORDS = 1 << 20, /* default limit of words per sample; a program that exceeds it is stopped */
};

enum isa_cond {
#define COND(sym, code, ...) COND_##sym = code,
#include "isa/isa.def"
};
enum isa_alu {
#define ALU(sym, code, ...) ALU_##sym = code,
#include "isa/isa.def"
};
enum isa_bsrc {
#define BSRC(sym, code, ...) BSRC_##sym = code,
#include "isa/isa.def"
};
enum isa_vsrc {
#define VSRC(sym, code, ...) VSRC_##sym = code,
#include "isa/isa.def"
};
enum {
    VSRC_COUNT = 0
#define VSRC(...) +1
#include "isa/isa.def"
};
enum isa_idx {
#define IDX(sym, code, ...) IDX_##sym = code,
#include "isa/isa.def"
};
enum isa_data {
#define DATA(sym, code, ...) DATA_##sym = code,
#include "isa/isa.def"
};
enum isa_lane {
#define LANE(sym, code, ...) LANE_##sym = code,
#include "isa/isa.def"
    LANE_COUNT
};
enum isa_cam {
#define CAM(sym, code, ...) CAM_##sym = code,
#include "isa/isa.def"
};

enum isa_regfile {
#define REGFILE(sym, ...) REG_##sym,
#include "isa/isa.def"
    REG_FILES
};

/* The shape of an operation's operands, and the unit it belongs to. */
enum isa_form {
    FORM_NONE,
    FORM_CMP,
    FORM_BIN,
    FORM_UN,
    FORM_LD,
    FORM_ST,
    FORM_RMW1,
    FORM_RMW2,
    FORM_MATCH,
    FORM_WRITE,
    FORM_DROP
};
enum isa_unit { UNIT_NONE, UNIT_ALU, UNIT_DATA, UNIT_IDX, UNIT_CAM };

/* A decoded word: one member per field of isa.def, each within its width. */
struct uop {
#define WORD_FIELD(member, low, width, what) uint8_t member;
#include "isa/isa.def"
};

/* Branch targets: codes 0..3 the target registers, then done and interrupt, then the short offsets.
 * An offset of +1 is the next word and of 0 the word itself: neither is encoded. */
enum { TARGET_REG = 0, TARGET_DONE = 4, TARGET_INTERRUPT = 5, TARGET_BACK = 6, TARGET_FORWARD = 14, TARGET_CODES = 32 };
enum { OFFSET_MIN = -8, OFFSET_MAX = 19 };

/* Target code for an offset in words, or -1 if out of range. */
int isa_target_from_offset(int offset);
/* The offset in words of an offset code (TARGET_BACK and above). */
int isa_target_offset(unsigned code);

/* Requirements of a condition on its unit's operation. */
enum isa_need { NEED_ANY, NEED_OPERANDS, NEED_RESULT, NEED_LIMIT, NEED_BUS };

/* Rows of the table, for parsers, printers and explanations. All strings are static. */
struct isa_cond_row {
    uint8_t code;
    const char *name, *inverse;
    enum isa_unit unit;
    enum isa_need need;
    const char *meaning;
};
struct isa_op_row {
    uint8_t code;
    const char *mnemonic;
    enum isa_unit unit;
    enum isa_form form;
    bool reads_index, writes_index, has_limit;
    const char *effect;
};
struct isa_lane_row {
    const char *name;
    uint8_t low, width;
};
struct isa_bsrc_row {
    uint8_t code, count, lfsr_bits;
    const char *name, *what;
};
struct isa_regfile_row {
    char letter;
    uint8_t count, bits;
    const char *what;
};

extern const struct isa_cond_row isa_conds[];
extern const size_t isa_cond_count;
/* Operations of all four units in table order. The mnemonic is "" for a unit's idle code and for index operations that
 * are written as the destination of another unit's operation. */
extern const struct isa_op_row isa_ops[];
extern const size_t isa_op_count;
extern const struct isa_lane_row isa_lanes[LANE_COUNT];
extern const struct isa_bsrc_row isa_bsrcs[];
extern const size_t isa_bsrc_count;
extern const struct isa_regfile_row isa_regfiles[REG_FILES];

/* The lane of a row, as a number. */
static inline uint64_t isa_lane_of(uint64_t row, unsigned lane)
{
    const struct isa_lane_row *l = &isa_lanes[lane];
    return l->width == 64 ? row : row >> l->low & ((UINT64_C(1) << l->width) - 1);
}

const struct isa_cond_row *isa_find_cond(unsigned code);                 /* NULL for a reserved code */
const struct isa_op_row *isa_find_op(enum isa_unit unit, unsigned code); /* NULL for idle and reserved codes */
const struct isa_bsrc_row *isa_find_bsrc(unsigned b);                    /* the group that code b belongs to, or NULL */

/* Returns whether code b of bus B reads the LFSR. */
static inline bool isa_is_random(unsigned b)
{
    return false
#define BSRC(sym, code, count, lfsr_bits, ...) || ((lfsr_bits) > 0 && b == (code))
#include "isa/isa.def"
        ;
}

/* Return whether an operation of this form uses operand A or operand B. */
bool isa_form_uses_a(enum isa_form f);
bool isa_form_uses_b(enum isa_form f);

uint64_t isa_encode(const struct uop *u);
void isa_decode(uint64_t word, struct uop *u);

/* Resources used by a word, derived from its operations. */
struct isa_use {
    bool a, b, index_read, index_write, base, lane, branch; /* used selectors */
    bool result;                                            /* the ALU produces a result */
    bool address;     /* base and index form the address of a row, an entry, or both */
    bool row_write;   /* writes the data array */
    bool entry_write; /* writes the associative array: valid bit and, with a key, tag */
    bool key_write;
};
/* `wide`, here and below: bit mask of base registers whose keys include operand A. */
struct isa_use isa_uses(const struct uop *u, unsigned wide);
/* Returns whether the word's key includes operand A. */
bool isa_has_wide_key(const struct uop *u, unsigned wide);

/* Returns NULL for a legal word, else the reason (static text). Encodings are canonical: unused selectors are 0. */
const char *isa_check(const struct uop *u, unsigned wide);

/* Names used in disassembly. Any pointer or element may be NULL; the architectural name is then used. */
struct isa_names {
    const char *const *values, *const *indexes, *const *consts, *const *bases, *const *fields;
    const char *const *labels; /* ISA_WORDS elements, indexed by address */
    /* The name of a lane of the layout at a base register, or NULL. */
    const char *(*lane)(const void *ctx, unsigned base, unsigned lane);
    const void *ctx;
    unsigned wide;
};
/* Disassembles the word at address `pc`: operations separated by " | ". Returns as snprintf does. */
int isa_print(char *buf, size_t size_bytes, const struct uop *u, unsigned pc, const struct isa_names *names);

#endif
