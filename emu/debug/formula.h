/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions of the debugger's commands and conditions, over the state of the co-processor and of the guest. Values
 * are unsigned, of 64 bits. The operators are C's, with C's precedence. Names are, in the order in which they are
 * looked up:
 *
 * - hit, rslot, trust, slots, pc32: what the program calls its registers and the sample's fields
 * - v0 i3 c1 b2 t0 f5: the plain names
 * - slots[3].hit, slots[3].key: a member of a slot, its associative entry; .valid its valid bit, .w1 and the like a
 *   lane. One whose format prints an address or a sign is the number that the report prints
 * - data[7] cam[7] valid[7]: elements of the host access bus's regions, by their names there; dropped, lfsr, classes
 * - word, position, sample, now: the next word's address; words executed, samples begun since the start; the core cycle
 * - class: the head sample's, to be compared with load, branch
 * - count[look]: how often a word has been executed
 * - look: a label, the word's address
 * - $a0 $pc &main mem[$sp]: the guest's registers, symbols, and eight bytes of its memory */
#ifndef EMU_DEBUG_FORMULA_H
#define EMU_DEBUG_FORMULA_H

#include "emu/cop_inspect.h"

/* What names stand for; all borrowed. */
struct formula_scope {
    struct cop *cop;
    const struct image *image;
    uint64_t position, samples;
    void *ctx; /* of the guest's side, which may be absent: then all three are NULL */
    bool (*guest_register)(void *ctx, const char *name, uint64_t *value);
    bool (*guest_symbol)(void *ctx, const char *name, uint64_t *address);
    bool (*guest_memory)(void *ctx, uint64_t address, uint64_t *value);
};

struct formula;

/* Parses the text up to its end or, where `rest` is not NULL, as far as an expression goes: *rest is then what follows.
 * NULL and a message for a text that is none. The caller's, for formula_free. */
struct formula *formula_parse(const char *text, const char **rest, const struct formula_scope *scope,
                              struct errmsg *err);
void formula_free(struct formula *f);
/* ST_RANGE and a message where there is no value: an index out of range, a division by 0, a field while there is no
 * sample. */
enum status formula_value(const struct formula *f, const struct formula_scope *scope, uint64_t *value,
                          struct errmsg *err) MUST_USE;

/* Has it the same value in every state? */
bool formula_is_constant(const struct formula *f);
/* ST_RANGE and a message where a part of it has no value in any state: a division by the constant 0, a constant index
 * out of range. */
enum status formula_vet(const struct formula *f, const struct formula_scope *scope, struct errmsg *err) MUST_USE;
/* Is it a key or a member of a slot that stands for an address of the guest, by its format? */
bool formula_is_address(const struct formula *f);
/* Or for a number with a sign? */
bool formula_is_signed(const struct formula *f);

/* A cell that can be assigned to: a place, or a part of it. */
struct formula_cell {
    enum { CELL_PLACE, CELL_WORD } kind; /* CELL_WORD: the address of the next word */
    struct cop_place place;
    unsigned low, width;  /* the bits of it */
    uint8_t format, bits; /* what is assigned is encoded in that format (enum image_format) in that many bits ... */
    uint64_t mixed;       /* ... XOR this; FORMAT_NONE: it is not */
};
/* The cell that a formula is, in `scope`: ST_RANGE and a message where it is none, or its index is out of range. */
enum status formula_as_cell(const struct formula *f, const struct formula_scope *scope, struct formula_cell *cell,
                            struct errmsg *err) MUST_USE;

/* Calls `see` for each name that can begin an operand: for completion, and for what might have been meant. */
void formula_each_name(const struct formula_scope *scope, void (*see)(void *ctx, const char *name), void *ctx);

#endif
