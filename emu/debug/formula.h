/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions in the debugger's commands and conditions, over the state of the co-processor and of the guest. Values
 * are the integers of base/integer.h: those of the co-processor are unsigned, as they are to its words, and
 * those of the guest signed. Names, in order of lookup:
 *
 * - hit, rslot, trust, slots, pc32: the program's names of registers and sample fields
 * - v0 i3 c1 b2 t0 f5: the architectural names
 * - slots[3].hit, slots[3].key: a slot's member and its associative entry; .valid: its valid bit; .w1 etc.: a lane. A
 *   member whose format prints an address or a sign has the value that the report prints
 * - data[7] cam[7] valid[7]: elements of the bus regions by name; also dropped, lfsr, classes
 * - word: address of the next word
 * - position, sample: words executed and samples dispatched since the start
 * - now: core cycle
 * - class: opcode class of the head sample, to be compared with load, branch, ...
 * - count[look]: execution count of a word
 * - look: a label: the word's address
 * - $a0 $pc &main &table &'u.0' mem[$sp]: registers, functions, variables and 8-byte memory words of the guest */
#ifndef EMU_DEBUG_FORMULA_H
#define EMU_DEBUG_FORMULA_H

#include "base/integer.h"
#include "emu/cop_inspect.h"

/* Name resolution; all pointers are borrowed. */
struct formula_scope {
    struct cop *cop;
    const struct image *image;
    uint64_t position, samples;
    void *ctx; /* context of the guest's functions; without a guest all are NULL */
    bool (*guest_register)(void *ctx, const char *name, uint64_t *value);
    bool (*guest_symbol)(void *ctx, const char *name, uint64_t *address); /* of a function */
    bool (*guest_variable)(void *ctx, const char *name, uint64_t *address);
    bool (*guest_memory)(void *ctx, uint64_t address, uint64_t *value);
    char *(*meant_symbol)(void *ctx, const char *name); /* as in struct debug_services */
};

struct formula;

/* Parses an expression. If `rest` is NULL it must take up the whole text; else *rest is the text after it. Returns NULL
 * and a message on a syntax error. The caller frees the result with formula_free. */
struct formula *formula_parse(const char *text, const char **rest, const struct formula_scope *scope,
                              struct errmsg *err);
void formula_free(struct formula *f);
/* Evaluates an expression. A message if it has no value; ST_RANGE: an index is out of range, or a field without a
 * sample; ST_INPUT: an operation has no result, such as one that overflows. */
enum status formula_value(const struct formula *f, const struct formula_scope *scope, struct integer *value,
                          struct errmsg *err) MUST_USE;

/* Returns whether the expression is constant. */
bool formula_is_constant(const struct formula *f);
/* An error and a message if a subexpression has no value in any state: a constant operation without a result, a
 * division by the constant 0, a constant index out of range. */
enum status formula_vet(const struct formula *f, const struct formula_scope *scope, struct errmsg *err) MUST_USE;
/* Print kind of an expression that is a slot's key or member; PRINT_NUMBER for other expressions. */
enum slot_print formula_print(const struct formula *f);

/* Assignable expression: a place or a bit field of one. */
struct formula_cell {
    enum { CELL_PLACE, CELL_WORD } kind; /* CELL_WORD: the address of the next word */
    struct cop_place place;
    unsigned low, width;  /* bit field */
    uint8_t format, bits; /* the assigned value is stored in this format (enum slot_format) in that many bits ... */
    uint64_t mixed;       /* ... XORed with this value; FORMAT_NONE: stored as it is */
};
/* Resolves an assignable expression in `scope`: ST_RANGE and a message if it is not assignable or its index is out of
 * range. */
enum status formula_as_cell(const struct formula *f, const struct formula_scope *scope, struct formula_cell *cell,
                            struct errmsg *err) MUST_USE;

/* Calls `see` for each name that can start an operand: for completion and for spelling suggestions. */
void formula_each_name(const struct formula_scope *scope, void (*see)(void *ctx, const char *name), void *ctx);

#endif
