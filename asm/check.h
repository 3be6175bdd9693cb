/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static checker: finds legal constructs in a valid image that are probably mistakes. All findings are warnings,
 * because the machine executes such programs. docs/assembler.md describes the kinds. */
#ifndef ASM_CHECK_H
#define ASM_CHECK_H

#include <stddef.h>

#include "isa/image.h"

/* CHECK_KIND(enum, name in messages, part of the word concerned) */
#define CHECK_KINDS(X)                                                                                                 \
    X(UNREACHABLE, "unreachable", "words that no entry leads to")                                                      \
    X(ENDLESS, "endless", "a loop from which no path reaches done or interrupt")                                       \
    X(UNBOUNDED, "unbounded", "a loop whose number of passes has no known bound")                                      \
    X(UNWRITTEN, "unwritten", "a register that is read and that nothing sets; a member of a slot that no word writes") \
    X(STALE, "stale", "a value register that on some paths still holds what an earlier sample left")                   \
    X(KEPT, "kept", "a value register that is read before the sample has written it, and is not declared to be kept")  \
    X(RANGE, "range", "an index that can leave its sub-array")                                                         \
    X(MATCH, "match", "a match that searches more or less than the slots at its base, or what no word writes")         \
    X(COMPARE, "compare", "a condition that compares, of an operation with one operand")                               \
    X(FIELD, "field", "a sample field that samples of a class do not carry, or that is always 0 in them")

enum check_kind {
#define X(sym, name, about) CHECK_##sym,
    CHECK_KINDS(X)
#undef X
        CHECK_COUNT
};

/* The part of the word that a finding concerns. The finding's `number` is the register number or the field's position
 * in the record. A member of a slot is no part of a word: `word` is the number of words, and `number` that of the
 * layout times CHECK_MEMBERS, plus that of the member, or IMAGE_MEMBERS for the key. */
enum check_part { PART_WORD, PART_BRANCH, PART_VALUE, PART_INDEX, PART_CONST, PART_BASE, PART_FIELD, PART_MEMBER };
enum { CHECK_MEMBERS = IMAGE_MEMBERS + 1 };

struct check_finding {
    enum check_kind kind;
    unsigned word;
    enum check_part part;
    unsigned number;
    char text[400];
};

extern const char *const check_kind_names[CHECK_COUNT];

/* Fills `out` with at most `room` findings in word order and returns their number. CHECK_MOST entries always
 * suffice. */
enum { CHECK_MOST = 9 * ISA_WORDS + IMAGE_LAYOUTS * CHECK_MEMBERS };
size_t pasm_check(const struct image *im, struct check_finding *out, size_t room);

#endif
